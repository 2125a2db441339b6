"""Joint reactions along a trajectory: see `find` for the method, `result` for the result."""

from grashof.reactions.find import reactions
from grashof.reactions.result import Reactions

__all__ = ["Reactions", "reactions"]
