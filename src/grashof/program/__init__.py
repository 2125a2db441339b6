"""From a description to machine code: model → system → tapes → one native library, with P ≥ 0 numbers left open."""

from grashof.program.builder import build
from grashof.program.program import Program

__all__ = ["Program", "build"]
