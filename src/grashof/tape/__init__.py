"""Tapes: scalar Python traced into straight-line programs, which are compiled to machine code."""

from grashof.tape.blocks import block
from grashof.tape.library import Library, library_of, vector_lanes
from grashof.tape.llvm import LlvmModule, emit
from grashof.tape.node import Node, TraceError, trace
from grashof.tape.tape import Tape

__all__ = [
    "Library",
    "LlvmModule",
    "Node",
    "Tape",
    "TraceError",
    "block",
    "emit",
    "library_of",
    "trace",
    "vector_lanes",
]
