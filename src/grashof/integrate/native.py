"""The native functions of a run: those of the mechanism, and the loop of a method, compiled once for all mechanisms
of a size."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.common.errors import ModelError
from grashof.formulation.layout import Sizes
from grashof.integrate.control import Control
from grashof.integrate.dense import interpolate_ir, sample_ir, solve_ir
from grashof.integrate.inner import StepRecords, width
from grashof.integrate.kernel import declarations
from grashof.integrate.loop import advance_ir, begin_ir
from grashof.integrate.methods import Method
from grashof.integrate.restarts import carry_on_ir, limit_ir, rescale_ir, weigh_ir
from grashof.integrate.step import Workspace, stages_ir
from grashof.integrate.values import LANES
from grashof.integrate.watch import watch_ir
from grashof.integrate.work import Dimensions
from grashof.tape import Library
from grashof.tape.arrays import address

Vector = NDArray[np.float64]


class NativeLoop:
    """A method compiled for all mechanisms of a size."""

    def __init__(self, method: Method, sizes: Sizes, events: int = 0) -> None:
        self.space = Workspace(sizes, method, events)
        parts = [stages_ir, begin_ir, advance_ir, weigh_ir, limit_ir, carry_on_ir, rescale_ir]
        parts += [interpolate_ir, solve_ir, sample_ir]
        parts += [watch_ir] if events else []
        text = declarations() + "".join(part(self.space) for part in parts)
        library = Library(text)
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        self.begin, self.weigh, self.limit, self.rescale = (
            library.function(name, None, pointer, pointer) for name in ("begin", "weigh", "limit", "rescale")
        )
        self.carry_on = library.function("carry_on", None, pointer, ctypes.c_double)
        self.advance = library.function("advance", None, *[pointer] * 5)
        self.sample = library.function(
            "sample", None, pointer, whole, pointer, pointer, pointer, whole, pointer, pointer, pointer
        )


loop_for = lru_cache(maxsize=64)(NativeLoop)


class View(Protocol):
    """Natural coordinates of a mechanism whose motion is computed in other coordinates. States and rates have the same
    extra states in both."""

    def own(self, t: float, y: Vector) -> Vector:
        """The state in the other coordinates, of a state in natural ones."""

    def natural(self, t: Vector, y: Vector, rates: Vector | None = None) -> tuple[Vector, Vector]:
        """States and rates in natural coordinates, given those in the other ones, each (rows, …); rates that are not
        given count as zero."""


class NativeEquations:
    """The native functions of a mechanism, `derivative` and `project` (see `step`), called at given states.

    sizes         of a state and its rates
    coefficients  numbers of the mechanism that are not part of its machine code
    jacobian      makes the library of the function `jacobian`, when a method first needs it (see `jacobian`)
    view          natural coordinates, if the mechanism's own coordinates are others
    work          what the time of a step depends on
    """

    def __init__(
        self,
        library: Library,
        sizes: Sizes,
        coefficients: ArrayLike = (),
        jacobian: Callable[[], Library] | None = None,
        view: View | None = None,
        work: Dimensions | None = None,
    ) -> None:
        pointer = ctypes.c_void_p
        self.sizes, self.view, self.work = sizes, view, work or Dimensions(sizes)
        self.coefficients = np.array(coefficients, dtype=float)
        self.library, self.from_cache = library, library.from_cache
        self._derivative = library.function("derivative", None, *[pointer] * 3)
        self._project = library.function("project", None, *[pointer] * 3)
        self._library, self._make_jacobian = library, jacobian
        names = ("derivative", "project", "hold") if sizes.sample else ("derivative", "project")
        self._addresses = {name: library.address(name) for name in names}
        self._blank: dict[Workspace, Vector] = {}

    def derivative(self, t: float, y: ArrayLike) -> Vector:
        """The rates at time t and state y = [q, v, e]."""
        x, out = self._point(t, y), np.empty(self.sizes.rates)
        self._derivative(address(x), address(self.coefficients), address(out))
        return out

    def derivatives(self, t: Vector, y: Vector) -> Vector:
        """The rates at several times and states, (rows, rates)."""
        x, out = np.column_stack([t, y]), np.empty((len(t), self.sizes.rates))
        first, c, into = address(x), address(self.coefficients), address(out)
        for row in range(len(t)):
            self._derivative(first + row * x.strides[0], c, into + row * out.strides[0])
        return out

    def project(self, t: float, y: ArrayLike) -> tuple[Vector, float]:
        """The state projected onto the constraints, and the remaining position violation, m."""
        x, out = self._point(t, y), np.empty(self.sizes.size + 1)
        self._project(address(x), address(self.coefficients), address(out))
        return out[:-1], float(out[-1]) ** 0.5

    def seen(self, t: Vector, y: Vector, rates: Vector) -> tuple[Vector, Vector]:
        """States and their rates in natural coordinates, given those in the mechanism's own, each (rows, …)."""
        return (y, rates) if self.view is None else self.view.natural(t, y, rates)

    def workspace(self, space: Workspace, events: int = 0) -> Vector:
        """A workspace with the addresses of the mechanism's functions and of the watched function."""
        if space not in self._blank:
            blank = np.zeros(space.places["all"])
            places = {**self._addresses, "coefficients": address(self.coefficients)}
            places |= {name: self._further(name) for name in space.method.needs}
            for name, place in places.items():
                blank.view(np.uint64)[space.address_of(name)] = place
            self._blank[space] = blank
        work = self._blank[space].copy()
        if events:
            work.view(np.uint64)[space.address_of("events")] = events
        return work

    def jacobian(self, t: float, y: ArrayLike) -> Vector:
        """The derivatives of the rates with respect to [t, q, v, e], (rates, 1 + size); those with respect to works are
        zero."""
        sizes = self.sizes
        x, out = self._point(t, y), np.zeros(sizes.rates * (1 + sizes.size) + LANES)
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(self._further("jacobian"))
        function(address(x), address(self.coefficients), address(out))
        return out[:-LANES].reshape(sizes.rates, 1 + sizes.size)

    def _further(self, name: str) -> int:
        """The address of a function that only some methods need."""
        library = self._library if self._library.has(name) else self._with_jacobian
        return library.address(name)

    @cached_property
    def _with_jacobian(self) -> Library:
        if self._make_jacobian is None:
            raise ModelError(
                "Implicit methods need a Jacobian, which these equations do not have; choose another method."
            )
        return self._make_jacobian()

    def _point(self, t: float, y: ArrayLike) -> Vector:
        """x = [t, q, v, e]."""
        x = np.empty(1 + self.sizes.size)
        x[0] = t
        x[1:] = y
        return x


