"""The scripts in examples/ run in their short form, draw their pictures, and find what they say."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import grashof as gr

SCRIPTS = Path(__file__).parents[2] / "examples"


def script(name: str) -> ModuleType:
    spec = spec_from_file_location(f"example_{name}", SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for the names in annotations
    spec.loader.exec_module(module)
    return module


def test_a_first_script_draws_a_slider_crank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = script("slider_crank").run
    assert run.status.ok
    assert run["rod.end.x"].max() == pytest.approx(0.7, abs=1e-3)
    assert (tmp_path / "slider_crank.png").exists()


def test_a_four_bar_is_found_with_several_times_fewer_runs(tmp_path: Path) -> None:
    example = script("four_bar_synthesis")
    exact, differences = example.main(["--short", "-o", str(tmp_path / "picture.png")])
    assert (tmp_path / "picture.png").exists()
    assert exact.distance < 0.9 * exact.distances[0]
    assert exact.distance < 1.01 * differences.distance
    assert differences.runs > 5 * exact.runs
    # the distance is that of a run which knows nothing of objectives
    times = np.arange(12) / 12
    run = gr.simulate(example.linkage(exact.values), times[-1], times=times)
    x, y = example.foot(times)
    distance = np.sqrt(np.mean((run["coupler.P.x"] - x) ** 2 + (run["coupler.P.y"] - y) ** 2))
    assert distance == pytest.approx(exact.distance, rel=1e-3)


def test_a_spring_makes_the_peak_torque_smaller(tmp_path: Path) -> None:
    example = script("peak_torque")
    found = example.main(["--short", "-o", str(tmp_path / "picture.png")])
    assert (tmp_path / "picture.png").exists()
    before, after = (np.max(np.abs(torques)) for torques in (found.before, found.after))
    assert after < 0.5 * before
    # no spring of a coarse sweep is better
    assert after < np.min(example.landscape(8)[1])
    # what the joints need says the same of the motor: means over 5° differ from values by 1 % at most, (3·5°)²/24 for
    # three waves a turn
    mechanism = gr.with_numbers(example.slider_crank(), dict(zip(example.BOUNDS, found.way[-1], strict=True)))
    motor = gr.simulate(mechanism, example.TURN, times=721).reactions()["motor.torque"]
    assert np.max(np.abs(motor)) == pytest.approx(after, rel=0.01)


def test_tolerances_scatter_the_motion_as_derivatives_predict(tmp_path: Path) -> None:
    example = script("tolerance")
    found = example.main(["--short", "-o", str(tmp_path / "picture.png")])
    assert (tmp_path / "picture.png").exists()
    assert found.table.ok.all()
    assert found.sensitivities.ok
    # the standard deviation of 500 values is known to 1/√1000, of which three are allowed; what is of second order adds
    # less than 5 %
    for output in example.OUTPUTS:
        assert found.table[output].std() == pytest.approx(found.predicted(output), rel=3.0 / np.sqrt(1000) + 0.05)
    # the other way to compute rows has its errors within the same tolerance, 1e-6: of an angle in rad, of a length in
    # units of the mechanism's
    assert found.difference("OF.angle at end") < 2e-6
    assert found.difference("OF.F.x at end") < 2e-6 * 0.1


def test_masses_and_friction_are_identified_within_their_standard_errors(tmp_path: Path) -> None:
    example = script("identification")
    found = example.main(["--short", "-o", str(tmp_path / "picture.png")])
    assert (tmp_path / "picture.png").exists()
    for name, true in example.TRUE.items():
        assert abs(found.estimates[0].values[name] - true) < 4.0 * found.errors[name] < 0.2 * true
    # χ² has the mean 47 and the standard deviation √94: 50 angles, three numbers
    assert abs(found.estimates[0].chi2 - 47.0) < 4.0 * np.sqrt(94.0)
    # the covariance is the inverse of the curvature of χ²/2, here by differences of runs
    times = found.times

    def angles(change: dict[str, float]) -> np.ndarray:
        values = {name: x + change.get(name, 0.0) for name, x in found.estimates[0].values.items()}
        return gr.simulate(example.slider_crank(values), example.T_END, times=times, tol=1e-8)["crank.angle"]

    slopes = [(angles({name: 1e-4}) - angles({name: -1e-4})) / 2e-4 for name in example.TRUE]
    curvature = np.array(slopes) @ np.transpose(slopes) / example.NOISE**2
    sizes = np.sqrt(np.diag(found.covariance))
    apart = (np.linalg.inv(curvature) - found.covariance) / np.outer(sizes, sizes)
    assert np.max(np.abs(apart)) < 0.01
