"""Results do not depend on how many threads linear algebra may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pytest

from grashof import assemble, audit, equilibrium, example, kinematics, linkage, mobility, modes, simulate, stream
from grashof.common.blas import _functions, one_thread
from grashof.problems import make_case
from grashof.program import Program, build
from grashof.situation import situation


@pytest.fixture
def threads() -> Iterator[Callable[[], int]]:
    """The number of threads allowed, which is 2 to begin with."""
    get, put = _functions()
    before = get()
    put(2)
    if get() != 2:
        pytest.skip("NumPy's linear algebra uses one thread on this machine, or its library is not known")
    yield get
    put(before)


def test_linear_algebra_is_held_to_one_thread_and_let_go(threads: Callable[[], int]) -> None:
    with one_thread():
        assert threads() == 1
        with one_thread():
            assert threads() == 1
        assert threads() == 1
    assert threads() == 2


@pytest.fixture(scope="module")
def four_bars() -> Program:
    """Without the equations of its branch, so that runs step across singular positions."""
    return build(make_case("double-four-bar").model, relations=False)


DRIVEN = example("four-bar")

QUESTIONS: dict[str, Callable[[Program], object]] = {
    "build": lambda program: build(program.model, relations=False),
    "simulate": lambda program: simulate(program, 1.0),
    "stream": lambda program: list(stream(program, 1.0)),
    "assemble": lambda program: assemble(program.model),
    "situation": lambda program: situation(program.model),
    "mobility": lambda program: mobility(program.model),
    "reactions": lambda program: simulate(program, 0.1).reactions(),
    "equilibrium": lambda program: equilibrium(program.model),
    "modes": lambda program: modes(program.model),
    "linkage": lambda _: linkage(DRIVEN),
    "kinematics": lambda _: kinematics(DRIVEN, 0.1),
    "audit": lambda program: audit(program.model),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_all_linear_algebra_of_a_question_has_one_thread(
    question: str, four_bars: Program, threads: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def spied(call: Callable[..., object], *given: object, **named: object) -> object:
        seen.append(threads())
        return call(*given, **named)

    monkeypatch.setenv("GRASHOF_CACHE", "off")  # what is known already is not computed
    for name in ("svd", "solve", "lstsq", "qr", "inv", "det", "eig", "eigvals", "eigvalsh"):
        monkeypatch.setattr(np.linalg, name, partial(spied, getattr(np.linalg, name)))
    QUESTIONS[question](four_bars)
    assert seen, "this question would show nothing"
    assert set(seen) == {1}
    assert threads() == 2