class Counted:
    """The equations of motion for one run: evaluations are counted, and vectors are allocated once."""

    def __init__(self, equations: NativeEquations, control: Control) -> None:
        self.sizes, self.equations, self.control = equations.sizes, equations, control

    @cached_property
    def _vectors(self) -> tuple[Vector, Vector, Vector]:
        """x, the rates, and the output of the projection: most runs need none of them."""
        size = self.sizes.size
        return np.empty(1 + size), np.empty(self.sizes.rates), np.empty(size + 1)

    @cached_property
    def _places(self) -> list[int]:
        return [address(vector) for vector in self._vectors]

    def derivative(self, t: float, y: Vector) -> Vector:
        self.control.evaluations += 1
        x, rates, _ = self._vectors
        x[0], x[1:] = t, y
        self.equations._derivative(self._places[0], address(self.equations.coefficients), self._places[1])
        return rates.copy()

    def projected(self, t: float, y: Vector) -> Vector:
        self.control.projections += 1
        x, _, end = self._vectors
        x[0], x[1:] = t, y
        self.equations._project(self._places[0], address(self.equations.coefficients), self._places[2])
        return end[:-1].copy()


class DenseOutput:
    """States and derivatives between the steps of a run, in workspaces of its own."""

    def __init__(self, equations: NativeEquations) -> None:
        self.equations = equations
        self._native: dict[Method, tuple[NativeLoop, Vector, int]] = {}

    def __call__(self, t: Vector, y: Vector, records: StepRecords, at: Vector) -> tuple[Vector, Vector]:
        """States and derivatives at the times `at`, inside the steps between consecutive times t with states y."""
        spans = records.spans()
        if len(spans) == 1:
            return self._sample(spans[0][0], t, y, records.inner, at)
        forward = 1.0 if t[-1] >= t[0] else -1.0
        begins = forward * np.array([t[rows.start] for _, rows in spans[1:]])
        place = np.searchsorted(begins, forward * at, side="right")
        found = [
            self._sample(method, t[rows], y[rows], records.inner[rows], at[place == k])
            for k, (method, rows) in enumerate(spans)
        ]
        states, derivatives = (np.concatenate(x) for x in zip(*found, strict=True))
        return states, derivatives

    def _sample(self, method: Method, t: Vector, y: Vector, inner: Vector, at: Vector) -> tuple[Vector, Vector]:
        """The same inside steps of one method."""
        if method not in self._native:
            loop = loop_for(method, self.equations.sizes)
            work = self.equations.workspace(loop.space)
            self._native[method] = loop, work, address(work)
        loop, _, place = self._native[method]
        sizes = loop.space.sizes
        given = [np.ascontiguousarray(x) for x in (t, y, inner[:, : width(method, sizes)])]
        at = np.ascontiguousarray(at)
        states, derivatives = np.empty((len(at), sizes.size)), np.empty((len(at), sizes.rates))
        places = address(at), address(states), address(derivatives)
        loop.sample(place, len(t) - 1, *map(address, given), len(at), *places)
        return states, derivatives
