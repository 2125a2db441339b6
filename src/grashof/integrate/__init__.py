"""Native integration: methods with projection on the constraints, adaptive steps and dense output."""

from grashof.integrate.events import Change, Occurrence, Trigger, Watch
from grashof.integrate.integrator import Integrator
from grashof.integrate.methods import EXPLICIT, METHODS, Choice, Explicit, Method, choose
from grashof.integrate.recording import Stretch
from grashof.integrate.run import Run
from grashof.integrate.settings import FIXED_STEPS, Settings, Spacing
from grashof.integrate.steps import Companion, Counters, Extract, Steps, comparable

__all__ = [
    "EXPLICIT",
    "FIXED_STEPS",
    "METHODS",
    "Change",
    "Choice",
    "Companion",
    "Counters",
    "Explicit",
    "Extract",
    "Integrator",
    "Method",
    "Occurrence",
    "Run",
    "Settings",
    "Spacing",
    "Steps",
    "Stretch",
    "Trigger",
    "Watch",
    "choose",
    "comparable",
]
