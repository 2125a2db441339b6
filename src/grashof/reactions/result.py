"""What the joints of a mechanism bear along a run, by name, with units, and how much of it is determined."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.analysis.loops import Loop
from grashof.errors import ModelError
from grashof.model.measures import Angle
from grashof.model.model import Model

Array = np.ndarray

COMPONENTS = {2: ("fx", "fy", "mz"), 3: ("fx", "fy", "fz", "mx", "my", "mz")}

UNIQUE = 1e-6
"""A component is unique if no state of self-stress of unit size changes it by more than this."""

SHOWN = 3
"""How many names a list in the text has before it says how many more there are."""


@dataclass(frozen=True, eq=False)
class Reactions:
    """Reactions over time. `found["pin.fx"]` is an array; `found.names` lists what there is; `str()` tells it in words.

    Names: `t`; for each joint `joint.fx`, `joint.fy` and so on: the force (N) and the moment (N m) that the joint puts on its
    second body, at that body's point `b` and about it, in world axes (its first body gets the opposite); for each motor
    `motor.torque` (N m) or `motor.force` (N), positive where it drives its angle up or its points apart.

    values     of all names but t, (times, names)
    shares     how far a state of self-stress of unit size (moments divided by ℓ) changes each of them, (times, names)
    stresses   independent states of self-stress: wrenches that joints and motors can put on each other without a load, (times,)
    residual   what is missing for the balance of all bodies, N (moments divided by ℓ), (times,)
    loops      the loop that each joint closes, for those that do
    """

    model: Model
    length: float
    t: Array
    values: Array
    shares: Array
    stresses: Array
    residual: Array
    loops: dict[str, Loop]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All quantities."""
        of_joints = [f"{joint.name}.{c}" for joint in self.model.joints for c in COMPONENTS[self.model.dimension]]
        efforts = {True: "torque", False: "force"}
        measures = self.model.all_measures
        of_motors = [f"{m.name}.{efforts[isinstance(measures[m.target], Angle)]}" for m in self.model.motors]
        return ("t", *of_joints, *of_motors)

    @cached_property
    def joints(self) -> dict[str, Array]:
        """By joint: fx, fy, mz in the plane, fx, fy, fz, mx, my, mz in space; (times, 3 or 6)."""
        size = len(COMPONENTS[self.model.dimension])
        return {joint.name: self.values[:, size * k : size * (k + 1)] for k, joint in enumerate(self.model.joints)}

    @cached_property
    def motors(self) -> dict[str, Array]:
        """By motor: its torque or force, (times,)."""
        first = self.values.shape[1] - len(self.model.motors)
        return {motor.name: self.values[:, first + k] for k, motor in enumerate(self.model.motors)}

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> Array:
        if name == "t":
            return self.t
        if name not in self.names:
            close = difflib.get_close_matches(name, self.names, 3)
            hint = f" Did you mean {', '.join(close)}?" if close else " `names` lists what there is."
            raise ModelError(f"There is no reaction '{name}' in mechanism '{self.model.name}'.{hint}")
        return self.values[:, self.names.index(name) - 1]

    def unit(self, name: str) -> str:
        """The unit of a quantity."""
        kind = name.rpartition(".")[2]
        return "s" if name == "t" else "N" if kind.startswith("f") else "N m"

    @property
    def regular(self) -> Array:
        """Whether there are as few states of self-stress as at any time, (times,); where not, the position is singular."""
        return np.asarray(self.stresses == np.min(self.stresses))

    @cached_property
    def not_unique(self) -> tuple[str, ...]:
        """The quantities that the motion does not determine, singular positions left out; shown are the smallest ones."""
        moved = np.max(self.shares[self.regular], axis=0) > UNIQUE
        return tuple(name for name, open_ in zip(self.names[1:], moved, strict=True) if open_)

    @cached_property
    def unique(self) -> dict[str, bool]:
        """By joint: whether the motion determines all components of its reaction."""
        return {joint.name: not self._open_components(joint.name) for joint in self.model.joints}

    def _open_components(self, joint: str) -> tuple[str, ...]:
        return tuple(c for c in COMPONENTS[self.model.dimension] if f"{joint}.{c}" in self._open)

    @cached_property
    def _open(self) -> frozenset[str]:
        return frozenset(self.not_unique)

    def __str__(self) -> str:
        lines = [_what_in_words(self), *_unique_in_words(self), *_singular_in_words(self), _balance_in_words(self)]
        return "\n".join(lines)


def _what_in_words(found: Reactions) -> str:
    parts = [_number(len(found.model.joints), "joint")]
    if found.model.motors:
        parts.append(_number(len(found.model.motors), "motor"))
    return f"{found.model.name}: reactions of {_list(parts)} at {_number(len(found.t), 'time')}."


def _unique_in_words(found: Reactions) -> list[str]:
    if not found.not_unique:
        return ["All of them are unique."]
    whole = [name for name, is_unique in found.unique.items() if is_unique]
    lines = [f"The reactions of {_some(whole)} are unique."] if whole else []
    alike: dict[tuple[str, ...], list[str]] = {}
    for joint in found.model.joints:
        open_ = found._open_components(joint.name)
        if open_:
            alike.setdefault(open_, []).append(joint.name)
    for components, joints in alike.items():
        rest = [c for c in COMPONENTS[found.model.dimension] if c not in components]
        but = f" ({_list(rest)} {'is' if len(rest) == 1 else 'are'})" if rest else ""
        verb = "is" if len(components) == 1 else "are"
        lines.append(f"{_list(components)} of {_some(joints)} {verb} not unique{but}.")
    motors = [
        name.rpartition(".")[0]
        for name in found.names[len(found.names) - len(found.model.motors) :]
        if name in found._open
    ]
    if motors:
        lines.append(f"The efforts of {_some(motors)} are not unique: motors and joints work against each other.")
    loops = [loop for joint, loop in found.loops.items() if not found.unique[joint]]
    if len(loops) == 1:
        lines.append(f"The constraints around the loop {loops[0]} are redundant.")
    elif loops:
        lines.append(f"The constraints around {len(loops)} loops are redundant, {loops[0]} among them.")
    lines.append(f"Shown are the smallest ones: Σ |f|² + |m/ℓ|² with ℓ = {found.length:.3g} m is least.")
    return lines


def _singular_in_words(found: Reactions) -> list[str]:
    singular = found.t[~found.regular]
    if not len(singular):
        return []
    return [
        f"The position is singular at {_number(len(singular), 'time')} (t = {singular[0]:.6g} s first): fewer are unique there."
    ]


def _balance_in_words(found: Reactions) -> str:
    lengths = np.array([1.0 if found.unit(name) == "N" else found.length for name in found.names[1:]])
    sizes = np.abs(found.values) / lengths
    if not sizes.size:
        return "There is nothing that bears a load."
    time, column = np.unravel_index(np.argmax(sizes), sizes.shape)
    name = found.names[1 + int(column)]
    largest = f"{abs(found.values[time, column]):.3g} {found.unit(name)}"
    missing = float(np.max(found.residual))
    return f"Largest: {name} with {largest} at t = {found.t[time]:.6g} s. All bodies are in balance to {missing:.1g} N."


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _list(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _some(names: Sequence[str]) -> str:
    """The first few names, quoted, and how many more there are."""
    quoted = [f"'{name}'" for name in names]
    return _list(quoted if len(quoted) <= SHOWN + 1 else [*quoted[:SHOWN], f"{len(quoted) - SHOWN} more"])
