"""Blocks: traced once, called often."""

import pytest

from grashof.scalar import Jet, Scalar, sin, sqrt
from grashof.tape import TraceError, block, emit, trace
from grashof.tape.tape import FUNCTION


class Cholesky:
    """A x = b for a symmetric positive definite 2×2 matrix, in two parts."""

    def __init__(self) -> None:
        self.factored = 0
        self.solved = 0

    @block
    def factor(self, a: list[Scalar]) -> list[Scalar]:
        self.factored += 1
        l11 = sqrt(a[0])
        l21 = a[1] / l11
        return [l11, l21, sqrt(a[2] - l21 * l21)]

    @block
    def solve(self, l: list[Scalar], b: list[Scalar]) -> list[Scalar]:
        self.solved += 1
        y1 = b[0] / l[0]
        y2 = (b[1] - l[1] * y1) / l[2]
        x2 = y2 / l[2]
        return [(y1 - l[1] * x2) / l[0], x2]

    def twice(self, a: list[Scalar], b: list[Scalar]) -> list[Scalar]:
        """A⁻² b."""
        l = self.factor(a)
        return self.solve(l, self.solve(l, b))


MATRIX = [4.0, 1.0, 3.0]
RIGHT = [1.0, 2.0]
# A⁻¹ = [3 −1; −1 4]/11, applied twice by hand.
ANSWER = [-4.0 / 121.0, 27.0 / 121.0]


def test_over_numbers_a_block_is_its_function() -> None:
    assert Cholesky().twice(MATRIX, RIGHT) == pytest.approx(ANSWER, rel=1e-14)


WAYS = pytest.mark.parametrize("way", [{"inline": True}, {"inline": False}, {"unroll": False}], ids=str)


@WAYS
def test_constants_are_handed_to_general_parameters(native, way: dict[str, bool]) -> None:
    scaled = block(general=["x"])(lambda x, c: [c * x[0] + x[1]])
    tape = trace(lambda x: scaled([2.0, x[0]], x[1]) + scaled([x[0], 5.0], x[1]), 2)
    assert len(tape.blocks) == 1
    assert native(tape, [3.0, 4.0], **way) == [11.0, 17.0]


@WAYS
def test_a_factorisation_and_its_solves_run_as_machine_code(native, way: dict[str, bool]) -> None:
    tape = trace(Cholesky().twice, 3, 2)
    assert tape.evaluate(MATRIX + RIGHT) == pytest.approx(ANSWER, rel=1e-14)
    assert native(tape, MATRIX + RIGHT, **way) == pytest.approx(ANSWER, rel=1e-14)


def test_a_block_is_traced_once_for_all_its_calls_in_all_tapes() -> None:
    system = Cholesky()
    first = trace(system.twice, 3, 2)
    second = trace(lambda a, b: system.solve(system.factor(a), b), 3, 2)
    assert (system.factored, system.solved) == (1, 1)
    assert set(map(id, second.blocks)) == set(map(id, first.blocks))
    assert emit({"f": first, "g": second}, inline=False).text.count("define internal") == 2


def test_each_object_has_blocks_of_its_own() -> None:
    class Scale:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        @block
        def apply(self, x: list[Scalar]) -> list[Scalar]:
            return [self.factor * value for value in x]

    two, three = Scale(2.0), Scale(3.0)
    assert trace(lambda x: two.apply(x) + three.apply(x), 1).evaluate([5.0]) == [10.0, 15.0]


def test_constants_among_the_arguments_make_another_function() -> None:
    system = Cholesky()

    def solves(a: list[Scalar], b: list[Scalar]) -> list[Scalar]:
        l = system.factor(a)
        return [*system.solve(l, b), *system.solve(l, [0.0, b[1]]), *system.solve(l, [0.0, b[0]])]

    tape = trace(solves, 3, 2)
    assert system.solved == 2
    assert tape.evaluate(MATRIX + RIGHT) == pytest.approx(solves(MATRIX, RIGHT), rel=1e-14)


def test_constants_of_general_parameters_do_not() -> None:
    traced: list[float] = []

    @block(general=["shift"])
    def moved(x: list[Scalar], shift: Scalar = 1.0) -> list[Scalar]:
        traced.append(shift)
        return [x[0] * x[0] + shift]

    tape = trace(lambda x: moved(x) + moved(x, 2.0) + moved(x, shift=x[0]), 1)
    assert len(traced) == 1
    assert tape.evaluate([3.0]) == [10.0, 11.0, 12.0]


def test_results_that_are_constant_come_out_as_constants() -> None:
    part = block(lambda x, c: [x[0] * c, 0.0 * x[0], c, x[1]])
    seen: list[Scalar] = []
    trace(lambda x: seen.extend(part(x, 3.0)) or seen, 2)
    assert seen[1:3] == [0.0, 3.0]
    assert all(type(value) is float for value in seen[1:3])


def test_a_block_that_computes_nothing_is_not_called() -> None:
    part = block(lambda x: [1.0, 0.0 * x[0], x[1], x[0]])
    tape = trace(lambda x: part(x), 2)
    assert tape.blocks == ()
    assert tape.evaluate([5.0, 6.0]) == [1.0, 0.0, 6.0, 5.0]


def test_the_same_call_is_made_once() -> None:
    part = block(lambda x: [x[0] * x[1] + 1.0])
    tape = trace(lambda x: [part(x)[0] * part(x)[0]], 2)
    assert [s[0] for s in tape.statements] == ["input", "input", "call", "result", "multiply"]


def test_the_length_of_a_tape_counts_each_block_once() -> None:
    part = block(lambda x: [x * x + 1.0])  # 2 operations
    tape = trace(lambda x: [part(x[0])[0] + part(x[1])[0]], 2)
    assert len(tape) == 2 + 2 + 1  # the block, two calls, a sum


def test_a_list_that_one_block_returns_and_another_takes_is_not_copied() -> None:
    code = emit({"f": trace(Cholesky().twice, 3, 2)}, inline=False)
    assert code.text.count("alloca") == 3  # the results of three calls, and no other array


@WAYS
def test_values_of_different_origin_are_gathered(native, way: dict[str, bool]) -> None:
    part = block(lambda x: [x[0] + 2.0 * x[1] + 3.0 * x[2], x[0]])
    tape = trace(lambda x: part([x[1], part(x)[0], x[0] * x[2]]), 3)
    # part(x)₀ = 1 + 4 + 9 = 14, then 2 + 28 + 9
    assert native(tape, [1.0, 2.0, 3.0], **way) == [39.0, 2.0]


def test_a_block_refuses_what_it_cannot_trace() -> None:
    part = block(lambda x, y: [x * y])
    with pytest.raises(TraceError, match="not Jet"):
        trace(lambda x: part(x[0], Jet(1.0, 2.0, 3.0)), 1)


def test_a_block_knows_its_arguments_alone() -> None:
    def smuggle(x: list[Scalar]) -> list[Scalar]:
        return block(lambda y: [x[0] * y])(x[1])

    with pytest.raises(TraceError, match="outside the function"):
        trace(smuggle, 2)


def test_operations_count_every_call_of_a_block_and_functions_as_many() -> None:
    """Three products and two sums in a block that is called twice; one sine."""
    quick = block(lambda x: [x[0] * x[1] * x[0] + x[1] * x[1] + x[0]])
    tape = trace(lambda x: [sin(quick([quick(x)[0], x[1]])[0])], 2)
    assert len(tape.blocks) == 1
    assert tape.operations == 2 * 5 + FUNCTION
