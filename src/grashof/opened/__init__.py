"""Mechanisms with open numbers, that is, parameters whose values are chosen after compilation: compiled once, run for any values."""

from grashof.opened.compiling import open_program
from grashof.opened.program import OpenProgram, Starts

__all__ = ["OpenProgram", "Starts", "open_program"]
