"""Checks that joints suit the dimension of a mechanism."""

from __future__ import annotations

import msgspec

from grashof.common.errors import ModelError
from grashof.model.joints import PLANAR, SPATIAL, Joint
from grashof.model.model import Model


def check_joint(joint: Joint, model: Model) -> None:
    """Checks one joint: its type, then its own fields."""
    owner = f"Joint '{joint.name}'"
    if model.dimension not in joint.dimensions:
        allowed, where = (PLANAR, "in the plane") if model.dimension == 2 else (SPATIAL, "in space")
        names = ", ".join(_kind(kind) for kind in allowed)
        other = "" if model.dimension == 3 else " For a mechanism in space, set its dimension to 3."
        raise ModelError(
            f"{owner}: there is no joint of type '{_kind(type(joint))}' {where}, and the mechanism has dimension "
            f"{model.dimension}; the joints {where} are {names}.{other}"
        )
    joint.check(owner, model)


def _kind(joint: type[msgspec.Struct]) -> str:
    return str(joint.__struct_config__.tag)
