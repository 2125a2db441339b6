"""`python -m fuzz [KIND …] [--cases N] [--seed K]`: runs each kind in a separate process with limits on memory and
time."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import resource
import subprocess
import sys
import time

import fuzz

MEMORY = 4 * 2**30
"""Limit of the address space for each kind, bytes."""

LIMIT = 1800.0
"""Time limit for each kind, s, on a machine with other work."""


def main() -> int:
    kinds = [name for _, name, _ in pkgutil.iter_modules(fuzz.__path__) if not name.startswith("_")]
    parser = argparse.ArgumentParser(
        prog="fuzz", description="Tries damaged and hostile input; 1 if anything was found."
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(kinds)}; all of them by default")
    parser.add_argument("--cases", type=int, default=10_000, help="cases of each kind [10000]")
    parser.add_argument("--seed", type=int, default=0, help="which cases [0]")
    parser.add_argument("--here", action="store_true", help="in this process, for a debugger")
    given = parser.parse_args()
    unknown = set(given.kinds) - set(kinds)
    if unknown:
        parser.error(f"there is no kind {', '.join(sorted(unknown))}; there are {', '.join(kinds)}")
    found = 0
    for kind in given.kinds or kinds:
        found += _here(kind, given.cases, given.seed) if given.here else _apart(kind, given.cases, given.seed)
    return 1 if found else 0


def _here(kind: str, cases: int, seed: int) -> int:
    """Runs a kind and prints its findings; returns their number."""
    began = time.perf_counter()
    findings = importlib.import_module(f"fuzz.{kind}").run(cases, seed)
    for sentence in findings:
        print(sentence)
    print(
        f"{kind}: {cases} cases, seed {seed}, {time.perf_counter() - began:.0f} s: {len(findings)} findings", flush=True
    )
    return len(findings)


def _apart(kind: str, cases: int, seed: int) -> int:
    command = [sys.executable, "-X", "faulthandler", "-m", "fuzz", kind, f"--cases={cases}", f"--seed={seed}", "--here"]
    try:
        code = subprocess.run(command, preexec_fn=_bound, timeout=LIMIT).returncode
    except subprocess.TimeoutExpired:
        print(f"{kind}: not done after {LIMIT:g} s", flush=True)
        return 1
    if code not in (0, 1):
        print(f"{kind}: its process ended with code {code}", flush=True)
    return code != 0


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    sys.exit(main())
