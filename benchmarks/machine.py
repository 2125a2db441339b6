"""What a measurement was made on and with."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

from llvmlite import binding

from benchmarks.hand_written import FLAGS, compiler


def facts() -> dict[str, str]:
    """The machine, the programs and their versions; nothing that tells which machine of its kind it was."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "load": " ".join(f"{x:.2f}" for x in os.getloadavg()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "grashof": version("grashof"),
        "numpy": version("numpy"),
        "llvmlite": version("llvmlite"),
        "llvm": ".".join(map(str, binding.llvm_version_info)),
        "c_compiler": _compiler(),
        "c_flags": " ".join(FLAGS),
    }


def _processor() -> str:
    """The processor's own name; Python's `platform` does not know it on Linux."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _compiler() -> str:
    command = compiler()
    if command is None:
        return "none"
    lines = subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout.splitlines()
    return lines[0] if lines else "unknown"
