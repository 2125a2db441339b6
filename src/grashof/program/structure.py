"""The structure that a mechanism with open numbers has for almost all their values, decided at random ones near the nominal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grashof.branch.equations import Equation, Findings
from grashof.common.errors import ModelError
from grashof.formulation.natural.forms import monomials
from grashof.formulation.natural.system import System, compile_system, restrict
from grashof.model.model import Model
from grashof.model.parameters import numbers
from grashof.model.start import Pose
from grashof.program import Program
from grashof.program.native import Native
from grashof.program.places import Place, Places, Relation, Trial
from grashof.scalar.functions import Scalar

Matrix = NDArray[np.float64]

NEAR, FARTHER = 0.01, 0.05
"""How far from the nominal values the structure is decided, and how far from them it is tested, relative to their size."""

ATTEMPTS = 12
"""Number of random values that are tried until the same coordinates remain."""

EXACT = 1e-10
"""Constants of relations count as linear in the open numbers if they are so to within this fraction of the mechanism's length."""

WHOLE = 1e-8
"""A slope this near to an integer is taken to be that integer."""

AGREES = 1e-7
"""Largest difference between machine code and a rebuilt mechanism, relative to the largest number: both have lost digits to ε."""


@dataclass(frozen=True, eq=False)
class Structure:
    """The common structure.

    values      random values near the nominal ones (P,), and the values that couplings keep there
    scales      the size of each number (P,)
    poses       those of the bodies at the nominal start
    labels      those of the coordinates that remain after the joints
    left        which of these remain after the relations
    quadrics    equations of the branch that are not linear
    redundant   rows that others imply, and these others
    implied     number of rows that others imply
    trials      rebuilt mechanisms for comparison
    """

    values: Matrix
    scales: Matrix
    poses: dict[str, Pose]
    length: float
    labels: tuple[str, ...]
    left: tuple[int, ...]
    relations: tuple[Relation, ...]
    quadrics: tuple[Equation, ...]
    redundant: tuple[int, ...]
    implied: int
    refinements: int
    trials: tuple[Trial, ...]

    def check(self, native: Native, coefficients: int) -> None:
        """Compares accelerations and projections with those of rebuilt mechanisms; the first `coefficients` results of the set-up are coefficients."""
        for trial in self.trials:
            c = native.rows("setup", trial.values[None], np.empty((1, 0)))[:, :coefficients]
            for name, function in (("derivative", trial.dynamics.derivative), ("project", trial.dynamics.project)):
                found = native.rows(name, trial.state[None], c)[0]
                expected = np.array(function(trial.state.tolist()), float)
                largest = float(np.max(np.abs(expected), initial=1e-300))
                if not np.max(np.abs(found - expected), initial=0.0) <= AGREES * largest:
                    raise ModelError(
                        f"Mechanism '{trial.dynamics.model.name}' cannot be compiled with these numbers left open: its {name} differs "
                        f"from that of the rebuilt mechanism by {np.max(np.abs(found - expected)) / largest:.1e}."
                    )


def open_system(model: Model, structure: Structure, opened: Sequence[Scalar]) -> tuple[System, System]:
    """The system of the joints over open numbers, and that of the branch."""
    joints = compile_system(model, structure.length)
    assert joints.labels == structure.labels, "the same values decide alike"
    if not structure.relations and not structure.quadrics:
        return joints, joints
    system, left, _ = restrict(joints, [relation.row(opened) for relation in structure.relations])
    assert tuple(left) == structure.left, "the same values decide alike"
    return joints, replace(system, rows=(*system.rows, *(equation.row for equation in structure.quadrics)))


