"""Native integration: methods with projection on the constraints, adaptive steps and dense output."""

from grashof.integrate.integrator import FIXED_STEPS, Companion, Counters, Integrator, Steps
from grashof.integrate.methods import METHODS, Choice, Method, choose

__all__ = ["FIXED_STEPS", "METHODS", "Choice", "Companion", "Counters", "Integrator", "Method", "Steps", "choose"]
