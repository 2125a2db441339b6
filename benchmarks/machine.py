"""The machine and the software of a measurement."""

from __future__ import annotations

import os
import subprocess

from llvmlite import binding

from benchmarks.hand_written import FLAGS, compiler
from grashof.bench.machine import machine_facts


def facts() -> dict[str, str]:
    """The machine, the programs and their versions, without anything that identifies the individual machine."""
    return machine_facts() | {
        "load": " ".join(f"{x:.2f}" for x in os.getloadavg()),
        "llvm": ".".join(map(str, binding.llvm_version_info)),
        "c_compiler": _compiler(),
        "c_flags": " ".join(FLAGS),
    }


def _compiler() -> str:
    command = compiler()
    if command is None:
        return "none"
    lines = subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout.splitlines()
    return lines[0] if lines else "unknown"
