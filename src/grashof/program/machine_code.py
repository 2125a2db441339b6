"""The machine code of a mechanism whose numbers are all known."""

from __future__ import annotations

from functools import cache

import msgspec

from grashof.branch.equations import Branch
from grashof.common.sources import digest
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.protocol import Formulation
from grashof.formulation.relative.equations import Relative
from grashof.formulation.sampling import sample
from grashof.integrate import Integrator
from grashof.integrate.jacobian import jacobian_library
from grashof.integrate.work import Dimensions
from grashof.program.examination import Examiner
from grashof.program.natural_states import NaturalStates
from grashof.singular.sides import further_tapes
from grashof.tape import Library, Tape, library_of, trace


def compile_dynamics(
    dynamics: Dynamics, branch: Branch | None, name: str | None = None, relative: Relative | None = None
) -> tuple[Integrator, tuple[int, int]]:
    """Accelerations and projection as machine code, and how many statements each has; cached under the name, if one is
    given.

    The library also has the functions by which runs are examined. The motion is computed in relative coordinates, if
    these are given.
    """
    running: Formulation = relative or dynamics
    layout = running.layout

    def tapes() -> dict[str, Tape]:
        size = 1 + layout.size
        return {
            "derivative": trace(lambda x, _: running.derivative(x), size, 0),
            "project": trace(lambda x, _: running.project(x), size, 0),
            **({"hold": trace(lambda x, _: sample(running, x), size, 0)} if dynamics.model.sampled else {}),
            **({} if relative is None else NaturalStates.tapes(relative)),
            **Examiner(dynamics, branch).tapes(),
            **further_tapes(running, redundant=bool(relative.redundant if relative else dynamics.redundant)),
        }

    written = any(force.code is not None for force in dynamics.model.forces)
    library, statements = library_of(tapes, None if written else name)

    @cache
    def jacobian() -> Library:
        rates = trace(lambda x, _: running.derivative(x), 1 + layout.size, 0)
        return jacobian_library(rates, layout.sizes)

    view = None if relative is None else NaturalStates(relative, library)
    (derivative, evaluating), (project, projecting) = statements["derivative"], statements["project"]
    work = Dimensions(layout.sizes, evaluating, projecting)
    return Integrator(library, layout.sizes, jacobian=jacobian, view=view, work=work), (derivative, project)


def cache_name(*parts: object) -> str:
    """A key for the cache: this version of the package, and the data from which something is made."""
    return " ".join([digest(), *(msgspec.json.encode(part).decode() for part in parts)])
