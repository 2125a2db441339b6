"""One step of a method for y = [q, v, e], as native code.

The mechanism's own functions are called through their addresses in the workspace, so the loop of a method is
compiled once for all mechanisms of the same size. x = [t, q, v, e] has time first, c are the mechanism's coefficients:

    void derivative(ptr x, ptr c, ptr out)    out = the rates of the state
    void project(ptr x, ptr c, ptr out)       out = [q, v, e, r]    r: remaining squared violation, m²
    void events(ptr x, ptr c, ptr out)        out = the functions whose signs a run watches (see `watch`), if any
    void jacobian(ptr x, ptr c, ptr out)      out = the derivatives of the rates, row by row, with respect to [t, q, v,
                                              e], if the method needs them
    void hold(ptr x, ptr c, ptr out)          out = [q, v, e] after the samples that are due at x, if forces are
                                              determined at samples (`Sizes.sample`)

How a step is made, the method knows (see `methods.base`).

Two loops process a state: one for the direct coordinates, whose rates are velocities, and one for everything else,
which has rates of its own (see `Sizes`). In natural coordinates these are q and [v, e]. Vectors are processed in whole
lanes: the overrun past the end of the first part falls on the beginning of the second, which is why the second is
always written later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from grashof.formulation.layout import Sizes
from grashof.integrate.kernel import UNROLLED, Kernel, offsets
from grashof.integrate.linear import stride_of
from grashof.integrate.methods import Method
from grashof.integrate.values import LANES, Array, Value
from grashof.tape.lanes import ONE, Lanes

SCALAR = 4
"""Up to this many rates, loops process single elements: a vector cannot be loaded before all of its elements have been
stored, and waiting for that takes longer than the few operations."""

Vectors = Callable[[Value], Sequence[Value]]
"""The elements i of several vectors."""

ADDRESSES = (
    "derivative",
    "project",
    "events",
    "coefficients",
    "observe",
    "gradients",
    "sides",
    "far",
    "jacobian",
    "hold",
)
"""The addresses of the mechanism's functions and of its coefficients, in their order."""
NODES, MORE = 3, 2
"""Number of points inside a step that the dense output evaluates, and of additional ones if there are extra states
(see `dense`)."""
WATCHED = 5
"""Number of evenly spaced points inside a step at which events are looked for (see `watch`)."""
BASIS, EXTRA_BASIS = 5 + NODES, 2 + NODES + MORE
"""Number of basis polynomials of the dense output, for q and for extra states."""


