"""The commands `run`, `verify` and `reference` for problems whose result is a linearised motion."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grashof.cli.console import Activity, console, echo, print_facts, print_json
from grashof.common.errors import ModelError
from grashof.common.wording import count_of, seconds

if TYPE_CHECKING:
    import numpy as np
    from rich.text import Text

    from grashof.judge.linear import EigenReference, EigenVerdict, LinearOutcome
    from grashof.problems import LinearCase


def is_linear(name: str, **others: Any) -> bool:
    """Whether a problem's result is a linearised motion; refuses options, by their names, that are for motions over
    time."""
    from grashof.problems import LINEAR

    if name not in LINEAR:
        return False
    for option, value in others.items():
        if value is not None:
            raise ModelError(
                f"The result of problem '{name}' is a linearised motion, which has no --{option.replace('_', '-')}; "
                "leave it out."
            )
    return True


def run_linear(case: LinearCase, out: Path | None, as_json: bool, say: Activity) -> int:
    """Linearises, judges, prints, and writes to a folder."""
    from grashof.judge.linear import judge_linear

    say(f"linearising {case.problem}")
    outcome = judge_linear(case)
    written = [] if out is None else write_linear(outcome, out, say)
    if as_json:
        print_json(outcome.as_dict())
    else:
        print_facts(_outcome_facts(outcome))
        for path in written:
            echo(f"wrote {path}")
    return 0 if outcome.passed else 1


def verify_linear(case: LinearCase, file: Path, as_json: bool) -> int:
    """Judges a file with eigenvalues."""
    from grashof.judge.linear import judge_eigenvalues, read_eigenvalues

    values = read_eigenvalues(file)
    found = judge_eigenvalues(case, values)
    if as_json:
        print_json({"file": str(file), **found.as_dict()})
    else:
        print_facts([("file", f"{file}: {count_of(len(values), 'eigenvalue')}"), *_facts(found)])
    return 0 if found.passed else 1


def reference_linear(case: LinearCase, out: Path | None, as_json: bool) -> int:
    """Prints the certified eigenvalues, and writes them to a file."""
    from grashof.common.writing import write_atomically
    from grashof.judge.linear import certify

    found = certify(case)
    if out is not None:
        write_atomically(out, _table(found.values, "".join(f"# {x}\n" for x in found.provenance)))
    if as_json:
        values = [{"real": s.real, "imag": s.imag, "bar": x} for s, x in zip(found.values, found.bars, strict=True)]
        rest = {name: {"value": x, "bar": bar} for name, (x, bar) in found.rest.items()}
        print_json({"problem": case.problem, "variant": case.variant, "eigenvalues": values, "rest": rest})
    else:
        print_facts([("reference", _name(case)), *_reference_facts(case, found)])
        if out is not None:
            echo(f"wrote {out}")
    return 0


def write_linear(outcome: LinearOutcome, folder: Path, say: Activity) -> list[Path]:
    """Writes the eigenvalues, the shapes and `run.json`; returns the files written."""
    from grashof.common.writing import write_atomically

    say(f"writing to {folder}")
    folder.mkdir(parents=True, exist_ok=True)
    names = (f"{outcome.verdict.case.problem}.txt", "modes.png", "run.json")
    written = [folder / name for name in names]
    write_atomically(written[0], _table(outcome.verdict.partners, ""))
    outcome.found.plot(written[1])
    write_atomically(written[2], json.dumps(outcome.as_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    return written


def print_linear_outcomes(outcomes: Sequence[LinearOutcome]) -> None:
    """The table of all these problems."""
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, show_edge=False, padding=(0, 1, 0, 0))
    for heading in ("problem", "error", "bound", "verdict", "eigenvalues", "CPU time"):
        table.add_column(heading, no_wrap=True)
    for outcome in outcomes:
        found = outcome.verdict
        table.add_row(
            found.case.problem,
            "none" if found.error is None else f"{found.error:.1e}",
            f"{found.case.bound:.0e}",
            _word(found.passed),
            str(len(found.reference.values)),
            seconds(outcome.cpu_s),
        )
    screen = console()
    screen.print("\nLinearised motions, at default settings", style="bold")
    screen.print(table)
    screen.print("\nError: the largest difference of an eigenvalue from the reference, relative to its magnitude.")


def _outcome_facts(outcome: LinearOutcome) -> list[tuple[str, str | Text]]:
    facts, units = _facts(outcome.verdict), outcome.verdict.case.rest
    known = outcome.verdict.reference.rest
    for name, x in outcome.rest.items():
        facts.append(("rest", f"{name} = {x:.15g} {units[name]}; reference {known[name][0]:.15g}"))
    facts.append(("CPU time", f"{seconds(outcome.cpu_s)} finding the rest and linearising"))
    facts += [("note", note) for note in outcome.verdict.case.notes]
    return facts


def _facts(found: EigenVerdict) -> list[tuple[str, str | Text]]:
    from grashof.judge.linear import RULE

    case = found.case
    error = "some eigenvalues are missing" if found.error is None else f"{found.error:.2e}"
    facts: list[tuple[str, str | Text]] = [
        ("problem", _name(case)),
        ("verdict", _word(found.passed)),
        ("error", f"{error}: {RULE}; at most {case.bound:g}"),
    ]
    for k, (s, known) in enumerate(zip(found.partners, found.reference.values, strict=True)):
        value = "missing" if math.isnan(s.real) else _text(s)
        facts.append(("eigenvalues" if k == 0 else "", f"{value}; reference {_text(known)} 1/s"))
    if len(found.others):
        listed = ", ".join(_text(s) for s in found.others[:5])
        facts.append(("others", f"{count_of(len(found.others), 'value')} that the problem does not have: {listed}"))
    facts += [("hint", hint) for hint in found.hints]
    return facts


def _reference_facts(case: LinearCase, found: EigenReference) -> list[tuple[str, str | Text]]:
    facts: list[tuple[str, str | Text]] = []
    for s, bar in zip(found.values, found.bars, strict=True):
        facts.append(("", f"{_text(s, 17)} ± {bar:.1e} 1/s"))
    for name, (x, bar) in found.rest.items():
        facts.append(("rest", f"{name} = {x:.17g} ± {bar:.1e} {case.rest[name]}"))
    facts += [("provenance" if k == 0 else "", sentence) for k, sentence in enumerate(found.provenance)]
    return facts


def _name(case: LinearCase) -> str:
    return f"{case.problem}, {case.variant}" + "".join(f", {key} = {x:g}" for key, x in case.parameters.items())


def _text(s: complex, digits: int = 13) -> str:
    return f"{s.real:.{digits}g}" + (f" {'-' if s.imag < 0.0 else '+'} {abs(s.imag):.{digits}g}i" if s.imag else "")


def _table(values: np.ndarray, above: str) -> str:
    return above + "real [1/s]  imag [1/s]\n" + "".join(f"{s.real:24.16e} {s.imag:24.16e}\n" for s in values)


def _word(passed: bool) -> Text:
    from rich.text import Text

    return Text("PASSED", "bold green") if passed else Text("NOT PASSED", "bold red")
