"""A force defined by the user in Python."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.forces.base import ForceBase, Load
from grashof.model.state import State
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.model import Model

Function = Callable[..., Any]

_functions: dict[str, Function] = {}


class UserForce(ForceBase, tag="user", frozen=True):
    """A Python function of time, positions and velocities, traced into the same machine code as everything else.

        function(t, positions, velocities) → efforts

    `on` lists points and measures. For a point, the entries in `positions` and `velocities` are lists of components,
    and the effort is a list of force components (N); for an angle or a distance, all three are single numbers (torque
    in N m, force in N). The function is called once, with traced values: np.sin, np.where(t < 1, a, b) and the like
    work on them, but `if t < 1` does not.

    In a file it is written `module:function`, and is loaded only if the user who reads the file allows code.
    """

    on: tuple[str, ...]
    function: str

    @property
    def code(self) -> str:
        return self.function

    @property
    def is_opaque(self) -> bool:
        return True

    def check(self, owner: str, model: Model) -> None:
        if not self.on:
            raise ModelError(f"{owner}: 'on' is empty; list the points and measures it acts on.")
        for target in self.on:
            if target not in model.all_measures and target not in model.points:
                known = [*model.all_measures, *model.points]
                raise ModelError(f"{owner}: there is no point or measure '{target}'; {did_you_mean(target, known)}")

    def targets(self) -> list[str]:
        return list(self.on)

    def tracked(self) -> list[str]:
        return list(self.on)

    def loads(self, state: State) -> list[Load]:
        places = []
        for target in self.on:
            try:
                places.append((False, [state.measure(target)]))
            except KeyError:
                places.append((True, state.point(target)))
        jets = [jet for _, place in places for jet in place]
        numbers = [state.time, *(jet.value for jet in jets), *(jet.first for jet in jets)]
        if not any(isinstance(x, np.ndarray) and x.ndim for x in numbers):
            return self._loads([is_point for is_point, _ in places], numbers)
        # an array holds a number at several times: the function is called for each of them
        rows = np.stack(np.broadcast_arrays(*numbers), axis=-1)
        found = [self._loads([is_point for is_point, _ in places], list(row)) for row in rows]
        return [
            (target, [np.array(x, float) for x in zip(*(loads[k][1] for loads in found), strict=True)])
            for k, target in enumerate(self.on)
        ]

    def _loads(self, are_points: list[bool], numbers: list[Scalar]) -> list[Load]:
        """The loads, from the time, all positions and all velocities."""
        size = (len(numbers) - 1) // 2
        t, *rest = map(_as_numpy_scalar, numbers)
        width = (size - are_points.count(False)) // max(are_points.count(True), 1)

        def grouped(values: list[Scalar]) -> list[Scalar]:
            left = iter(values)
            return [[next(left) for _ in range(width)] if is_point else next(left) for is_point in are_points]

        efforts = list(resolve(self.function)(t, grouped(rest[:size]), grouped(rest[size:])))
        if len(efforts) != len(self.on):
            raise ModelError(
                f"Force '{self.name}': {self.function} returned {len(efforts)} efforts for {len(self.on)} targets; "
                "return one for each entry of 'on'."
            )
        return [
            (target, list(effort) if is_point else [effort])
            for target, effort, is_point in zip(self.on, efforts, are_points, strict=True)
        ]

    def work(self, state: State) -> None:
        return None


def _as_numpy_scalar(x: Scalar) -> Scalar:
    """A plain number as a NumPy scalar, whose comparisons can be combined by & | ~."""
    return np.float64(x) if type(x) is float else x


def register(function: Function) -> str:
    """Registers a function under its `module:name`, which is returned.

    Functions defined in a loop share one name: `#2`, `#3` … is appended to that of the second and later ones.
    """
    name = f"{function.__module__}:{function.__qualname__}"
    key, count = name, 1
    while _functions.get(key, function) is not function:
        count += 1
        key = f"{name}#{count}"
    _functions[key] = function
    return key


def resolve(reference: str) -> Function:
    """The function with the name `module:name`, which was registered, or loaded by `allow`."""
    if reference not in _functions:
        raise ModelError(
            f"The force function '{reference}' is code and was not loaded. "
            "Allow it explicitly: grashof.load(file, allow_code=True), or --allow-code on the command line."
        )
    return _functions[reference]


def allow(reference: str, folder: str | os.PathLike[str] | None = None) -> None:
    """Imports `module:name`, looking in the folder first; called only if the user has allowed code."""
    module, _, name = reference.partition(":")
    if not module or not name:
        raise ModelError(f"The force function '{reference}' is not a name of one; write it as 'module:function'.")
    try:
        with _first_on_path(folder):
            target: Any = importlib.import_module(module)
        for part in name.split("."):
            target = getattr(target, part)
    except (Exception, SystemExit) as problem:  # importing runs the module, which may raise anything
        raise ModelError(
            f"The force function '{reference}' cannot be loaded ({type(problem).__name__}: {problem}); "
            "check that the module can be imported and has the function."
        ) from problem
    if not callable(target):
        raise ModelError(f"The force function '{reference}' is {target!r}, not a function.")
    _functions[reference] = target


def home(reference: str) -> str | None:
    """The folder from which the module of a function was imported; None if it has no file."""
    top = sys.modules.get(reference.partition(":")[0].partition(".")[0])
    file = getattr(top, "__file__", None)
    if file is None:
        return None
    path = Path(file).resolve()
    return str(path.parent.parent if path.name == "__init__.py" else path.parent)


@contextlib.contextmanager
def _first_on_path(folder: str | os.PathLike[str] | None) -> Iterator[None]:
    """A context in which modules are looked for in this folder first."""
    if folder is None:
        yield
        return
    place = os.fspath(folder)
    importlib.invalidate_caches()
    sys.path.insert(0, place)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(place)