def common_structure(model: Model, program: Program, names: Sequence[str], nominal: Matrix) -> Structure:
    """Decides the structure at random values near the nominal ones."""
    rng, length = np.random.default_rng(1), program.system.length
    units = [numbers(model)[name].unit for name in names]
    plain = [length if unit == "m" else 1.0 for unit in units]
    scales = np.where(nominal != 0.0, np.abs(nominal), plain)

    def aside(part: float) -> Matrix:
        return np.asarray(nominal + part * scales * rng.uniform(0.5, 1.0, len(names)) * rng.choice([-1, 1], len(names)))

    places = Places(model, program, tuple(names))
    here = places.at(aside(NEAR))

    def alike(part: float) -> Place:
        """Values for which the same coordinates remain: which of two equally suitable ones is eliminated may differ."""
        for _ in range(ATTEMPTS):
            place = places.at(aside(part))
            if place.joints.system.labels == here.joints.system.labels:
                return place
        raise ModelError(
            f"Mechanism '{model.name}' has no coordinates in common for values of {', '.join(names)} near the given ones. Leave fewer of them open."
        )

    near, farther = alike(NEAR), alike(FARTHER)
    same = _same_rows(here.joints.system, near.joints.system)
    findings = here.findings
    if findings and not same:
        findings = Findings(_kept(findings, near.findings))
    if same:
        still = (0.0,) * len(names)
        found = tuple(Relation(x.gives, x.linear[1], x.linear[0], still) for x in findings.relations)
    else:
        found = _relations(findings.relations, here, (near, farther), places, scales)
    first = here.dynamics(found, findings.quadrics)
    if first.freedom != program.freedom:
        raise ModelError(
            f"Mechanism '{model.name}' has {first.freedom} degrees of freedom for most values of {', '.join(names)}, but another number for those "
            "given: it moves because they fit together. Leave fewer of them open, or tie them to each other by expressions."
        )
    trials = tuple(place.dynamics(found, findings.quadrics).trial for place in (near, farther))
    return Structure(
        np.append(here.values, here.kept),
        scales,
        places.poses,
        length,
        here.joints.system.labels,
        first.left,
        found,
        findings.quadrics,
        first.redundant,
        first.implied,
        first.refinements,
        trials,
    )


def _same_rows(one: System, other: System) -> bool:
    """Whether the joints' equations are the same at both values: then the geometry contains no open number."""
    return len(one.rows) == len(other.rows) and all(
        monomials(a.expression) == monomials(b.expression) for a, b in zip(one.rows, other.rows, strict=True)
    )


def _kept(one: Findings, other: Findings) -> tuple[Equation, ...]:
    """Relations with the same terms at both values."""
    known = {equation.gives: equation.linear[1] for equation in other.relations}

    def alike(equation: Equation) -> bool:
        terms, others = equation.linear[1], known.get(equation.gives, {})
        return terms.keys() == others.keys() and all(abs(x - others[a]) <= 1e-9 for a, x in terms.items())

    return tuple(equation for equation in one.relations if alike(equation))


def _relations(
    equations: Sequence[Equation], here: Place, others: Sequence[Place], places: Places, scales: Matrix
) -> tuple[Relation, ...]:
    """The relations whose constants are linear functions of the open numbers."""
    if not equations:
        return ()
    steps = NEAR * scales
    aside = [places.at(here.values + step) for step in np.diag(steps)]
    found = []
    for equation in equations:
        terms = equation.linear[1]
        begin, *ends = (_constant(terms, place) for place in (here, *aside))
        slopes = [_cleaned((end - begin) / step) for end, step in zip(ends, steps, strict=True)]
        rest = begin - float(np.dot(slopes, here.values))
        missed = [_constant(terms, place) - rest - float(np.dot(slopes, place.values)) for place in others]
        if np.max(np.abs(missed)) <= EXACT * places.program.system.length:
            found.append(Relation(equation.gives, terms, rest, tuple(slopes)))
    return tuple(found)


def _constant(terms: dict[int, float], place: Place) -> float:
    """The constant with which a relation holds there."""
    q = place.regular[1]
    return -math.fsum(x * q[a] for a, x in terms.items())


def _cleaned(slope: float) -> float:
    return float(round(slope)) if abs(slope - round(slope)) < WHOLE else slope
