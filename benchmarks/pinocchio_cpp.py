"""Pinocchio's articulated-body algorithm from C++, with an adaptive DOP853: `programs/tree_aba.cpp` and `tree_run.c`.

The joints of the tree are revolute joints about the z axes of their own frames, for which `aba` has its fastest code,
and free joints; everything is compiled for this processor, with the headers of the packages `pin` and `cmeel-eigen`.
"""

from __future__ import annotations

import ctypes
import math
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.hand_written import FLAGS, SOURCES, HandWritten, Source, Unavailable
from grashof.engines.base import EngineFailed, Result, Setting
from grashof.formulation.relative.equations import Relative
from grashof.formulation.relative.start import relative_coordinates
from grashof.formulation.relative.tree import Node
from grashof.model.rotations import rotation_matrix
from grashof.program import Program
from grashof.situation.motion import motion_of

TOLERANCES = tuple(10.0 ** (-k / 3.0) for k in range(3, 37))
SAMPLES = 5
"""Integrations that are timed in one call of the program."""

COMPILE = ("-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-fPIC", "-shared")


def compile_library(folder: Path, source: str = "tree_aba.cpp") -> Path:
    """The library with `aba`, or that of another source; takes about two minutes."""
    try:
        import pinocchio
    except ImportError:
        raise Unavailable("the package 'pin' is not installed") from None
    command = shutil.which(os.environ.get("CXX") or "c++")
    if command is None:
        raise Unavailable("there is no C++ compiler")
    headers = Path(pinocchio.__file__).parents[4] / "include"
    if not (headers / "eigen3").exists():
        raise Unavailable("the package 'cmeel-eigen' is not installed")
    library = folder / f"lib{Path(source).stem}.so"
    includes = [f"-I{headers}", f"-I{headers / 'eigen3'}"]
    done = subprocess.run(
        [command, *COMPILE, *includes, str(SOURCES / source), "-o", str(library)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Unavailable("it does not compile: " + next(x for x in done.stderr.splitlines() if "error" in x))
    return library


@dataclass(frozen=True)
class _Joint:
    """Of Pinocchio's model: the nodes of the tree that it stands for, its parent, and where it is in its axes."""

    nodes: tuple[int, ...]
    parent: int
    node: Node

    @property
    def free(self) -> bool:
        return len(self.nodes) > 1


class PinocchioInC:
    """A tree, ready to be run by the program."""

    def __init__(self, program: Program, library: Path, folder: Path) -> None:
        assert program.relative is not None
        self.program, self.tree = program, program.relative
        self.joints = _find_joints(self.tree)
        folder.mkdir(parents=True, exist_ok=True)
        self.library, self.file = library, folder / "tree.txt"
        self.file.write_text(self._describe())
        links = ("-Wl,--no-as-needed", str(library), f"-Wl,-rpath,{library.parent}")
        size = sum(13 if joint.free else 2 for joint in self.joints)
        with self._chosen():
            self.runner = HandWritten(Source("tree_run", "", {"SIZE": size}), folder, (*FLAGS, *links))

    def ladder(self) -> tuple[Setting, ...]:
        """Settings from coarse to fine."""
        return tuple(Setting(f"DOP853, tol {tol:.1e}", {"tol": tol}) for tol in TOLERANCES)

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        """The bodies at the start and at the end."""
        tol = float(setting.values["tol"])
        with self._chosen():
            found, cpu = self.runner.run(tol), min(self.runner.cpu(tol, SAMPLES))
        if found.message:
            raise EngineFailed(found.message)
        last = np.array([found.final[f"y{k}"] for k in range(len(found.final))])
        q, v = (np.array(x) for x in zip(self._start(), self._natural(last), strict=True))
        motion = motion_of(self.program.system, times[[0, -1]], q, v)
        self.evaluations = found.evaluations
        return Result(motion, cpu, cpu, found.steps)

    def call_s(self) -> float:
        """CPU seconds of one evaluation of the accelerations."""
        with self._chosen():
            library = ctypes.CDLL(str(self.library))
        size = sum(13 if joint.free else 2 for joint in self.joints)
        y, f = np.zeros(size), np.zeros(size)
        places = [ctypes.c_void_p(x.ctypes.data) for x in (y, f)]
        library.tree_start(places[0])
        best = math.inf
        for _ in range(9):
            began = time.process_time()
            library.tree_repeat(1000, *places)
            best = min(best, 1e-3 * (time.process_time() - began))
        return best

    @contextmanager
    def _chosen(self) -> Iterator[None]:
        os.environ["TREE"] = str(self.file)
        yield

    def _start(self) -> tuple[np.ndarray, np.ndarray]:
        y, layout = self.program.y0, self.program.dynamics.layout
        return y[layout.of_q], y[layout.of_v]

    def _describe(self) -> str:
        lines = [str(len(self.joints))]
        for joint in self.joints:
            node = joint.node
            center = np.array(node.moment) / node.mass
            square = (center @ center) * np.eye(3) - np.outer(center, center)
            i = np.array(node.inertia) - node.mass * square
            inertia = (i[0, 0], i[0, 1], i[1, 1], i[0, 2], i[1, 2], i[2, 2])
            rotation = np.eye(3) if joint.free else np.array(node.rotation)
            numbers = (*rotation.ravel(), *node.shift, node.mass, *center, *inertia)
            lines.append(f"{int(joint.free)} {joint.parent} " + " ".join(repr(float(x)) for x in numbers))
        state = [*self.tree.model.gravity, *self._relative_start()]
        return "\n".join([*lines, " ".join(repr(float(x)) for x in state)]) + "\n"

    def _relative_start(self) -> np.ndarray:
        """y as Pinocchio orders it."""
        q, v = relative_coordinates(self.tree, *(x.tolist() for x in self._start()))
        motions, rates = self.tree.coordinates.motions(q), self.tree.coordinates.rates(q, v)
        positions: list[float] = []
        speeds: list[float] = []
        for joint in self.joints:
            own, moving = [motions[k] for k in joint.nodes], [rates[k] for k in joint.nodes]
            if joint.free:
                w, *x = np.array(own[3], float) / np.linalg.norm(np.array(own[3], float))
                place, rate = [float(s[0]) for s in own[:3]], np.array([float(s[0]) for s in moving[:3]])
                positions += [*place, *x, w]
                speeds += [*(rotation_matrix((w, *x)).T @ rate), *map(float, moving[3])]
            else:
                positions.append(float(own[0][0]))
                speeds.append(float(moving[0][0]))
        return np.array(positions + speeds)

    def _natural(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Natural coordinates and velocities of a state as Pinocchio orders it."""
        coordinates = self.tree.coordinates
        count = sum(7 if joint.free else 1 for joint in self.joints)
        motions: dict[int, list[float]] = {}
        rates: dict[int, list[float]] = {}
        at, moving = 0, count
        for joint in self.joints:
            if joint.free:
                x, turn = y[at : at + 3], y[[at + 6, at + 3, at + 4, at + 5]]
                speed = rotation_matrix(tuple(turn)) @ y[moving : moving + 3]
                for k, node in enumerate(joint.nodes[:3]):
                    motions[node], rates[node] = [float(x[k])], [float(speed[k])]
                motions[joint.nodes[3]], rates[joint.nodes[3]] = turn.tolist(), y[moving + 3 : moving + 6].tolist()
                at, moving = at + 7, moving + 6
            else:
                motions[joint.nodes[0]], rates[joint.nodes[0]] = [float(y[at])], [float(y[moving])]
                at, moving = at + 1, moving + 1
        order = range(len(self.tree.tree.nodes))
        q, v = coordinates.pack([motions[k] for k in order], [rates[k] for k in order])
        seen = self.tree.naturally([0.0, *q, *v], [0.0] * len(v))
        n = self.tree.natural.n
        return np.array(seen[:n], float), np.array(seen[n : 2 * n], float)


def _find_joints(tree: Relative) -> list[_Joint]:
    """Three slides and a ball are a free joint; every other node must be a turn."""
    found: list[_Joint] = []
    joint_of = {-1: -1}
    nodes = tree.tree.nodes
    k = 0
    while k < len(nodes):
        count = 4 if nodes[k].kind == "slide" else 1
        last = nodes[k + count - 1]
        if [node.kind for node in nodes[k : k + count]] not in (["turn"], ["slide"] * 3 + ["ball"]):
            raise Unavailable("the tree has other joints than revolute and free ones")
        found.append(_Joint(tuple(range(k, k + count)), joint_of[nodes[k].parent], last))
        joint_of[k + count - 1] = len(found) - 1
        k += count
    return found
