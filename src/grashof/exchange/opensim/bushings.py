"""Bushings of OpenSim's documents.

With x the place of the second frame in the first one, and R = R_x(α) R_y(β) R_z(γ) its orientation there, the forces
along x, α, β and γ are −k x − c ẋ and −κ α − d α̇ (and so on). Grashof's bushing has the same translations, but its
angles agree only to first order, so OpenSim's three angles are expressed explicitly:

    α   the angle about x of the first frame from its z axis to the z axis of the second
    γ   the angle about z of the second frame, against it, from its x axis to the x axis of the first
    β   asin(z₂ · x₁), with z₂ · x₁ the difference of the coordinates along x₁ of two points of the second body that are
        1 m apart along z₂
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grashof.exchange.frames import column, rotation
from grashof.exchange.moves import Frame
from grashof.exchange.parsing import child_vector
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element
from grashof.model.forces import Bushing, Pull, TorsionSpring
from grashof.model.measures import Angle, Coordinate

if TYPE_CHECKING:
    from grashof.exchange.opensim.reader import OpenSimReader


def add_bushing(reader: OpenSimReader, force: Element, name: str) -> None:
    """A BushingForce between two frames."""
    draft = reader.draft
    (first, (place_a, axes_a)), (second, (place_b, axes_b)) = (_end(reader, force, k) for k in (1, 2))
    if first == second:
        raise NotOurs("it acts between two frames of one body")
    k, c, twisting, thick = (
        child_vector(force, f"{of}_{what}")
        for of in ("translational", "rotational")
        for what in ("stiffness", "damping")
    )
    a = draft.point(first, f"{name}_1", place_a, any_name=True)
    b = draft.point(second, f"{name}_2", place_b, any_name=True)
    (x_a, y_a, z_a), (x_b, y_b, z_b) = ([column(axes, i) for i in range(3)] for axes in (axes_a, axes_b))
    if any(k) or any(c):
        damping = c if any(c) else ()
        draft.push(
            Bushing(
                name=name, a=a, b=b, stiffness=k, damping=damping, axis_a=x_a, normal_a=y_a, axis_b=x_b, normal_b=y_b
            )
        )
    if twisting[0] or thick[0]:
        angle = draft.measure(Angle(f"{name}_rx", second, first, x_a, z_a, z_b))
        draft.push(TorsionSpring(name=f"{name} rx", angle=angle, stiffness=twisting[0], damping=thick[0]))
    if twisting[1] or thick[1]:
        _tilt(reader, name, (a, b), (x_a, z_b), (twisting[1], thick[1]))
    if twisting[2] or thick[2]:
        angle = draft.measure(Angle(f"{name}_rz", first, second, tuple(-x for x in z_b), x_b, x_a))
        draft.push(TorsionSpring(name=f"{name} rz", angle=angle, stiffness=twisting[2], damping=thick[2]))


def _tilt(
    reader: OpenSimReader,
    name: str,
    ends: tuple[str, str],
    along: tuple[tuple[float, ...], tuple[float, ...]],
    law: tuple[float, float],
) -> None:
    """β = asin s: the torque along it is a pull of τ / cos β along s, which is the difference of two coordinates."""
    draft, (a, b), (x_a, z_b), (stiffness, damping) = reader.draft, ends, along, law
    body, _, point = b.rpartition(".")
    tip = draft.point(
        body, f"{point}_tip", tuple(float(x) for x in np.array(draft.points[body][point]) + np.array(z_b))
    )
    far, near = (draft.measure(Coordinate(f"{name}_{what}", p, x_a, a)) for what, p in (("tip", tip), ("foot", b)))
    sine, rate = f"(`{far}` - `{near}`)", f"(`{far}.rate` - `{near}.rate`)"
    cosine = f"sqrt(1 - {sine}**2)"
    effort = f"(-{stiffness!r}*asin({sine}) - {damping!r}*{rate}/{cosine})/{cosine}"
    draft.push(Pull(name=f"{name} ry", measure=far, force=effort))
    draft.push(Pull(name=f"{name} ry, back", measure=near, force=f"-({effort})"))


def _end(reader: OpenSimReader, force: Element, number: int) -> tuple[str, Frame]:
    if force.value(f"body_{number}"):  # version 3
        body, *_ = reader.frame(force, force.value(f"body_{number}"))
        turned = rotation(child_vector(force, f"orientation_body_{number}"))
        return body, (child_vector(force, f"location_body_{number}"), turned)
    body, frame, *_ = reader.frame(force, reader.socket(force, f"frame{number}"))
    return body, frame
