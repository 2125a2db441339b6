"""The linearised motion of a mechanism: eigenvalues, frequencies, damping, and the shapes in which it moves.

About a position at rest, δq = Z ξ with J Z = 0, and

    ZᵀMZ ξ̈ + ZᵀCZ ξ̇ + ZᵀKZ ξ = 0,        C = −∂Q/∂v,        K = −∂(Q − Jᵀ λ)/∂q,

where λ are the multipliers at rest: K has the stiffness of springs, gravity and all other forces, and that of the
constraint forces, which turn with the mechanism. A motion ξ ~ e^{st} has the eigenvalue s (1/s), the damped frequency
|Im s|/2π and the natural frequency |s|/2π (Hz), and the damping ratio −Re s/|s|.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.common.errors import ModelError, did_you_mean
from grashof.common.notebook import report_html, table
from grashof.common.progress import Progress, silent
from grashof.common.wording import count_of
from grashof.formulation.natural.closing import close, freedom_nearby
from grashof.formulation.natural.state import SystemState
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.quantities import moving_names
from grashof.questions.equations import Array, FullState, QuestionEquations, Slopes
from grashof.questions.given import positions_over
from grashof.questions.movements import moved_bodies, named_bodies, size_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

ROUND_OFF = 1e-13
"""A stiffness that is zero may be calculated as this fraction of the largest one, times the number of coordinates,
because of rounding."""

UNDAMPED = 1e-9
"""An eigenvalue whose real part is a smaller fraction of its magnitude counts as imaginary."""

PARALLEL = 1e-3
"""Shapes of zero eigenvalues that differ by a smaller fraction are the same: they are known to the square root of
the rounding error."""


@dataclass(frozen=True, eq=False)
class LinearisedMotion:
    """The linearised motion: mass ξ̈ + damping ξ̇ + stiffness ξ = 0, with δq = directions ξ.

    zero      eigenvalues smaller than this cannot be distinguished from zero, 1/s
    allowed   an orthonormal basis, as columns, of the states (ξ, ξ̇) that rows for velocities allow, if there are any;
              the equations above keep what is allowed
    """

    directions: Array
    mass: Array
    damping: Array
    stiffness: Array
    zero: float
    allowed: Array | None = None

    @cached_property
    def eigen(self) -> tuple[Array, Array]:
        """All eigenvalues, 1/s, and δq of each as columns: two for each ξ without rows for velocities."""
        k = len(self.mass)
        inverse = np.linalg.inv(self.mass) if k else self.mass
        matrix = np.block([[np.zeros((k, k)), np.eye(k)], [-inverse @ self.stiffness, -inverse @ self.damping]])
        if self.allowed is None:
            values, vectors = np.linalg.eig(matrix)
        else:
            values, parts = eigen_without_zeros(self.allowed.T @ matrix @ self.allowed)
            vectors = self.allowed @ parts
        return values, self.directions @ vectors[:k]


def eigen_without_zeros(matrix: Array) -> tuple[Array, Array]:
    """Eigenvalues and eigenvectors of a matrix with zero eigenvalues, whose chains are split off first.

    Where a wheel may roll to, and where it is heading, change nothing, and follow from each other: such a chain of
    length k has eigenvalues that round-off spreads to its k-th root, and others lose digits with it. With an orthogonal
    basis whose first vectors are mapped to zero, the matrix is [0 B; 0 A′], and A′ has the other eigenvalues.
    """
    size, basis, left, still = len(matrix), np.eye(len(matrix)), matrix, 0
    while len(left):
        _, s, vt = np.linalg.svd(left)
        rank = int(np.sum(s > ROUND_OFF * size * s[0]))
        if rank == len(left):
            break
        done = size - len(left)
        still = still or len(left) - rank
        turned = np.vstack([vt[rank:], vt[:rank]]).T
        basis = np.hstack([basis[:, :done], basis[:, done:] @ turned])
        left = (turned.T @ left @ turned)[len(left) - rank :, len(left) - rank :]
    zeros = size - len(left)
    values, inner = np.linalg.eig(left)
    upper = basis.T @ matrix @ basis
    chains, beside = np.triu(upper[:zeros, :zeros], 1), upper[:zeros, zeros:] @ inner
    above = [np.linalg.solve(s * np.eye(zeros) - chains, x) for s, x in zip(values, beside.T, strict=True)]
    vectors = basis @ np.vstack([np.array(above).reshape(-1, zeros).T, inner])
    at_zero = [k if k < still else 0 for k in range(zeros)]  # chains have fewer eigenvectors than eigenvalues
    return np.concatenate([np.zeros(zeros), values]), np.hstack([basis[:, at_zero], vectors])


def linearise(equations: QuestionEquations, point: FullState) -> LinearisedMotion:
    """The equations of motion near a position at rest."""
    z = equations.freedoms(point.t, point.q, point.turns)
    slopes = equations.slopes(point)
    mass = z.T @ equations.mass(point.q) @ z
    return LinearisedMotion(
        z, mass, -z.T @ slopes.force_v @ z, -z.T @ slopes.force_q @ z, resolution(equations.mass(point.q), slopes, z)
    )


def resolution(mass: Array, slopes: Slopes, directions: Array) -> float:
    """The smallest eigenvalue that can be distinguished from zero, 1/s; with M, (n, n)."""
    largest = float(np.max(np.abs(slopes.force_q), initial=0.0))
    orthonormal = np.linalg.qr(directions)[0]
    lightest = float(np.min(np.linalg.eigvalsh(orthonormal.T @ mass @ orthonormal), initial=np.inf))
    return float(np.sqrt(ROUND_OFF * len(mass) * largest / lightest))


@dataclass(frozen=True, eq=False)
class Mode:
    """A mode of motion: δq is the real part of shape · e^{st}.

    eigenvalue   s, 1/s; of a conjugate pair the one with Im s > 0
    zero         whether |s| cannot be distinguished from zero
    shape        δq, (n,), complex; the point that moves farthest moves by 1 m with phase 0
    """

    eigenvalue: complex
    zero: bool
    shape: Array

    @property
    def oscillates(self) -> bool:
        """Whether the mode is a vibration."""
        return self.eigenvalue.imag > 0.0

    @property
    def frequency(self) -> float:
        """Frequency of the damped vibration, Hz; 0 if it does not oscillate."""
        return self.eigenvalue.imag / (2.0 * np.pi)

    @property
    def natural_frequency(self) -> float:
        """Natural frequency |s|/2π, Hz; 0 if it does not oscillate."""
        return abs(self.eigenvalue) / (2.0 * np.pi) if self.oscillates else 0.0

    @property
    def damping_ratio(self) -> float | None:
        """−Re s/|s|: 0 without damping, negative if it grows; None if the eigenvalue is zero."""
        return None if self.zero else -self.eigenvalue.real / abs(self.eigenvalue)

    def __str__(self) -> str:
        if self.zero:
            return "s = 0: no restoring force"
        s = self.eigenvalue
        undamped = abs(s.real) <= UNDAMPED * abs(s)
        grows = "grows" if s.real > 0.0 else "decays"
        if not self.oscillates:
            return f"s = {s.real:+.10g} 1/s: {grows}, by a factor e in {1.0 / abs(s.real):.4g} s"
        real = "" if undamped else f"{s.real:+.10g} "
        how = (
            "undamped"
            if undamped
            else f"damping ratio {self.damping_ratio:.4g}, {grows} by a factor e in {1.0 / abs(s.real):.4g} s"
        )
        return f"s = {real}± {s.imag:.10g} i 1/s: {self.frequency:.6g} Hz, {how}"


@dataclass(frozen=True, eq=False)
class Modes:
    """The modes of a mechanism, slowest first; `print(modes)` lists them, `modes[0].frequency` is in Hz.

    remark   a remark on the state about which it was linearised; usually empty
    """

    equations: QuestionEquations
    assembly: Assembly
    point: FullState
    linear: LinearisedMotion
    remark: str

    @property
    def frequencies(self) -> list[float]:
        """The frequencies of all modes, Hz; 0 for those that do not oscillate."""
        return [mode.frequency for mode in self]

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.all)

    def __getitem__(self, k: int) -> Mode:
        return self.all[k]

    @property
    def eigenvalues(self) -> Array:
        """All eigenvalues, both of each conjugate pair, 1/s, smallest first."""
        values = self.linear.eigen[0]
        return np.asarray(values[np.lexsort((values.imag, values.real, np.abs(values)))])

    @cached_property
    def all(self) -> tuple[Mode, ...]:
        """The modes: one for each real eigenvalue, one for each conjugate pair."""
        values, shapes = self.linear.eigen
        found = []
        for s, shape in zip(values, shapes.T, strict=True):
            zero = bool(abs(s) <= self.linear.zero)
            if zero or s.imag >= 0.0:
                found.append(Mode(0j if zero else complex(s), zero, self._normalise(shape)))
        found.sort(key=lambda mode: (abs(mode.eigenvalue), mode.eigenvalue.real))
        return tuple(mode for k, mode in enumerate(found) if not (mode.zero and self._repeats(found[:k], mode)))

    def _repeats(self, others: list[Mode], mode: Mode) -> bool:
        """Whether a shape is a combination of others: a zero eigenvalue appears twice with one shape, as a constant
        and as a steady drift."""
        known = np.array([other.shape for other in others]).reshape(-1, len(mode.shape)).T
        weights = np.linalg.lstsq(known, mode.shape, rcond=PARALLEL)[0]
        return bool(np.linalg.norm(known @ weights - mode.shape) < PARALLEL * np.linalg.norm(mode.shape))

    def amplitude(self, k: int, name: str) -> complex:
        """The complex amplitude (with phase) of a quantity such as `rod.end.x` or `rod.angle` in mode k, in its
        unit."""
        model = self.equations.system.model
        names = moving_names(model)
        if name not in names or name.endswith(".rate"):
            hint = did_you_mean(name, [x for x in names if not x.endswith(".rate")], at_most=3)
            raise ModelError(f"There is no quantity '{name}' in mechanism '{model.name}'; {hint}")
        still = SystemState(self.equations.system, self.point.t, self.point.q.tolist(), [0.0] * self.equations.n)
        return complex(sum(x * self[k].shape[i] for i, x in still.gradient(name, [1.0]).items()))

    def bodies(self, k: int) -> dict[str, float]:
        """How far each body moves in mode k: the larger of its points' displacement and its rotation times the
        mechanism's length, m."""
        return moved_bodies(self.equations.system, self[k].shape)

    def _normalise(self, shape: Array) -> Array:
        """The shape with the farthest-moving point displaced by 1 m; or, if no point moves, with the largest
        rotation 1/ℓ."""
        system = self.equations.system
        places = [[form.rate(shape) for form in system.point(x)] for x in system.model.points if body_of(x) != GROUND]
        size = max(map(size_of, places), default=0.0)
        if size <= 1e-9 * float(np.max(np.abs(shape), initial=0.0)):
            size, places = max(moved_bodies(system, shape).values()), [list(shape)]
        farthest = max(places, key=size_of)
        main = max(farthest, key=abs)
        return np.asarray(shape / (size * main / abs(main)))

    def in_words(self, k: int) -> str:
        """The bodies that move in mode k, and how far, relative to the one that moves most."""
        return named_bodies(self.bodies(k))

    def __str__(self) -> str:
        model, count = self.equations.system.model, self.linear.mass.shape[0]
        freedom = count_of(count, "degree of freedom", "degrees of freedom")
        lines = [f"{model.name}: linearised motion with {freedom} at t = {self.point.t:g} s."]
        if not count:
            lines.append(
                "Joints and motors hold it, so it has no modes; leave out a motor to see how it would vibrate."
            )
        for k, mode in enumerate(self, 1):
            lines.append(f"  mode {k}: {mode}")
            lines.append(f"          relative motion: {self.in_words(k - 1)}")
        return "\n".join([*lines, *([self.remark] if self.remark else [])])

    def _repr_html_(self) -> str:
        """The report as a notebook shows it, with one row per mode."""
        rows = [[str(k), str(mode), self.in_words(k - 1)] for k, mode in enumerate(self, 1)]
        first, *_ = str(self).splitlines()
        said = report_html(f"{first}\n{self.remark}" if self.remark else first)
        return said + table(["mode", "motion", "relative motion of bodies"], rows)

    def as_dict(self) -> dict[str, Any]:
        """All results as plain data."""
        model = self.equations.system.model
        names = [name for name in moving_names(model) if not name.endswith(".rate")]
        modes = []
        for k, mode in enumerate(self):
            amplitudes = {name: self.amplitude(k, name) for name in names}
            modes.append(
                {
                    "eigenvalue": _pair(mode.eigenvalue),
                    "zero": mode.zero,
                    "frequency_Hz": mode.frequency,
                    "natural_frequency_Hz": mode.natural_frequency,
                    "damping_ratio": mode.damping_ratio,
                    "bodies": self.bodies(k),
                    "shape": {name: _pair(x) for name, x in amplitudes.items()},
                }
            )
        return {
            "name": model.name,
            "t": self.point.t,
            "freedom": self.linear.mass.shape[0],
            "eigenvalues": [_pair(s) for s in self.eigenvalues],
            "modes": modes,
            "remark": self.remark,
        }

    def to_pandas(self) -> pandas.DataFrame:
        """The modes as a data frame: eigenvalue (1/s), frequencies (Hz) and damping ratio, with one row per mode,
        counted from 0 as `modes[0]` is."""
        from grashof.common.data_frames import data_frame

        rows = [
            {
                "eigenvalue": mode.eigenvalue,
                "frequency": mode.frequency,
                "natural_frequency": mode.natural_frequency,
                "damping_ratio": mode.damping_ratio,
            }
            for mode in self
        ]
        return data_frame(rows, ("eigenvalue", "frequency", "natural_frequency", "damping_ratio"))

    # -- pictures

    def plot(self, path: str | os.PathLike[str] | None = None, amplitude: float | None = None) -> Figure:
        """Draws the shapes of the first six modes, with the undisplaced position in grey; written to a file if a path
        is given.

        amplitude   displacement of the farthest-moving point, m; by default a quarter of the mechanism's length
        """
        from grashof.show.shapes import draw_shapes

        size = 0.25 * self.equations.system.length if amplitude is None else amplitude
        some = self.all[:6]
        places = [self.point.q, *(self._displace(mode, size, 0.0) for mode in some)]
        run = positions_over(
            self.equations.dynamics, self.assembly, np.arange(len(places), dtype=float), np.array(places)
        )
        titles = [f"mode {k}: {_short(mode)}" for k, mode in enumerate(some, 1)]
        return draw_shapes(run, titles, path)

    def animate(
        self,
        path: str | os.PathLike[str],
        mode: int = 0,
        amplitude: float | None = None,
        *,
        progress: Progress = silent,
    ) -> None:
        """Writes one period of a mode, without decay or growth, as .html, .gif, .mp4 or .webm; a mode that does not
        oscillate sways once in 1 s."""
        from grashof.show.animation import animate

        if not 0 <= mode < len(self):
            raise ModelError(f"Mode {mode} is requested, but there are {count_of(len(self), 'mode')}, counted from 0.")
        chosen = self[mode]
        size = 0.25 * self.equations.system.length if amplitude is None else amplitude
        period = 1.0 / chosen.frequency if chosen.oscillates else 1.0
        parts = np.linspace(0.0, 1.0, 121)
        q = np.array([self._displace(chosen, size, 2.0 * np.pi * part) for part in parts])
        run = positions_over(self.equations.dynamics, self.assembly, period * parts, q)
        animate(run, path, progress=progress)

    def _displace(self, mode: Mode, size: float, phase: float) -> Array:
        """The position with a mode's shape added, all loops closed again."""
        q = self.point.q + size * (mode.shape * np.exp(1j * phase)).real
        return close(self.equations.positions(self.point.t, self.point.turns), q)[0]


def modes_at(equations: QuestionEquations, assembly: Assembly, point: FullState) -> Modes:
    """The modes about a position at rest; `point` has the multipliers that hold it there."""
    linear = linearise(equations, point)
    nearby = freedom_nearby(equations.positions(point.t, point.turns), point.q)
    more, remark = linear.mass.shape[0] - nearby, ""
    if more:
        remark = (
            f"The position is singular: it has {count_of(more, 'degree of freedom', 'degrees of freedom')} "
            "more than nearby positions. The mechanism cannot move in "
            "some of these directions, and the linearised motion says little about the real one."
        )
    return Modes(equations, assembly, point, linear, remark)


def _short(mode: Mode) -> str:
    if mode.zero:
        return "s = 0"
    if mode.oscillates:
        return f"{mode.frequency:.4g} Hz"
    return f"s = {mode.eigenvalue.real:+.4g} 1/s"


def _pair(x: complex) -> list[float]:
    return [float(x.real), float(x.imag)]
