"""Joint reactions along a trajectory: see `find` for the way, `result` for what is handed over."""

from grashof.reactions.find import reactions
from grashof.reactions.result import Reactions

__all__ = ["Reactions", "reactions"]
