"""The machine code of a mechanism whose numbers are all known."""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from grashof.branch.equations import Branch
from grashof.common.sources import digest
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.relative.equations import Relative
from grashof.formulation.relative.start import relative_coordinates
from grashof.integrate import Integrator
from grashof.integrate.jacobian import jacobian_library
from grashof.program.examination import Examiner
from grashof.program.native import over_rows
from grashof.tape import Library, Tape, library_of, trace

Vector = NDArray[np.float64]


def compile_dynamics(
    dynamics: Dynamics, branch: Branch | None, name: str | None = None, relative: Relative | None = None
) -> tuple[Integrator, tuple[int, int]]:
    """Accelerations and projection as machine code, and how many statements each has; cached under the name, if one is
    given.

    The library also has the functions by which runs are examined. The motion is computed in relative coordinates, if
    these are given.
    """
    running: Dynamics | Relative = relative or dynamics
    layout = running.layout

    def tapes() -> dict[str, Tape]:
        size = 1 + layout.size
        return {
            "derivative": trace(lambda x, _: running.derivative(x), size, 0),
            "project": trace(lambda x, _: running.project(x), size, 0),
            **({} if relative is None else {"naturally": NaturalStates.tape(relative)}),
            **Examiner(dynamics, branch).tapes(),
        }

    written = any(force.code is not None for force in dynamics.model.forces)
    library, statements = library_of(tapes, None if written else name)

    @cache
    def jacobian() -> Library:
        rates = trace(lambda x, _: running.derivative(x), 1 + layout.size, 0)
        return jacobian_library(rates, layout.sizes)

    view = None if relative is None else NaturalStates(relative, library)
    integrator = Integrator(library, layout.sizes, jacobian=jacobian, view=view)
    return integrator, (statements["derivative"], statements["project"])


class NaturalStates:
    """Natural coordinates of a mechanism whose motion is computed in relative ones (see `integrate.native.View`)."""

    def __init__(self, relative: Relative, library: Library) -> None:
        self.relative, self.library = relative, library
        self._own = lru_cache(maxsize=4)(self._find_own)

    @staticmethod
    def tape(relative: Relative) -> Tape:
        """Natural coordinates, velocities and accelerations as a function of [t, y, v̇]."""
        size, count = 1 + relative.layout.size, relative.layout.nv
        return trace(lambda x, _: relative.naturally(x[:size], x[size:]), size + count, 0)

    def own(self, t: float, y: Vector) -> Vector:
        """The state in relative coordinates, of a state in natural ones."""
        return self._own(y.tobytes()).copy()

    def _find_own(self, data: bytes) -> Vector:
        y, layout = np.frombuffer(data), self.relative.natural.layout
        q, v = relative_coordinates(self.relative, y[layout.of_q].tolist(), y[layout.of_v].tolist())
        return np.concatenate([q, v, y[layout.of_e]])

    def natural(self, t: Vector, y: Vector, rates: Vector | None = None) -> tuple[Vector, Vector]:
        """States and rates in natural coordinates, given those in relative ones."""
        layout, n = self.relative.layout, self.relative.natural.n
        rates = np.zeros((len(y), layout.sizes.rates)) if rates is None else rates
        x = np.column_stack([t, y, rates[:, layout.of_a]])
        found = over_rows(self.library.address("naturally"), x, np.empty((len(x), 0)), 3 * n)
        states = np.column_stack([found[:, : 2 * n], y[:, layout.of_e]])
        return states, np.column_stack([found[:, 2 * n :], rates[:, layout.of_a.stop :]])


def cache_name(*parts: object) -> str:
    """A key for the cache: this version of the package, and the data from which something is made."""
    return " ".join([digest(), *(msgspec.json.encode(part).decode() for part in parts)])