def pad_count(count: int) -> int:
    """The count rounded up to whole lanes."""
    return -(-count // LANES) * LANES


@dataclass(frozen=True)
class Workspace:
    """The layout of the array of doubles in which native code works.

    Vectors are padded to whole lanes; the padding stays finite and has weight zero.

    sizes       of a state and its rates
    events      number of watched functions
    runs        number of runs computed at once, each in a lane of its own; None: one run, whose vectors are processed
                in lanes
    gradients   number of entries in the rows' gradients, by which runs in lanes are checked
    together    whether the mechanism's functions are in the module of the loop, which then calls them by name
    """

    sizes: Sizes
    method: Method
    events: int = 0
    runs: Lanes | None = None
    gradients: int = 0
    together: bool = False

    @property
    def lanes(self) -> int:
        """How many elements loops process at once."""
        return 1 if self.runs or self.sizes.rates <= SCALAR else LANES

    @property
    def width(self) -> int:
        """Room for rates. Loops over accelerations, which begin after the coordinates' own rates, run past their end
        by less than a vector."""
        return pad_count(self.sizes.rates) + (LANES if self.sizes.own else 0)

    def kernel(self, name: str, *, internal: bool = False) -> Kernel:
        """A function that works in this space."""
        unrolled = 1 if self.together else UNROLLED
        return Kernel(name, self.lanes, self.runs or ONE, internal=internal, unrolled=unrolled)

    @cached_property
    def places(self) -> dict[str, int]:
        """Offsets of all addresses, of four points [t, y, r], of weights and of lists of vectors; "all" is the total
        size."""
        sizes, rates = self.sizes, self.width
        point, q, e = pad_count(sizes.size) + LANES, pad_count(sizes.direct), pad_count(sizes.rates - sizes.direct)
        parts = {
            "functions": pad_count(len(ADDRESSES)),
            "start": point,
            "trial": point,
            "end": point,
            "inside": point,
            "weights_q": q,
            "weights": rates,
            "slopes": rates * self.method.slopes,
            "inner": stride_of(sizes.size) * len(self.method.inner),
            "known": rates * (2 + NODES + MORE + 1),
            "dense_q": q * BASIS,
            "dense_e": e * EXTRA_BASIS,
            "sides": pad_count(self.events),
            "watched": pad_count(self.events) * (WATCHED + 2 if self.events else 0),
            "gradients": pad_count(self.gradients) * 4,
            "margins": LANES,
            "method": pad_count(self.method.room(sizes)),
        }
        return offsets(parts)

    def address_of(self, name: str) -> int:
        """Offset of the address of a function or of the coefficients."""
        return self.places["functions"] + ADDRESSES.index(name)


@dataclass(frozen=True)
class Others:
    """A part of the state that has rates and consists of no direct velocities: where it begins among the rates, and
    among the vectors of its polynomials."""

    first: int
    place: int
    count: int

    def of(self, vectors: Sequence[Array]) -> list[Array]:
        """Its part of each of the vectors of polynomials."""
        return [vector.at(self.place) for vector in vectors]


class Step:
    """The vectors of a step inside a kernel, and statements on them."""

    def __init__(self, kernel: Kernel, space: Workspace, work: Array) -> None:
        place = {name: work.at(offset) for name, offset in space.places.items()}
        self.kernel, self.space, self.method, self.sizes = kernel, space, space.method, space.sizes
        self.work, self.own = work, place["method"]
        self.start, self.trial, self.end = place["start"], place["trial"], place["end"]
        self.inside = place["inside"]
        self.weights_q, self.weights = place["weights_q"], place["weights"]
        sizes = space.sizes
        self.slopes = [place["slopes"].at(s * space.width) for s in range(self.method.slopes)]
        self.inner = [place["inner"].at(s * stride_of(sizes.size)) for s in range(len(self.method.inner))]
        self.known = [place["known"].at(i * space.width) for i in range(2 + NODES + MORE + 1)]
        self.dense_q = [place["dense_q"].at(i * pad_count(sizes.direct)) for i in range(BASIS)]
        self.dense_e = [place["dense_e"].at(i * pad_count(sizes.rates - sizes.direct)) for i in range(EXTRA_BASIS)]
        self.sides = place["sides"]
        self.gradients = [place["gradients"].at(i * pad_count(space.gradients)) for i in range(4)]
        self.margins = place["margins"]
        self.watched = [place["watched"].at(i * pad_count(space.events)) for i in range(WATCHED + 2)]

    def evaluate(self, x: Array, slope: Array) -> None:
        """slope = the rates at x = [t, q, v, e]."""
        self.call("derivative", x, slope)

    def project(self, into: Array | None = None) -> None:
        """Projects the trial: [t, y on the constraints, r] is written to `into`, by default the end of the step."""
        into = into or self.end
        into[0] = self.trial[0]
        self.call("project", self.trial, into.at(1))

    def watch(self, x: Array, point: int) -> None:
        """Evaluates the watched functions at x, one of the points of the step."""
        self.call("events", x, self.watched[point])

    def call(self, function: str, x: Array, out: Array) -> None:
        """out = one of the mechanism's functions at x."""
        self.kernel.call(self.function(function), x, self.work.address(self.space.address_of("coefficients")), out)

    def function(self, name: str) -> str | Value:
        """One of the mechanism's functions: its name or its address."""
        return name if self.space.together else self.work.address(self.space.address_of(name))

    def parts(self, x: Array) -> tuple[Array, Array]:
        """The direct coordinates of a point, and everything that has rates: the velocities begin there after the
        other coordinates."""
        return x.at(1), x.at(1 + self.sizes.direct)

    @property
    def others(self) -> tuple[Others, Others]:
        """What has rates before and after the direct velocities: coordinates with rates of their own; other
        velocities and extra states."""
        own, after = self.sizes.own, self.sizes.own + self.sizes.direct
        return Others(0, 0, own), Others(after, own, self.sizes.rates - after)

    def squares(self, count: int, of_q: Vectors, of_rates: Vectors) -> list[Value]:
        """Σ_i (w_i x_i)² for each of `count` vectors x, given in its two parts; not finite if any x_i is not, even
        one of weight zero."""
        totals = self._add_squares(self.sizes.direct, self.weights_q, of_q, [self.kernel.zeros()] * count)
        totals = self._add_squares(self.sizes.rates, self.weights, of_rates, totals)
        return [self.kernel.total(x) for x in totals]

    def _add_squares(self, width: int, weights: Array, vectors: Vectors, totals: list[Value]) -> list[Value]:
        def update(i: Value, so_far: list[Value]) -> list[Value]:
            weighted = [weights[i] * x for x in vectors(i)]
            return [total + x * x for total, x in zip(so_far, weighted, strict=True)]

        return self.kernel.fold(width, totals, update)


def stages_ir(space: Workspace) -> str:
    """`stages(h, work)`: computes all slopes but the last from the start and the first slope; trial becomes the end
    of the step."""
    k = space.kernel("stages", internal=True)
    h = k.number("h")
    step = Step(k, space, k.array("work"))
    space.method.make_step(step, h)
    return k.text()
