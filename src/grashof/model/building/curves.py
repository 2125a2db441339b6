"""Pins, rollers and flat faces on curves, as methods of the builder."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any

from grashof.common.errors import ModelError
from grashof.model.building.base import Methods, usual_name
from grashof.model.couplings import Curve, Normal
from grashof.model.given import Number
from grashof.model.handles import Line, Point, Profile, own_line, own_point

if TYPE_CHECKING:
    from grashof.model.mechanism import Mechanism


class CurveMethods(Methods):
    """Couplings with curves, for the builder."""

    def pin_on_curve(self, curve: Profile, pin: Point, *, name: str | None = None) -> None:
        """Keeps a point on a curve of another body, such as cam.curve(radius="0.05 + 0.01*cos(phi)") (plane)."""
        m = self._mechanism
        m._couplings.append(Curve(name=usual_name(name, "curve", pin), **_on_curve(m, curve, pin)))

    def roller(
        self, curve: Profile, center: Point, *, radius: Number, inside: bool = False, name: str | None = None
    ) -> None:
        """A roller, centred at a point, that touches a curve of another body from outside, or from `inside` (plane).

        It is modelled by a massless bar, `NAME contact`, from the centre of the roller to the contact point, whose end
        stays on the curve and which stays normal to it. It transmits only the normal force, since a real roller is free
        to turn.
        """
        m = self._mechanism
        called = usual_name(name, "roller", center)
        bar = m.bar(
            f"{called} contact".replace(".", " "), length=m._number(f"Coupling '{called}': radius", radius, "m")
        )
        m.revolute(own_point(m, center), bar.start)
        m._couplings.append(Curve(name=called, **_on_curve(m, curve, bar.end)))
        m._couplings.append(Normal(name=f"{called} normal", **_on_curve(m, curve, bar.end), inside=bool(inside)))

    def flat_face(self, curve: Profile, face: Line, *, name: str | None = None) -> None:
        """A flat-faced follower: a straight face that touches a curve of another body to the left of its direction
        (plane).

        It is modelled by a massless body, `NAME contact`, that slides along the face, with its origin on the curve and
        one axis normal to it.
        """
        m = self._mechanism
        called = usual_name(name, "face", own_line(m, face).point)
        contact = m.body(f"{called} contact".replace(".", " "))
        m.slider(face, contact.line((0, 0), (0, -1)), name=called)
        touching = contact.at(0, 0)
        m._couplings.append(Curve(name=called, **_on_curve(m, curve, touching)))
        m._couplings.append(Normal(name=f"{called} normal", **_on_curve(m, curve, touching)))


def _on_curve(m: Mechanism, curve: Profile, point: Point) -> dict[str, Any]:
    """The fields of a coupling between a point and a curve."""
    if not isinstance(curve, Profile):
        raise ModelError(f"{reprlib.repr(curve)} is not a curve; take one from a body, such as cam.curve(radius=…).")
    fields = {field: getattr(curve, field) for field in ("implicit", "y", "radius", "points", "closed")}
    return fields | {"point": str(own_point(m, point)), "origin": str(own_point(m, curve.origin))}
