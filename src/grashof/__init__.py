"""Grashof simulates mechanisms: rigid bodies, joints, closed loops.

>>> import grashof as gr
>>> m = gr.Mechanism("pendulum", gravity=(0, -9.81))
>>> rod = m.bar("rod", length=1.0, mass=1.0)
>>> pin = m.revolute(m.ground.at(0, 0), rod.start)
>>> run = gr.simulate(m, 1.0)
>>> print(run.status)
Finished at t = 1 s.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from grashof._version import __version__
from grashof.common.provided import provide

if TYPE_CHECKING:
    from grashof import lab as lab
    from grashof.assembly.assemble import Assembly
    from grashof.common.errors import ModelError
    from grashof.common.progress import Part
    from grashof.common.status import Status
    from grashof.examples import example, gallery
    from grashof.exchange import load, save
    from grashof.exchange.auditing import audit
    from grashof.freedoms.mobility import mobility
    from grashof.freedoms.report import Mobility
    from grashof.integrate import Occurrence
    from grashof.model.bodies import RigidBody
    from grashof.model.couplings import Motor, Worm
    from grashof.model.couplings.profile import OnCurve
    from grashof.model.events import Event
    from grashof.model.forces import Bushing, Controller, Friction, Stop, UserForce
    from grashof.model.mechanism import Mechanism
    from grashof.model.model import Model
    from grashof.model.parameters import numbers, with_numbers
    from grashof.model.tables import Table, table
    from grashof.motion.trajectory import Trajectory
    from grashof.portable.export import export
    from grashof.portable.links import links
    from grashof.program import Program, build
    from grashof.questions.equilibrium import equilibrium
    from grashof.questions.interference import interference
    from grashof.questions.kinematics import kinematics
    from grashof.questions.linkage import linkage
    from grashof.questions.modes import modes
    from grashof.questions.motion_equations import EquationsOfMotion, equations
    from grashof.questions.state_space import state_space
    from grashof.questions.synthesis.functions import four_bar_for_function
    from grashof.questions.synthesis.paths import four_bar_for_path
    from grashof.questions.synthesis.positions import four_bar_for_positions
    from grashof.reactions import Reactions
    from grashof.reports.import_report import import_report
    from grashof.scalar.functions import (
        absolute,
        atan2,
        cos,
        exp,
        log,
        maximum,
        minimum,
        sign,
        sin,
        sqrt,
        tan,
        tanh,
        where,
    )
    from grashof.sensitivity.find import sensitivities
    from grashof.sensitivity.objective import Objective
    from grashof.simulation.simulate import simulate, stream
    from grashof.sweeps.run import sweep
    from grashof.sweeps.table import Sweep

__all__ = [
    "Assembly",
    "Bushing",
    "Controller",
    "EquationsOfMotion",
    "Event",
    "Friction",
    "Mechanism",
    "Mobility",
    "Model",
    "ModelError",
    "Motor",
    "Objective",
    "Occurrence",
    "OnCurve",
    "Part",
    "Program",
    "Reactions",
    "RigidBody",
    "Status",
    "Stop",
    "Sweep",
    "Table",
    "Trajectory",
    "UserForce",
    "Worm",
    "__version__",
    "absolute",
    "assemble",
    "atan2",
    "audit",
    "build",
    "cos",
    "equations",
    "equilibrium",
    "example",
    "exp",
    "export",
    "four_bar_for_function",
    "four_bar_for_path",
    "four_bar_for_positions",
    "gallery",
    "import_report",
    "interference",
    "kinematics",
    "linkage",
    "links",
    "load",
    "log",
    "maximum",
    "minimum",
    "mobility",
    "modes",
    "numbers",
    "save",
    "sensitivities",
    "sign",
    "simulate",
    "sin",
    "sqrt",
    "state_space",
    "stream",
    "sweep",
    "table",
    "tan",
    "tanh",
    "where",
    "with_numbers",
]

_HOMES = {
    "Assembly": "assembly.assemble",
    "Bushing": "model.forces",
    "Controller": "model.forces",
    "Event": "model.events",
    "Friction": "model.forces",
    "Mechanism": "model.mechanism",
    "Mobility": "freedoms.report",
    "Model": "model.model",
    "ModelError": "common.errors",
    "Motor": "model.couplings",
    "Objective": "sensitivity.objective",
    "Occurrence": "integrate",
    "OnCurve": "model.couplings.profile",
    "Part": "common.progress",
    "Program": "program",
    "Reactions": "reactions",
    "RigidBody": "model.bodies",
    "Status": "common.status",
    "Stop": "model.forces",
    "Sweep": "sweeps.table",
    "Table": "model.tables",
    "Trajectory": "motion.trajectory",
    "UserForce": "model.forces",
    "Worm": "model.couplings",
    "audit": "exchange.auditing",
    "build": "program",
    "equilibrium": "questions.equilibrium",
    "example": "examples",
    "export": "portable.export",
    "four_bar_for_function": "questions.synthesis.functions",
    "four_bar_for_path": "questions.synthesis.paths",
    "four_bar_for_positions": "questions.synthesis.positions",
    "gallery": "examples",
    "import_report": "reports.import_report",
    "interference": "questions.interference",
    "kinematics": "questions.kinematics",
    "linkage": "questions.linkage",
    "links": "portable.links",
    "load": "exchange",
    "mobility": "freedoms.mobility",
    "modes": "questions.modes",
    "EquationsOfMotion": "questions.motion_equations",
    "equations": "questions.motion_equations",
    "numbers": "model.parameters",
    "save": "exchange",
    "sensitivities": "sensitivity.find",
    "simulate": "simulation.simulate",
    "state_space": "questions.state_space",
    "stream": "simulation.simulate",
    "sweep": "sweeps.run",
    "table": "model.tables",
    "with_numbers": "model.parameters",
}
"""Where the public names live; what is not listed is a mathematical function. `lab` is a module of its own."""

# what mechanisms and results show of themselves, and what is calculated from them
provide(
    {
        "animate": "grashof.show.animation",
        "data_frame": "grashof.show.tables",
        "draw": "grashof.show.drawing",
        "draw_model": "grashof.show.drawing",
        "in_notebook": "grashof.view",
        "objective": "grashof.sensitivity.objective",
        "plot": "grashof.show.plots",
        "plot_histories": "grashof.show.plots",
        "reactions": "grashof.reactions",
        "save_table": "grashof.show.tables",
        "shown": "grashof.view",
        "shown_live": "grashof.live",
        "to_csv": "grashof.show.tables",
    }
)


def assemble(mechanism: Mechanism | Model, *, fit: float | None = None) -> Assembly:
    """Assembles a mechanism, and returns its consistent start; raises ModelError with the reason if there is none.
    `fit` is as in `build`, and masses may be left out."""
    from grashof.assembly.assembled_model import assemble_model
    from grashof.assembly.fitting import with_fitting_geometry
    from grashof.common.blas import one_thread
    from grashof.model.mechanism import as_model

    with one_thread():
        return with_fitting_geometry(
            as_model(mechanism), fit, lambda nearest: assemble_model(nearest, massless=True).assembly
        )


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, so that importing the package takes no time."""
    if name == "lab":
        value = importlib.import_module("grashof.lab")
    elif name in __all__:
        value = getattr(importlib.import_module(f"grashof.{_HOMES.get(name, 'scalar.functions')}"), name)
    else:
        from grashof.common.errors import did_you_mean

        raise AttributeError(f"module 'grashof' has no attribute '{name}'; {did_you_mean(name, __all__)}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "lab"]
