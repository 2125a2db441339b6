"""Native integration: methods with projection on the constraints, adaptive steps and dense output."""

from grashof.integrate.integrator import Counters, Integrator, Steps
from grashof.integrate.methods import METHODS, Choice, Method, choose

__all__ = ["METHODS", "Choice", "Counters", "Integrator", "Method", "Steps", "choose"]
