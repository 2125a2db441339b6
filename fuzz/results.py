"""Damaged result files, in many dialects, judged by `grashof verify`."""

from __future__ import annotations

import gzip
import random
import warnings
from pathlib import Path

import numpy as np

from fuzz import NUMBERS, mutated, scratch
from fuzz._command import of_command
from grashof.problems import make_case
from grashof.references import reference_for

PROBLEMS = ("andrews", "double-four-bar", "n-four-bar", "multiple-four-bar")


def run(cases: int, seed: int) -> list[str]:
    """Each case is a correct file that was then damaged."""
    examples = [(name, text) for name in PROBLEMS for text in _examples(name)]
    found = []
    with scratch() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")  # a user cannot act on a warning on the screen
        for case in range(cases):
            draw = random.Random(f"{seed} results {case}")
            name, text = draw.choice(examples)
            content = mutated(_thinned(text, draw), draw)
            if draw.random() < 0.1:
                content = mutated(gzip.compress(content, 1), draw)
            path = Path(folder) / "result.txt"
            path.write_bytes(content)
            options = draw.choice(([], ["--json"]))
            sentence = of_command(["verify", name, str(path), *options], f"results, case {case}")
            if sentence is not None:
                found.append(sentence)
    return found


def _examples(name: str) -> list[bytes]:
    """The reference of a problem as four tools would write it."""
    case = make_case(name)
    stored = reference_for(case)
    assert stored is not None
    absent = np.zeros(len(stored.times))
    table = {column.name: stored.columns.get(column.name, absent) for column in case.columns}
    table["t"] = stored.times
    rows = np.column_stack(list(table.values()))
    names = list(table)
    lines = [[f"{x:.12g}" for x in row] for row in rows]
    fortran = [[f"{x:.6E}".replace("E", "D") for x in row] for row in rows]
    commas = [[x.replace(".", ",") for x in row] for row in lines]
    return [
        b"\n".join([",".join(names).encode(), *(",".join(row).encode() for row in lines)]),
        b"\r\n".join([b"# " + " ".join(names).encode(), *(" ".join(row).encode() for row in fortran)]),
        b"\n".join(["; ".join(f"{x} [m]" for x in names).encode(), *("; ".join(row).encode() for row in commas)]),
        b"\n".join(["\t".join(row).encode() for row in lines]),
    ]


def _thinned(text: bytes, draw: random.Random) -> bytes:
    """Usually only some of the rows, with some numbers that are unusual but valid."""
    lines = text.split(b"\n")
    if draw.random() < 0.8:
        first = draw.randrange(len(lines))
        lines = lines[:1] + lines[first : first + draw.choice((1, 2, 30))]
    if draw.random() < 0.3:
        place = draw.randrange(len(lines))
        words = lines[place].split()
        if words:
            words[draw.randrange(len(words))] = draw.choice(NUMBERS)
            lines[place] = b" ".join(words)
    return b"\n".join(lines)
