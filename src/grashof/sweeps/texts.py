"""The varied numbers as they are written on the command line:

crank.length=0.05:0.1:50       50 evenly spaced values (grid, zip)
spring.stiffness=20,25         these values (grid, zip)
crank.length=50mm:100mm        between these bounds (sobol)
crank.mass=0.3±0.01            mean and standard deviation (normal); +- may be written for ±
L                              a declared parameter, within its bounds (sobol, normal)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.model import Model
from grashof.model.parameters import numbers
from grashof.sweeps.varied import Known, read_number

MOST = 10_000_000
"""Largest number of values."""

_FORMS = {
    "grid": "START:STOP:COUNT or VALUE,VALUE,…",
    "zip": "START:STOP:COUNT or VALUE,VALUE,…",
    "sobol": "LOWER:UPPER",
    "normal": "MEAN±DEVIATION",
}


def vary_from_texts(model: Model, texts: Sequence[str], sample: str) -> dict[str, Any]:
    """The numbers that are varied, as `sweep` takes them."""
    known, found = numbers(model), dict[str, Any]()
    for text in texts:
        path, equals, given = (part.strip() for part in text.partition("="))
        if path in found:
            raise ModelError(f"--vary gives {path} twice; give it once.")
        found[path] = _values(known, path, given, sample) if equals else None
    return found


def _values(known: Known, path: str, given: str, sample: str) -> Any:
    def read(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            return _with_unit(known, path, text.strip())

    parts = given.split(":")
    if sample == "normal":
        mean, sign, deviation = given.replace("+-", "±").partition("±")
        if sign:
            return read(mean), read(deviation)
    elif sample == "sobol" and len(parts) == 2:
        return read(parts[0]), read(parts[1])
    elif sample in ("grid", "zip") and len(parts) == 3 and parts[2].strip().isdecimal() and int(parts[2]) > 0:
        if int(parts[2]) > MOST:
            raise ModelError(f"--vary is '{path}={given}'; a number can have at most {MOST:,} values.")
        return np.linspace(read(parts[0]), read(parts[1]), int(parts[2]))
    elif sample in ("grid", "zip") and len(parts) == 1:
        return [read(part) for part in given.split(",")]
    form = _FORMS.get(sample, "VALUES")
    raise ModelError(f"--vary is '{path}={given}'; with sample '{sample}' write it as {path}={form}.")


def _with_unit(known: Known, path: str, text: str) -> float:
    if path not in known:
        raise ModelError(f"There is no number '{path}'; {did_you_mean(path, known, at_most=3)}")
    return read_number(known, path, text)
