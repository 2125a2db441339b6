"""The machine and the software with which a measurement was made."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from grashof._version import __version__


def machine_facts() -> dict[str, str]:
    """The kind of machine and the software that every measurement depends on; nothing identifies an individual machine.

    An engine's own version is kept with each of its measurements.
    """
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "architecture": platform.machine(),
        "system": _system(),
        "python": platform.python_version(),
        "grashof": __version__,
        "numpy": version("numpy"),
        "llvmlite": version("llvmlite"),
    }


def fingerprint(facts: Mapping[str, str]) -> str:
    """A short name for these facts: machines that differ in any of them are treated as different.

    >>> fingerprint({"cores": "2"}) == fingerprint({"cores": "4"})
    False
    """
    return hashlib.sha256(json.dumps(dict(facts), sort_keys=True).encode()).hexdigest()[:10]


def _processor() -> str:
    """The processor's own name; Python's `platform` does not know it on Linux."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return f"{platform.system()} {platform.release()}"
