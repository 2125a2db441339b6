"""Random mechanisms in motion: poses and velocities that their joints and motors allow, and the same in natural
coordinates."""

from __future__ import annotations

import math
from dataclasses import replace

import msgspec
import numpy as np

from grashof.formulation.natural.equations import Dynamics, make_dynamics
from grashof.formulation.natural.system import System
from grashof.model.couplings import Motor
from grashof.model.model import Model
from grashof.model.rotations import rotation_matrix

from .mechanisms import Structure, build_model
from .newton_euler import BodyCoordinates, skew, turned
from .rounding import UNIT

Array = np.ndarray

CONDITION = 1e5
"""Mechanisms whose equations are worse conditioned are left out, so that either side of a comparison has its digits."""

AGREEMENT = 1e-8
"""What two dense solutions of such a mechanism may differ by, relative to the largest acceleration or reaction."""

TRACE, ROUNDING = 1e-16, 6
"""Share of ε that refinement may leave in the accelerations, and the refinements that it takes to leave none of the
rounding."""


def guessed_poses(model: Model) -> dict[str, tuple[Array, Array]]:
    """Origin and axes of every body as the description guesses them, and the ground's."""
    poses = {"ground": (np.zeros(model.dimension), np.eye(model.dimension))}
    for name, pose in model.start.guesses.items():
        axes = rotation_matrix(pose.rotation) if model.dimension == 3 else turned(pose.angle)
        poses[name] = (np.array(pose.position), axes)
    return poses


def rank_of(matrix: Array) -> int | None:
    """The rank, None if it is in doubt."""
    s = np.linalg.svd(matrix, compute_uv=False)
    rank = int(np.sum(s > 1e-9 * s[0]))
    return rank if s[rank - 1] > s[0] / CONDITION else None


def admissible_velocities(jacobian: Array, rank: int, rng: np.random.Generator) -> Array:
    """Random velocities with J u = 0."""
    free = np.linalg.svd(jacobian)[2][rank:].T
    u: Array = free @ rng.normal(size=free.shape[1])
    return u


def in_motion(structure: Structure) -> tuple[BodyCoordinates, dict[str, float]] | None:
    """The structure's mechanism, moving at random, and the second derivatives of its motors' laws; None if badly
    conditioned."""
    rng = np.random.default_rng(structure.seed + 1)
    model = build_model(structure)
    poses = guessed_poses(model)
    still = BodyCoordinates(model, poses)
    jacobian, _ = still.constraints()
    rank = rank_of(jacobian)
    if rank is None:
        return None
    u = np.zeros(still.size)
    u[still.free] = admissible_velocities(jacobian, rank, rng)
    model, second = _with_fitting_motors(BodyCoordinates(model, poses, u), rng)
    bodies = BodyCoordinates(model, poses, u)
    jacobian, _ = bodies.constraints(second)
    # a motor on what is already determined asks for the impossible
    return (bodies, second) if rank_of(jacobian) == rank + len(model.motors) else None


def _with_fitting_motors(bodies: BodyCoordinates, rng: np.random.Generator) -> tuple[Model, dict[str, float]]:
    """The motors' laws made to start where the mechanism is, as fast as it moves, with some acceleration."""
    model = bodies.model
    motors, second = [], {}
    for motor in model.motors:
        measure = bodies.measure(model.all_measures[motor.target])
        second[motor.name] = float(rng.normal())
        law = f"{float(measure.value)!r} + {float(measure.rate)!r}*t + {0.5 * second[motor.name]!r}*t*t"
        motors.append(Motor(motor.name, motor.target, law))
    return msgspec.structs.replace(model, motors=tuple(motors)), second


def coordinates_of(system: System, bodies: BodyCoordinates) -> tuple[Array, Array]:
    """q and v of the natural coordinates, from poses and velocities: all of a body's points and directions say them."""
    size = system.dimension
    rows, values, rates = [], [], []
    for name in bodies.names:
        frame = system.frames[name]
        origin = bodies.point_at(name, frame.origin_local)
        arrows = [bodies.arrow(name, tuple(local)) for local in frame.directions_local]
        for forms, known in zip([frame.origin, *frame.directions], [origin, *arrows], strict=True):
            for form, value, rate in zip(forms, known.value[:size], known.rate[:size], strict=True):
                row = np.zeros(system.n)
                row[list(form.terms)] = list(form.terms.values())
                rows.append(row)
                values.append(value - form.constant)
                rates.append(rate)
    q, *_ = np.linalg.lstsq(np.array(rows), np.array(values))
    v, *_ = np.linalg.lstsq(np.array(rows), np.array(rates))
    return q, v


def converged(system: System, *bodies: BodyCoordinates) -> Dynamics:
    """The equations themselves: so many refinements that ε has left no trace in these positions."""
    dynamics = make_dynamics(system)
    rates = [_refinement_rate(dynamics, coordinates_of(system, here)[0]) for here in bodies]
    needed = max(math.ceil(math.log(TRACE) / math.log(rate)) if rate else 0 for rate in rates)
    return replace(dynamics, refinements=max(needed, ROUNDING))


def _refinement_rate(dynamics: Dynamics, q: Array) -> float:
    """The factor by which a refinement reduces the trace of ε, at most.

    What is left of the multipliers' error e is (S + E)⁻¹ E e with S = J A⁻¹ Jᵀ, A the first block of the matrix: in the
    coordinates E^½ e each eigenvalue μ of E^−½ S E^−½ makes it 1/(1 + μ). Where μ = 0, multipliers do not act.
    """
    kkt = dynamics.kkt
    block, rows = np.zeros((kkt.n, kkt.n)), np.zeros((kkt.m, kkt.n))
    for (i, j), x in kkt.mass.items():
        block[i, j] = block[j, i] = x
    for row, entries in zip(rows, kkt.rows(dynamics.rows.jacobian(0.0, q.tolist())), strict=True):
        row[list(entries)] = list(entries.values())
    block += rows.T @ (np.array(kkt.augment)[:, None] * rows)
    scaled = np.linalg.solve(np.linalg.cholesky(block), rows.T / np.sqrt(kkt.epsilon))
    roots = np.linalg.svd(scaled, compute_uv=False)
    acting = roots[roots > 1e-9 * np.max(roots, initial=0.0)]
    return 1.0 / (1.0 + float(acting[-1]) ** 2) if len(acting) else 0.0


def accelerations_at(dynamics: Dynamics, bodies: BodyCoordinates) -> tuple[Array, Array, list[float], Array]:
    """q, v, the tracked angles and the accelerations that the equations of motion give there."""
    q, v = coordinates_of(dynamics.system, bodies)
    measures = bodies.model.all_measures
    turns = [float(bodies.measure(measures[name]).value) for name in dynamics.system.tracked]
    a, _ = dynamics.accelerations(dynamics.state([0.0, *q, *v, *turns]))
    return q, v, turns, np.array(a)


def disturbed(bodies: BodyCoordinates, rng: np.random.Generator) -> BodyCoordinates:
    """The same mechanism with every number of its poses and velocities wrong by a rounding."""
    size = bodies.model.dimension
    poses = {}
    for name, axes in bodies.axes.items():
        turn = turned(UNIT * rng.normal()) if size == 2 else np.eye(3) + skew(UNIT * rng.normal(size=3))
        place = bodies.origins[name][:size]
        poses[name] = (place + UNIT * (1.0 + np.abs(place)) * rng.normal(size=size), turn @ axes[:size, :size])
    return BodyCoordinates(bodies.model, poses, bodies.u * (1.0 + UNIT * rng.normal(size=bodies.size)))
