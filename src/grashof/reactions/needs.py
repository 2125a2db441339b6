"""Newton's and Euler's equations: the wrench that every body needs from its joints and motors to move as it does.

    f = m (c̈ − g) − Σ f_loads,        m_c = Ḣ_c − Σ m_loads

c is the centre of mass. With principal second moments s_k = ∫ x_k² dm along unit axes u_k fixed in the body, the
angular momentum is H_c = Σ s_k u_k × u̇_k, so that Ḣ_c = Σ s_k u_k × ü_k: it needs no angular velocity, and a bar that
has no spin coordinate needs no spin. In the plane Ḣ_c = I_z (u × ü) with any one axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.grips import holds
from grashof.formulation.natural.resting import pushes
from grashof.formulation.natural.rigid import RigidFields
from grashof.freedoms.joint_twists import Array, gradient, values
from grashof.model.bodies import GROUND, Body
from grashof.model.fields import body_of
from grashof.scalar.functions import Scalar


@dataclass(frozen=True, eq=False)
class States:
    """A motion at given times: t (times,), q, v, a (times, n), extra states e (times, k)."""

    t: Array
    q: Array
    v: Array
    a: Array
    e: Array


def needs_of_bodies(dynamics: Dynamics, states: States, rigid: RigidFields, center: Array) -> dict[str, Array]:
    """By body, the wrench (f, m/ℓ) at `center` that it needs beyond gravity and the model's forces, (times, 3 or 6)."""
    model, times = dynamics.model, len(center)
    needs = {body.name: _inertial(body, dynamics, states, rigid, center) for body in model.bodies}
    motion = dynamics.loaded(dynamics.state([states.t, *states.q.T, *states.v.T, *states.e.T]))
    for force in model.acting:
        for target, effort in force.loads(motion):
            measure = model.target(target)
            if measure is not None:
                for body in set(measure.bodies) - {GROUND}:
                    needs[body] -= _column(effort[0], times) * gradient(measure, rigid, body, center)
            elif isinstance(target, str) and body_of(target) != GROUND:
                place = values(rigid.point(target), times)
                push = np.hstack([_column(x, times) for x in effort])
                needs[body_of(target)] -= _wrench(place - center, push, rigid.length)
    for name, inertance in model.inertances:
        measure = model.quantities[name]
        speeding = measure.value(measure.parts(rigid)).second
        for body in set(measure.bodies) - {GROUND}:
            needs[body] += _column(inertance * speeding, times) * gradient(measure, rigid, body, center)
    for name, push in (*pushes(dynamics, motion), *holds(dynamics, motion)):
        measure = model.quantities[name]
        for body in set(measure.bodies) - {GROUND}:
            needs[body] -= _column(push, times) * gradient(measure, rigid, body, center)
    return needs


def _inertial(body: Body, dynamics: Dynamics, states: States, rigid: RigidFields, center: Array) -> Array:
    """(m (c̈ − g), Ḣ/ℓ), moved from the centre of mass to `center`."""
    system = dynamics.system
    times, dimension, length = len(center), system.dimension, system.length
    frame = system.frames[body.name]
    # from the body's own origin, rigidly, to its centre of mass
    arm = rigid.arrow(body.name, tuple(np.subtract(body.mass_center(dimension), frame.origin_local) / length))
    q, a = list(states.q.T), list(states.a.T)
    place = np.hstack([_column(f.at(q) + x.value, times) for f, x in zip(frame.origin, arm, strict=True)])
    speeding = np.hstack([_column(f.rate(a) + x.second, times) for f, x in zip(frame.origin, arm, strict=True)])
    gravity = np.zeros(dimension)
    gravity[: len(system.model.gravity)] = system.model.gravity
    need = _wrench(place - center, body.mass * (speeding - gravity), length)
    moments = [(body.planar_inertia, np.array([1.0, 0.0]))] if dimension == 2 else body.second_moments()
    for second, axis in moments:
        u = rigid.arrow(body.name, tuple(axis / length))
        turning = np.hstack([_column(x.second, times) for x in u])
        need[:, dimension:] += second * _cross(values(u, times), turning) / length
    return need


def _wrench(arm: Array, force: Array, length: float) -> Array:
    """A force at the end of an arm, as (f, arm × f / ℓ)."""
    return np.hstack([force, _cross(arm, force) / length])


def _cross(a: Array, b: Array) -> Array:
    if a.shape[1] == 2:
        return np.asarray(a[:, :1] * b[:, 1:] - a[:, 1:] * b[:, :1])
    return np.asarray(np.cross(a, b))


def _column(x: Scalar, times: int) -> Array:
    return np.broadcast_to(np.asarray(x, float), times)[:, None]
