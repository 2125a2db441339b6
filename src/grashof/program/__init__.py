"""From a description to machine code: model → system → tapes → one native library, with P ≥ 0 numbers left open."""

from grashof.program.program import Program, build

__all__ = ["Program", "build"]
