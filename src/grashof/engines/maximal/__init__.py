"""Rigid bodies in maximal coordinates, for general integrators of differential equations (SciPy, SUNDIALS).

State of a body: its centre of mass c, a quaternion w, x, y, z, the velocity ċ and the angular velocity ω in world axes.
The joints are equations Φ(t, q) = 0 with reduced index: Φ̈ = J u̇ + bias = 0.

    expressions   the joints' equations as polynomials of the bodies' centres and axes, evaluated together
    saddle        the linear systems of accelerations and of corrections, at any rank of J
    equations     the equations of motion, and the projection onto the joint equations
    engine        the code that the integrators share
"""

from grashof.engines.maximal.engine import MaximalEngine
from grashof.engines.maximal.equations import MaximalEquations

__all__ = ["MaximalEngine", "MaximalEquations"]
