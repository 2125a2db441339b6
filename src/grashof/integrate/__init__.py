"""Native integration: methods with projection on the constraints, adaptive steps and dense output."""

from grashof.integrate.events import Occurrence, Trigger, Watch
from grashof.integrate.integrator import Integrator
from grashof.integrate.methods import METHODS, Choice, Method, choose
from grashof.integrate.run import FIXED_STEPS, Run, Settings, Stretch
from grashof.integrate.steps import Companion, Counters, Steps, comparable

__all__ = [
    "FIXED_STEPS",
    "METHODS",
    "Choice",
    "Companion",
    "Counters",
    "Integrator",
    "Method",
    "Occurrence",
    "Run",
    "Settings",
    "Steps",
    "Stretch",
    "Trigger",
    "Watch",
    "choose",
    "comparable",
]
