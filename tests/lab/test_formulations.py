"""Formulations keep what their cards claim, and say so when they fail."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.lab import FORMULATIONS, Card, Ending, Formulation, FormulationFailed, LabEquations, LabState
from grashof.lab.formulations.energy_momentum import EnergyMomentum
from grashof.lab.formulations.generalized_alpha import GeneralizedAlpha
from grashof.lab.formulations.hht import Hht
from grashof.lab.subject import subject

STEPPING = [name for name, kind in FORMULATIONS.items() if kind.setting == "step"]
OWN = ["natural", "relative"]


def swing() -> gr.Mechanism:
    """A spring pendulum on a rod: two degrees of freedom, forces that are not linear, no damping."""
    m = gr.Mechanism("swing", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    tip = m.bar("tip", length=0.5, mass=0.3)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.revolute(rod.end, tip.start)
    m.spring(tip.end, m.ground.at(1, 0), stiffness=20.0, length=0.4)
    m.need(rod.angle, value=-0.5)
    m.need(tip.angle, value=0.7, rate=2.0)
    return m


@pytest.mark.parametrize("name", STEPPING)
def test_a_pendulum_converges_to_its_closed_form_with_the_order_of_the_card(name: str) -> None:
    found = gr.lab.compare("simple-pendulum", 1.0, formulations=[name], settings={"step": [0.02, 0.01]})
    assert all(x.status.ok for x in found[name])
    card = FORMULATIONS[name].card
    assert card.order is not None
    assert found.order(name) == pytest.approx(card.order, abs=0.35)


@pytest.mark.parametrize("name", STEPPING)
def test_a_closed_loop_converges_with_the_order_of_the_card(name: str) -> None:
    """Also with redundant constraints: the Bricard mechanism has one, which no elimination removes."""
    found = gr.lab.compare("bricard-mechanism", 0.4, formulations=[name], settings={"step": [0.08, 0.01]})
    coarse, fine = found[name]
    assert coarse.status.ok
    assert fine.status.ok
    order = FORMULATIONS[name].card.order
    assert order is not None
    assert coarse.error is not None
    assert fine.error is not None
    assert math.log(coarse.error / fine.error, 8.0) > order - 0.4
    for level, drift in (("positions", fine.position_violation), ("velocities", fine.velocity_violation)):
        assert drift is not None
        assert (drift < 5e-12) == (level in FORMULATIONS[name].card.holds), (level, drift)


@pytest.mark.parametrize("name", OWN)
def test_the_package_itself_is_judged_likewise(name: str) -> None:
    loose, tight = gr.lab.compare("double-four-bar", 0.5, formulations=[name], settings={"tolerance": [1e-4, 1e-10]})[
        name
    ]
    assert loose.status.ok
    assert tight.status.ok
    assert loose.error is not None
    assert tight.error is not None
    assert tight.error < 1e-9 < loose.error < 1e-3


def test_maximal_coordinates_agree() -> None:
    pytest.importorskip("scipy")
    (found,) = gr.lab.compare("andrews", 0.005, formulations=["maximal"], settings={"tolerance": [1e-8]})["maximal"]
    assert found.status.ok, found.status
    assert found.error is not None
    assert found.error < 1e-6


def test_singular_positions_stop_those_without_position_constraints() -> None:
    """The double four-bar passes flat positions, at which the Jacobian loses rank. Equations of index 1 and penalties
    lose the motion there sooner or later; those that hold positions pass the first one with steps of 0.01 s."""
    found = gr.lab.compare("double-four-bar", 10.0, formulations=["baumgarte", "penalty"], settings={"step": [0.01]})
    for label in found.members:
        assert not found[label][0].status.ok
    passing = [name for name in STEPPING if "positions" in FORMULATIONS[name].card.holds]
    found = gr.lab.compare("double-four-bar", 1.0, formulations=passing, settings={"step": [0.01]})
    for label in passing:
        result = found[label][0]
        assert result.status.ok, (label, result.status)
        assert result.error is not None
        assert result.error < 0.03, label


@dataclass(frozen=True)
class Broken(Formulation):
    """Stops after half a second, in one of two ways."""

    name = "broken"
    card = Card("", "", None, (), "")
    silent: bool = False

    def step(self, eq: LabEquations, now: LabState, h: float) -> LabState:
        if now.t < 0.45:
            return replace(now, t=now.t + h)
        if self.silent:
            return replace(now, q=np.full(eq.n, np.nan))
        raise FormulationFailed("No further.")


@pytest.mark.parametrize(("silent", "ending"), [(False, Ending.UNSOLVED), (True, Ending.NOT_FINITE)])
def test_a_failed_run_has_no_error(silent: bool, ending: Ending) -> None:
    member = Broken(silent=silent)
    found = gr.lab.compare("simple-pendulum", 1.0, formulations=[member], settings={"step": [0.1]})
    (broken,) = found[member.label]
    assert broken.status.ending is ending
    assert broken.error is None  # it has none, since it did not reach the end
    assert broken.status.time == pytest.approx(0.5)
    assert str(broken.status).startswith("Failed at t = 0.5 s of 1 s: ")
    data = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    (run,) = data["formulations"][member.label]["runs"]
    assert (run["ok"], run["error"], run["steps"]) == (False, None, 5)


def test_the_energy_momentum_method_conserves_energy_with_long_steps() -> None:
    """Other methods of its order do not, and long steps are not accurate: only the energy is."""
    names = ["energy-momentum", "generalized-alpha"]
    found = gr.lab.compare(swing(), 2.0, formulations=names, settings={"step": [0.05]})
    exact, other = (found[name][0] for name in names)
    assert exact.energy_error is not None
    assert other.energy_error is not None
    assert exact.energy_error < 1e-10
    assert other.energy_error > 1e-2
    assert exact.error is not None
    assert exact.error > 1e-3


def test_the_energy_momentum_method_needs_a_constant_mass_matrix() -> None:
    m = gr.Mechanism("inerter", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.inerter(rod.angle, 0.5)
    result = gr.lab.compare(m, 0.1, formulations=[EnergyMomentum()], settings={"step": [0.01]})["energy-momentum"][0]
    assert result.status.ending is Ending.REFUSED
    assert "constant one" in str(result.status)


@pytest.mark.parametrize(
    ("member", "radius"),
    [(GeneralizedAlpha(rho=0.8), 0.8), (GeneralizedAlpha(rho=0.0), 0.0), (GeneralizedAlpha(rho=1.0), 1.0)]
    + [(Hht(alpha=x), (1.0 - x) / (1.0 + x)) for x in (0.1, 1.0 / 3.0)],
)
def test_motions_of_infinite_frequency_are_damped_as_the_papers_say(member: Formulation, radius: float) -> None:
    """One step of a very stiff oscillator as a matrix: its spectral radius is ρ∞ (Chung and Hulbert, 1993), and
    (1 − α)/(1 + α) for HHT-α."""
    m = gr.Mechanism("block")
    block = m.bar("block", length=1.0, mass=1.0)
    m.prismatic(m.ground.at(0, 0), block.start, axis=(1, 0))
    m.spring(block.start, m.ground.at(-2, 0), stiffness=1e7, length=2.0)
    eq = subject(m, 1.0).equations
    assert (eq.n, eq.m) == (1, 0)
    rest = eq.q + eq.at(eq.t, eq.q, eq.v).forces / 1e7
    h, unit, columns = 1.0, 1e-7, []
    for x in np.eye(3):
        given = [np.array([unit * part]) for part in x]
        now = LabState(0.0, rest + given[0], given[1], -1e7 * given[0], np.zeros(0), given[2])
        new = member.step(eq, now, h)
        columns.append([float((new.q - rest)[0]), float(new.v[0]), float(new.kept[0])])
    assert np.max(np.abs(np.linalg.eigvals(np.array(columns).T / unit))) == pytest.approx(radius, abs=0.02)


def test_names_and_durations_that_are_missing_are_said() -> None:
    with pytest.raises(ModelError, match="There is no formulation 'baumgart'; "):
        gr.lab.compare("simple-pendulum", 1.0, formulations=["baumgart"])
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    with pytest.raises(ModelError, match="does not say how long its motion lasts; give t_end"):
        gr.lab.compare(m)
    assert math.isfinite(gr.lab.compare(m, 0.5, formulations=["baumgarte"])["baumgarte"][-1].error or math.nan)
