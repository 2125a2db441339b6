"""The programs written by hand, as contestants: compiled here, run as separate processes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.ladder import LadderRun
from grashof.integrate.methods.dop853 import E3, E5, STAGES, A
from grashof.integrate.methods.explicit import Row

SOURCES = Path(__file__).parent / "programs"
FLAGS = ("-O3", "-march=native", "-ffast-math")
SECONDS = 60.0
"""Time limit for a program."""


class Unavailable(Exception):
    """A program that cannot be compiled or run here; the text says why."""


@dataclass(frozen=True)
class Source:
    """A program as written: the file without .c, the macros defined when compiling it, and a description."""

    file: str
    about: str
    defines: Mapping[str, str | float] = field(default_factory=dict)


def compiler() -> str | None:
    """The machine's C compiler: $CC if set, or cc."""
    return shutil.which(os.environ.get("CC") or "cc")


def coefficients() -> str:
    """The C header with DOP853's coefficients: sums over the stages k of component i, without the zeros."""

    def define(name: str, row: Row) -> str:
        terms = " + ".join(f"{coefficient!r} * (k)[{stage}][i]" for stage, coefficient in row.items())
        return f"#define DOP853_{name}(k, i) ({terms})\n"

    stages = [define(f"A_{s}", A[s]) for s in range(1, STAGES + 1)]
    return "".join((*stages, define("E5", E5), define("E3", E3)))


class HandWritten:
    """A compiled program."""

    def __init__(self, source: Source, folder: Path, flags: tuple[str, ...] = FLAGS) -> None:
        """Compiles into the folder, which belongs to this program alone."""
        self.name = source.file
        self._binary = folder / source.file
        command = compiler()
        if command is None:
            raise Unavailable("there is no C compiler")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "coefficients.h").write_text(coefficients())
        defines = [f"-D{name}={value}" for name, value in source.defines.items()]
        done = subprocess.run(
            [
                command,
                *flags,
                *defines,
                f"-I{folder}",
                str(SOURCES / f"{source.file}.c"),
                "-o",
                str(self._binary),
                "-lm",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            complaint = next((line for line in done.stderr.splitlines() if "error" in line), "no reason given")
            raise Unavailable(f"it does not compile: {complaint.replace(str(SOURCES), '')}")

    def run(self, tol: float) -> LadderRun:
        """The error is sampled at every step."""
        found = self._call(tol, 1)
        return LadderRun(
            tol=tol,
            message="" if found["arrived"] else "it did not reach the end",
            error=found.get("error_J"),
            steps=found["steps"],
            rejected=found["rejected"],
            evaluations=found["evaluations"],
            final=found.get("final", {}),
        )

    def cpu(self, tol: float, samples: int) -> list[float]:
        """As the program measures itself."""
        seconds: list[float] = self._call(tol, samples)["cpu_s"]
        return seconds

    def _call(self, tol: float, samples: int) -> dict[str, Any]:
        try:
            done = subprocess.run(
                [str(self._binary), repr(tol), str(samples)],
                capture_output=True,
                text=True,
                check=True,
                timeout=SECONDS,
            )
        except subprocess.CalledProcessError as failure:
            raise Unavailable(f"it ended with code {failure.returncode}") from None
        except subprocess.TimeoutExpired:
            raise Unavailable(f"it took more than {SECONDS:g} s") from None
        found: dict[str, Any] = json.loads(done.stdout)
        return found
