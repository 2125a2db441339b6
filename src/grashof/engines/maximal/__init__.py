"""Rigid bodies in maximal coordinates, for integrators that know nothing of mechanics (SciPy, SUNDIALS).

State of a body: its centre of mass c, a quaternion w, x, y, z, the velocity ċ and the angular velocity ω in world axes. The joints
are their own equations Φ(t, q) = 0, index reduced: Φ̈ = J u̇ + bias = 0.

    expressions   the joints' equations as polynomials of the bodies' centres and axes, evaluated together
    saddle        the linear systems of accelerations and of corrections, at any rank of J
    equations     the equations of motion, and the way back to the joints
    engine        what their integrators have in common
"""

from grashof.engines.maximal.engine import MaximalEngine
from grashof.engines.maximal.equations import MaximalEquations

__all__ = ["MaximalEngine", "MaximalEquations"]
