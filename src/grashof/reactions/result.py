"""The joint reactions of a mechanism along a run, by name, with units, and which of them the motion determines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Unpack

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.common.notebook import report_html, table
from grashof.common.pictures import PictureOptions
from grashof.common.provided import provided
from grashof.common.wording import count_of, join_words, quote_first
from grashof.model.loops import Loop
from grashof.model.model import Model
from grashof.motion.histories import Histories, Names, parse_names
from grashof.quantities.wrenches import COMPONENTS, UNIQUE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = np.ndarray

PLOTTED, SHOWN = 8, 1e-9
"""A plot that names no reactions shows this many, if they are at least this fraction of the largest."""


@dataclass(frozen=True, eq=False)
class Reactions(Histories):
    """Reactions over time. `found["pin.fx"]` is an array; `found.names` lists the quantities; `str()` gives a summary.

    Names: `t`; for each joint `joint.fx`, `joint.fy` and so on: the force (N) and the moment (N m) that the joint
    exerts on its second body, at that body's point `b` and about it, in world axes (the first body receives the
    opposite); for each motor `motor.torque` (N m) or `motor.force` (N), positive where it acts to increase its angle or
    to push its points apart.

    efforts    all quantities except t, in the order of `names`, moments and torques divided by ℓ: N, (times,
               quantities)
    shares     how far a state of self-stress of unit size changes each of them: 0 to 1, (times, quantities)
    stresses   number of independent states of self-stress: efforts of joints and motors against each other, without a
               load; (times,)
    residual   the remaining imbalance of all bodies, moments divided by ℓ: N, (times,)
    loops      the loop that each joint closes, for those that close one
    """

    model: Model
    length: float
    t: Array
    efforts: Array
    shares: Array
    stresses: Array
    residual: Array
    loops: dict[str, Loop]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All quantities."""
        of_joints = [f"{joint.name}.{c}" for joint in self.model.joints for c in COMPONENTS[self.model.dimension]]
        kinds = {"rad": "torque", "m": "force"}
        of_couplings = [
            f"{coupling.name}.{kinds[coupling.measures(self.model.quantities)[0].unit]}"
            for coupling in self.model.own_couplings
        ]
        return ("t", *of_joints, *of_couplings)

    @cached_property
    def values(self) -> Array:
        """All quantities except t, in their units; (times, quantities)."""
        return self.efforts * [self.length if _unit(name) == "N m" else 1.0 for name in self.names[1:]]

    @cached_property
    def joints(self) -> dict[str, Array]:
        """By joint: fx, fy, mz in the plane, fx, fy, fz, mx, my, mz in space; (times, 3 or 6)."""
        size = len(COMPONENTS[self.model.dimension])
        return {joint.name: self.values[:, size * k : size * (k + 1)] for k, joint in enumerate(self.model.joints)}

    @cached_property
    def motors(self) -> dict[str, Array]:
        """By motor: its torque or force, (times,)."""
        return {motor.name: self.couplings[motor.name] for motor in self.model.motors}

    @cached_property
    def couplings(self) -> dict[str, Array]:
        """By coupling, including motors: its torque or force along its first measure, (times,)."""
        first = self.values.shape[1] - len(self.model.own_couplings)
        return {coupling.name: self.values[:, first + k] for k, coupling in enumerate(self.model.own_couplings)}

    def __getitem__(self, name: str) -> Array:
        self._check(name)
        return self.t if name == "t" else self.values[:, self.names.index(name) - 1]

    def plot(
        self,
        *quantities: str | Sequence[str] | None,
        names: str | Sequence[str] | None = None,
        path: str | os.PathLike[str] | None = None,
        units: Names = (),
        **options: Unpack[PictureOptions],
    ) -> Figure:
        """Reactions against time as a matplotlib figure, the largest ones unless named, in `units` of choice (see
        `in_units`); written to a file if a path is given."""
        wanted, place = parse_names(quantities, names, path)
        title, wanted = f"{self.model.name}: reactions", wanted or self._largest_names
        figure: Figure = provided("plot_histories")(self, title, wanted, place, units=units, **options)
        return figure

    @property
    def _largest_names(self) -> list[str]:
        """The names of the largest efforts, in the order of `names`."""
        peaks = np.max(np.abs(self.efforts), axis=0, initial=0.0)
        least = max(np.sort(peaks)[-PLOTTED:][0], SHOWN * np.max(peaks))
        return [name for name, peak in zip(self.names[1:], peaks, strict=True) if peak >= least]

    def unit(self, name: str) -> str:
        """The unit of a quantity."""
        self._check(name)
        return _unit(name)

    def _check(self, name: str) -> None:
        if name not in self.names:
            hint = did_you_mean(name, self.names, at_most=3)
            raise ModelError(f"There is no reaction '{name}' in mechanism '{self.model.name}'; {hint}")

    @property
    def regular(self) -> Array:
        """Whether the number of states of self-stress is the smallest of the run, (times,); where not, the position
        is singular."""
        return np.asarray(self.stresses == np.min(self.stresses))

    @cached_property
    def not_unique(self) -> tuple[str, ...]:
        """The quantities that the motion does not determine, disregarding singular positions; for these the smallest
        values are given."""
        moved = np.max(self.shares[self.regular], axis=0) > UNIQUE
        return tuple(name for name, is_moved in zip(self.names[1:], moved, strict=True) if is_moved)

    @cached_property
    def unique(self) -> dict[str, bool]:
        """By joint: whether the motion determines all components of its reaction."""
        loose = {name.rpartition(".")[0] for name in self.not_unique if name.rpartition(".")[2] in COMPONENTS[3]}
        return {joint.name: joint.name not in loose for joint in self.model.joints}

    def __str__(self) -> str:
        lines = [_what_in_words(self), *_unique_in_words(self), *_singular_in_words(self), _balance_in_words(self)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The table that a notebook shows: the largest force and moment of each joint, and whether they are unique."""
        size = self.model.dimension
        loose = {name: name.rpartition(".") for name in self.not_unique}
        rows = []
        for name, values in self.joints.items():
            found = [component for owner, _, component in loose.values() if owner == name]
            unique = f"all but {join_words(found)}" if found else "yes"
            rows.append([name, *self._largest(values[:, :size]), *self._largest(values[:, size:]), unique])
        for coupling, efforts in self.couplings.items():
            peak, empty = self._largest(efforts[:, None]), ["", ""]
            unique = "no" if any(owner == coupling for owner, _, _ in loose.values()) else "yes"
            turns = self.unit(next(name for name in self.names if name.rpartition(".")[0] == coupling)) == "N m"
            rows.append([coupling, *(empty if turns else peak), *(peak if turns else empty), unique])
        heads = ["", "largest force [N]", "at t [s]", "largest moment [N m]", "at t [s]", "unique"]
        return report_html(str(self)) + table(heads, rows)

    def _largest(self, components: Array) -> list[str]:
        """The largest magnitude of a vector over time, and when it is reached."""
        sizes = np.linalg.norm(components, axis=1)
        if not sizes.size:
            return ["", ""]
        row = int(np.argmax(sizes))
        return [f"{sizes[row]:.5g}", f"{self.t[row]:.5g}"]


def _unit(name: str) -> str:
    kind = name.rpartition(".")[2]
    return "s" if name == "t" else "N" if kind.startswith("f") else "N m"


def _what_in_words(found: Reactions) -> str:
    parts = [count_of(len(found.model.joints), "joint")]
    if found.model.couplings:
        parts.append(count_of(len(found.model.couplings), "coupling"))
    if found.model.motors:
        parts.append(count_of(len(found.model.motors), "motor"))
    return f"{found.model.name}: reactions of {join_words(parts)} at {count_of(len(found.t), 'time')}."


def _unique_in_words(found: Reactions) -> list[str]:
    if not found.not_unique:
        return ["All of them are unique."]
    whole = [joint for joint, is_unique in found.unique.items() if is_unique]
    lines = [f"The reactions of {quote_first(whole)} are unique."] if whole else []
    loose: dict[str, list[str]] = {}
    for name in found.not_unique:
        owner, _, component = name.rpartition(".")
        loose.setdefault(owner, []).append(component)
    alike: dict[tuple[str, ...], list[str]] = {}
    for owner, components in loose.items():
        alike.setdefault(tuple(components), []).append(owner)
    for kinds, owners in alike.items():
        rest = [c for c in COMPONENTS[found.model.dimension] if c not in kinds]
        but = f" ({join_words(rest)} {_are(rest)})" if rest and kinds[0] in COMPONENTS[3] else ""
        lines.append(f"{join_words(kinds)} of {quote_first(owners)} {_are(kinds)} not unique{but}.")
    loops = [str(loop) for joint, loop in found.loops.items() if not found.unique[joint]]
    if len(loops) == 1:
        lines.append(f"The constraints around the loop {loops[0]} are redundant.")
    elif loops:
        lines.append(f"The constraints around {len(loops)} loops are redundant, {loops[0]} among them.")
    lines.append(f"The smallest ones are shown, which minimise Σ |f|² + |m/ℓ|² with ℓ = {found.length:.3g} m.")
    return lines


def _singular_in_words(found: Reactions) -> list[str]:
    singular = found.t[~found.regular]
    if not len(singular):
        return []
    when = f"{count_of(len(singular), 'time')} (t = {singular[0]:.6g} s first)"
    return [f"The position is singular at {when}: fewer are unique there."]


def _balance_in_words(found: Reactions) -> str:
    if not found.efforts.size:
        return "No joint, motor or coupling carries a load."
    time, column = np.unravel_index(np.argmax(np.abs(found.efforts)), found.efforts.shape)
    name = found.names[1 + int(column)]
    largest = f"{abs(found[name][time]):.3g} {found.unit(name)}"
    missing = float(np.max(found.residual))
    return f"Largest: {name} with {largest} at t = {found.t[time]:.6g} s. All bodies are in balance to {missing:.1g} N."


def _are(things: Sequence[str]) -> str:
    return "is" if len(things) == 1 else "are"
