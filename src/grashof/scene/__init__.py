"""A motion as something to look at: symbols once, poses for each frame. Every viewer, page and picture is made from this description."""

from grashof.scene.describe import describe, describe_model
from grashof.scene.types import Scene

__all__ = ["Scene", "describe", "describe_model"]
