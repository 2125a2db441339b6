"""Mechanisms some of whose numbers are left open: compiled once, run for any values of them."""

from grashof.opened.compiling import open_program
from grashof.opened.program import OpenProgram, Starts

__all__ = ["OpenProgram", "Starts", "open_program"]
