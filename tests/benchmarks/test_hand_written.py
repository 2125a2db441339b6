"""The programs written by hand solve the problems they are set against."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from benchmarks.contests import CONTESTS, Contest
from benchmarks.hand_written import HandWritten, Source, Unavailable, coefficients, compiler
from benchmarks.ladder import passes

from grashof.integrate.methods.dop853 import STAGES, C
from grashof.problems.multiple_four_bar.reference import FINAL

QUICK = ("-O1", "-Wall", "-Werror")  # optimising takes longer than running
PROGRAMS = [(contest, source) for contest in CONTESTS if contest.predictable for source in contest.programs]

needs_compiler = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


def expected(contest: Contest) -> dict[str, float]:
    """The independent solution at the end; that of the grid takes seconds, and is kept."""
    if contest.problem == "multiple-four-bar":
        assert contest.variant in ("top-row", "all-rows")
        return dict(zip(("phi_1", "phidot_1", "y_A", "z_A"), map(float, FINAL[contest.variant]), strict=False))
    case = contest.case()
    return {name: float(values[-1]) for name, values in case.reference(case.times(case.t_end)[-1:]).items()}


@needs_compiler
@pytest.mark.parametrize(("contest", "source"), PROGRAMS, ids=[f"{c.title}-{s.file}" for c, s in PROGRAMS])
def test_a_program_ends_where_the_independent_solution_does(contest: Contest, source: Source, tmp_path: Path) -> None:
    run = HandWritten(source, tmp_path, QUICK).run(1e-9)
    assert run.message == ""
    assert passes(run, contest.case().bound)
    for name, value in expected(contest).items():
        assert run.final[name] == pytest.approx(value, rel=1e-5), name


def test_the_generated_header_has_the_consistent_rows_of_the_table() -> None:
    """Σ_j A_sj = C_s, and both error estimates vanish on a constant slope."""
    ones = [[1.0]] * STAGES
    rows = dict(re.findall(r"#define DOP853_(\w+)\(k, i\) (.*)", coefficients()))
    sums = {name: eval(row, {"k": ones, "i": 0}) for name, row in rows.items()}
    assert len(sums) == STAGES + 2
    for s in range(1, STAGES + 1):
        assert sums[f"A_{s}"] == pytest.approx(C[s], abs=1e-13)
    assert sums["E5"] == pytest.approx(0.0, abs=1e-14)
    assert sums["E3"] == pytest.approx(0.0, abs=1e-14)


def test_without_a_compiler_a_program_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(Unavailable, match="there is no C compiler"):
        HandWritten(CONTESTS[0].programs[0], tmp_path)


@needs_compiler
def test_a_program_that_does_not_compile_says_why(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="it does not compile"):
        HandWritten(Source("grid_rows", "", {"START": "NOWHERE"}), tmp_path)
