"""Integration methods, one file each, and the choice that `auto` makes among them."""

from __future__ import annotations

from dataclasses import dataclass

from grashof.common.errors import ModelError
from grashof.integrate.methods.base import Method
from grashof.integrate.methods.bs5 import BS5
from grashof.integrate.methods.dop853 import DOP853
from grashof.integrate.methods.dopri5 import DOPRI5
from grashof.integrate.methods.explicit import Explicit
from grashof.integrate.methods.radau import RADAU5, RADAU9, RADAU13
from grashof.integrate.methods.rk4 import RK4
from grashof.integrate.methods.rodas5p import RODAS5P
from grashof.integrate.methods.verner9 import VERNER9

__all__ = ["EXPLICIT", "LOOSE", "METHODS", "Choice", "Explicit", "Method", "Switch", "choose", "choose_implicit"]

METHODS = {method.name: method for method in (DOP853, VERNER9, BS5, DOPRI5, RK4, RODAS5P, RADAU5, RADAU9, RADAU13)}
EXPLICIT = {name: method for name, method in METHODS.items() if isinstance(method, Explicit)}

LOOSE, FINE = 1e-3, 1e-8
"""Tolerances: from the first upwards, BS5 takes less work than DOP853 if there are several degrees of freedom; below
the second, VERNER9 does (docs/choose-a-method.md)."""

STIFF = 1e-6
"""Tolerance below which RADAU9 takes less work than RODAS5P if the equations are stiff (docs/choose-a-method.md)."""


@dataclass(frozen=True)
class Switch:
    """A change of the method at a time of a run, s, and why."""

    time: float
    method: Method
    reason: str


@dataclass(frozen=True)
class Choice:
    """A method, and why this one; if it changed during the run, the last one.

    tentative   whether another one may be taken while the equations are stiff
    switches    the changes during the run
    before      the first method, if it changed
    """

    method: Method
    reason: str
    tentative: bool = False
    switches: tuple[Switch, ...] = ()
    before: Method | None = None

    @property
    def first(self) -> Method:
        """The method with which the run begins."""
        return self.before or self.method

    def switched(self, switch: Switch) -> Choice:
        """With one more change."""
        when = f"t = {switch.time:.3g} s"
        if self.switches:
            reason = f"{self.reason}; {switch.method.name} from {when} on, because {switch.reason}"
        else:
            reason = f"chosen automatically because the equations are stiff: at {when} {switch.reason}"
        return Choice(switch.method, reason, self.tentative, (*self.switches, switch), self.first)

    @property
    def name(self) -> str:
        return self.method.name

    def as_dict(self) -> dict[str, object]:
        """As plain data."""
        found: dict[str, object] = {"name": self.name, "title": self.method.title, "reason": self.reason}
        if self.switches:
            found["first"] = self.first.name
            found["switches"] = [{"time": x.time, "name": x.method.name, "reason": x.reason} for x in self.switches]
        return found

    def __str__(self) -> str:
        return f"{self.name} ({self.method.title}): {self.reason}"


def choose(name: str, tol: float, freedoms: int) -> Choice:
    """The method of this name; for "auto", the one that took the least work on the benchmark problems.

    freedoms   degrees of freedom of the mechanism

    >>> print(choose("auto", 1e-6, 5))
    dop853 (Dormand–Prince 8(5,3)): chosen automatically for tolerances from 1e-08 to 0.001
    """
    if name in METHODS:
        return Choice(METHODS[name], "as requested")
    if name != "auto":
        raise ModelError(f"There is no integration method '{name}'; there are auto, {', '.join(METHODS)}.")
    if tol < FINE:
        return Choice(VERNER9, f"chosen automatically for tolerances below {FINE:g}", tentative=True)
    if tol < LOOSE:
        return Choice(DOP853, f"chosen automatically for tolerances from {FINE:g} to {LOOSE:g}", tentative=True)
    if freedoms > 1:
        several = f"chosen automatically for tolerances from {LOOSE:g} on with several degrees of freedom"
        return Choice(BS5, several, tentative=True)
    return Choice(DOP853, "chosen automatically for one degree of freedom", tentative=True)


def choose_implicit(tol: float) -> Method:
    """The method for stiff equations."""
    return RODAS5P if tol >= STIFF else RADAU9
