"""Reads what is to be varied: the paths of the numbers, and the design of the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.given import number, row
from grashof.model.model import Model
from grashof.model.parameters import Number, numbers
from grashof.model.units import KINDS
from grashof.sweeps.design import BITS, DESIGNS, Design, Grid, NormalDistribution, Sobol, Zip

Vary = Mapping[str, Any] | Sequence[str]
"""Values, bounds, or means and standard deviations, by the numbers' paths; or only the names of declared parameters,
whose bounds are then used."""

Known = Mapping[str, Number]
"""The numbers of a mechanism by their paths."""

MOST = 2**50
"""Largest number of rows."""

BOUNDS_ARE = 3.0
"""The bounds of a declared parameter lie this many standard deviations from its value if it is drawn from a normal
distribution."""


def read_design(model: Model, vary: Vary, sample: str, count: int | None, seed: int) -> tuple[tuple[str, ...], Design]:
    """The paths of the numbers, and the design; raises ModelError for impossible requests."""
    if sample not in DESIGNS:
        raise ModelError(f"sample is '{sample}'; {did_you_mean(sample, DESIGNS)}")
    asked = dict(vary) if isinstance(vary, Mapping) else dict.fromkeys(vary)
    if not asked:
        raise ModelError(
            "Nothing is varied; give at least one number by its path, such as {'crank.length': [0.1, 0.2]}."
        )
    known = numbers(model)
    _check_paths(model.name, known, asked)
    if sample in ("grid", "zip"):
        if count is not None:
            raise ModelError(
                f"count is given, but the number of rows of a {sample} follows from its values; leave it out."
            )
        values = tuple(_values(known, path, given) for path, given in asked.items())
        return tuple(asked), _check_size(Grid(values) if sample == "grid" else _zip(asked, values))
    if count is None or isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise ModelError(f"count is {count}; with sample '{sample}' give the number of rows, at least 1.")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
        raise ModelError(f"seed is {seed}; it must be a whole number, not negative and less than 2⁶⁴.")
    read = _bounds if sample == "sobol" else _distribution
    first, second = np.array([read(known, path, given) for path, given in asked.items()]).T
    kind = Sobol if sample == "sobol" else NormalDistribution
    return tuple(asked), _check_size(kind(first, second, int(count), int(seed)))


def _check_paths(mechanism: str, known: Known, asked: Mapping[str, Any]) -> None:
    for path in asked:
        if path not in known:
            raise ModelError(f"Mechanism '{mechanism}' has no number '{path}'; {did_you_mean(path, known, at_most=3)}")
        if path == "start.time":
            raise ModelError("start.time cannot be varied: all runs of a sweep begin at the same time.")


def _check_size(design: Design) -> Design:
    most = 2**BITS if isinstance(design, Sobol) else MOST
    if design.count > most:
        raise ModelError(f"The sweep would have {design.count:.3g} rows; at most {most:.3g} are possible.")
    return design


def _zip(asked: Mapping[str, Any], values: tuple[np.ndarray, ...]) -> Zip:
    if len({len(x) for x in values}) > 1:
        lengths = ", ".join(f"'{path}' has {len(x)}" for path, x in zip(asked, values, strict=True))
        raise ModelError(f"With sample 'zip' all numbers must have equally many values; {lengths}.")
    return Zip(values)


def _values(known: Known, path: str, given: Any) -> np.ndarray:
    if given is None:
        raise ModelError(f"'{path}' has no values; with a grid or zip give a list of them.")
    found = np.array([read_number(known, path, x) for x in row(f"'{path}'", given)])
    if not len(found):
        raise ModelError(f"'{path}' has no values; give at least one.")
    return found


def _bounds(known: Known, path: str, given: Any) -> tuple[float, float]:
    low, high = (
        _declared_bounds(known, path) if given is None else _pair(known, path, given, "its lower and its upper bound")
    )
    if not low <= high:
        raise ModelError(f"'{path}' has the bounds {low:g} and {high:g}; give the lower bound first.")
    return low, high


def _distribution(known: Known, path: str, given: Any) -> tuple[float, float]:
    if given is None:
        low, high = _declared_bounds(known, path)
        return float(known[path].value), (high - low) / (2.0 * BOUNDS_ARE)
    mean, deviation = _pair(known, path, given, "its mean and its standard deviation")
    if deviation < 0.0:
        raise ModelError(f"'{path}' has the standard deviation {deviation:g}; it must not be negative.")
    return mean, deviation


def _pair(known: Known, path: str, given: Any, words: str) -> tuple[float, float]:
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray) or len(given) != 2:
        raise ModelError(f"'{path}' is {given!r}; give two numbers, {words}.")
    return read_number(known, path, given[0]), read_number(known, path, given[1])


def read_number(known: Known, path: str, given: Any) -> float:
    """A value of a number, in SI units; a text such as "50 mm" where its unit is known."""
    unit = known[path].unit
    return number(f"'{path}'", given, unit if unit in KINDS else None)


def _declared_bounds(known: Known, path: str) -> tuple[float, float]:
    """The bounds of a declared parameter."""
    lower, upper = known[path].lower, known[path].upper
    if lower is not None and upper is not None:
        return lower, upper
    raise ModelError(f"'{path}' is not a declared parameter with bounds; give two numbers for it.")
