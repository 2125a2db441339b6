"""Native adaptive integration: DOP853 with projection on the constraints and dense output."""

from grashof.integrate.integrator import Counters, Integrator, Steps, integrator_ir

__all__ = ["Counters", "Integrator", "Steps", "integrator_ir"]
