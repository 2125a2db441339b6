"""Invalid command lines: wrong numbers, names, files and options.

Commands that would run for long are given at least one argument that they must reject.
"""

from __future__ import annotations

import os
import random
import warnings
from pathlib import Path
from unittest.mock import patch

from fuzz import scratch
from fuzz._command import of_command

WORDS = (
    *("", "-", "--", "nan", "inf", "-inf", "-1", "0", "1e309", "1e-320", "9" * 30, "0x10", "1,5", "x", "=", "N=", "=1", "N=nan", "N=-1"),
    *("N=1e300", "N=2.5", "speed=1e300", "R=0", "C=1e9", "andrews", "andrew", "n-four-bar", "multiple-four-bar", "iftomm", "upright"),
    *("/", ".", "..", "/dev/null", "/dev/full", "/proc/self/mem", "/none/such", "a\x1b[2Jb", "[/]", "[bold]", "\udcff", "é" * 300, "%s", "{0}"),
    *("it.toml", "out.csv", "out.png", "x" * 5000, "json", "text", "clear-all", "grashof", "adams", "a:b", "os:system", "1,2,nan"),
)  # fmt: skip

PROBLEMS = ("andrews", "double-four-bar", "n-four-bar", "multiple-four-bar")

TAKEN = {"--json": 0, "--help": 0, "--allow-code": 0, "--compare": 2}
"""Number of words that an option takes, if it is not one."""

OPTIONS = {
    "list": ("--json", "--help"),
    "verify": ("--variant", "--set", "--wait", "--json", "-p"),
    "reference": ("--variant", "--set", "--times", "--out", "--json"),
    "mobility": ("--variant", "--set", "--allow-code", "--json"),
    "results": (
        "--problem",
        "--engine",
        "--machine",
        "--compare",
        "--format",
        "--export",
        "--import",
        "--plot",
        "--store",
    ),
    "run": ("--variant", "--set", "--tol", "--method", "--step", "--compare", "--json"),
    "simulate": ("--t-end", "--tol", "--method", "--step", "--times", "--out", "--json"),
    "second-opinion": ("--engines", "--tol", "--limit", "--wall-limit", "--plot", "--variant", "--set"),
    "bench": ("--problems", "--engines", "--limit-s", "--rounds", "--store"),
    "plot": ("--out", "--show", "--variant", "--set", "--tol"),
    "submission": ("--out", "--variant", "--set", "--tol", "--repeat"),
}

REFUSED = {
    "run": ("andrews", "--t-end", "-1"),
    "simulate": ("none-such.toml", "--t-end", "1"),
    "second-opinion": ("andrews", "--t-end", "nan"),
    "bench": ("--engines", "none-such"),
    "plot": ("andrews", "--t-end", "0", "--out", "out"),
    "submission": ("none-such", "--out", "out"),
}


def run(cases: int, seed: int) -> list[str]:
    """Each case is one command with some random words."""
    found = []
    before = Path.cwd()
    with scratch() as folder, warnings.catch_warnings(), patch.dict(os.environ, GRASHOF_STORE=f"{folder}/store"):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # advice to the user
        os.chdir(folder)  # files are written there
        try:
            for case in range(cases):
                draw = random.Random(f"{seed} arguments {case}")
                command = draw.choice(sorted(OPTIONS))
                arguments = [command, *_random(command, draw), *REFUSED.get(command, ())]
                sentence = of_command(arguments, f"arguments, case {case}: {arguments}")
                if sentence is not None:
                    found.append(sentence)
        finally:
            os.chdir(before)
    return found


def _random(command: str, draw: random.Random) -> list[str]:
    """Most often as many words as the command takes, and options with a value each."""
    count = {"verify": 2, "reference": 1, "mobility": 1}.get(command, 0)
    words = [draw.choice((*PROBLEMS, draw.choice(WORDS))) for _ in range(count)]
    for _ in range(draw.choice((0, 1, 1, 2, 3))):
        option = draw.choice(OPTIONS[command])
        words.append(option)
        words += [draw.choice(WORDS) for _ in range(TAKEN.get(option, 1))]
    return words if draw.random() < 0.9 else [*words, draw.choice(WORDS)]
