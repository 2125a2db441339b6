"""The description of a motion for drawing: symbols once, and poses for each frame. Every viewer, page and picture is
made from it."""

from grashof.scene.describe import describe, describe_model
from grashof.scene.types import Scene

__all__ = ["Scene", "describe", "describe_model"]
