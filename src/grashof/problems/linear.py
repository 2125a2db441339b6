"""Problems whose result is the small motion about a rest or a steady motion: eigenvalues, and where it rests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grashof.model.model import Model


@dataclass(frozen=True)
class SmallMotion:
    """Eigenvalues that are not zero, both of each conjugate pair, 1/s; and quantities at rest by name; as numbers of
    mpmath."""

    eigenvalues: Sequence[Any]
    rest: Mapping[str, Any] = field(default_factory=dict)


Derivation = Callable[[Mapping[str, str]], SmallMotion]
"""The small motion of data, given in decimal digits; with the precision of mpmath at the time."""


@dataclass(frozen=True)
class LinearCase:
    """A problem of this kind with its variant and parameters chosen.

    at        about what: as for `modes`
    bound     largest |s − s_ref|/|s_ref| of any eigenvalue that passes
    rest      quantities at rest: their unit by name
    data      all numbers of the problem, in decimal digits
    first, second   two independent derivations, with a sentence on each in `methods`
    mistakes  known ones: in words, and the data that they change
    notes     how the source was interpreted or corrected
    """

    problem: str
    variant: str
    parameters: Mapping[str, float]
    model: Model
    at: str | float
    bound: float
    data: Mapping[str, str]
    first: Derivation
    second: Derivation
    methods: tuple[str, str]
    rest: Mapping[str, str] = field(default_factory=dict)
    mistakes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class LinearProblem:
    """A problem of this kind, by name.

    make         the case of a variant with values of the parameters
    parameters   the default and a description of each parameter, by name
    """

    name: str
    title: str
    variants: tuple[str, ...]
    make: Callable[[str, Mapping[str, float]], LinearCase]
    package: str
    parameters: Mapping[str, tuple[float, str]] = field(default_factory=dict)
