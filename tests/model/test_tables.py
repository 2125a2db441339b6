"""Tables interpolate as SciPy does, in every arithmetic, and their points are where steps end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline

import grashof as gr
from grashof.changes.time_dependence import make_clock
from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.system import compile_system
from grashof.model.files import dumps, loads
from grashof.model.handles import Handle
from grashof.model.tables import Kind, Table
from grashof.scalar import Jet
from grashof.tape import trace

gaps = st.lists(st.floats(0.1, 3.0), min_size=4, max_size=30)


def points(gaps: list[float], seed: int, periodic: bool) -> tuple[np.ndarray, np.ndarray]:
    x = np.cumsum(gaps) - 1.0
    y = np.random.default_rng(seed).normal(size=len(x))
    if periodic:
        y[-1] = y[0]
    return x, y


@given(gaps, st.integers(0, 99), st.booleans())
def test_a_cubic_table_is_the_spline_of_scipy(gaps: list[float], seed: int, periodic: bool) -> None:
    x, y = points(gaps, seed, periodic)
    table = gr.table(x, y, kind="cubic", periodic=periodic)
    spline = CubicSpline(x, y, bc_type="periodic" if periodic else "not-a-knot")
    at = np.linspace(x[0], x[-1], 101)[:-1]
    size = np.max(np.abs(spline(at)))
    assert table(at) == pytest.approx(spline(at), abs=1e-10 * size)
    jet = table(Jet(at, 1.0, 0.0))
    assert jet.first == pytest.approx(spline(at, 1), abs=1e-8 * size)
    assert jet.second == pytest.approx(spline(at, 2), abs=1e-7 * size)


@given(gaps, st.integers(0, 99), st.sampled_from(["linear", "cubic"]), st.booleans(), st.floats(-5.0, 100.0))
def test_numbers_arrays_and_traced_values_agree(
    gaps: list[float], seed: int, kind: Kind, periodic: bool, at: float
) -> None:
    table = gr.table(*points(gaps, seed, periodic), kind=kind, periodic=periodic)
    expected = table(at)
    assert table(np.array([at]))[0] == expected
    assert trace(lambda x: [table(x[0])], 1).evaluate([at]) == [expected]


def test_outside_the_ends_are_held_or_repeated() -> None:
    x, y = [1.0, 2.0, 4.0], [3.0, 5.0, 3.0]
    assert [gr.table(x, y)(at) for at in (0.0, 1.0, 3.0, 4.0, 9.0)] == [3.0, 3.0, 4.0, 3.0, 3.0]
    assert [gr.table(x, y, periodic=True)(at) for at in (0.0, 5.0, -4.5)] == [4.0, 5.0, 4.0]


@pytest.mark.parametrize(
    ("x", "y", "options", "words"),
    [
        ([0, 1], [0], {}, "x has 2 numbers and y has 1"),
        ([0], [0], {}, "at least 2"),
        ([0, 1, 1], [0, 1, 2], {}, r"x\[2\] is 1.0 after 1.0; x must increase"),
        ([0, 1, 2], [0, 1, 2], {"periodic": True}, "begins with 0.0 and ends with 2.0"),
        ([0, 1, 2], [0, 1, 0], {"periodic": True, "kind": "cubic"}, "at least 4"),
        ([0, 1], [0, 1], {"kind": "quadratic"}, "kind is 'quadratic'"),
        ([0, 1e-300], [0, 1e300], {}, "slopes are too large"),
        ([-1.7e308, 1.7e308], [0, 1], {}, "too far"),
    ],
)
def test_points_that_make_no_function_are_refused(
    x: list[float], y: list[float], options: dict[str, Any], words: str
) -> None:
    with pytest.raises(gr.ModelError, match=words):
        gr.table(x, y, name="T", **options)


def block() -> tuple[gr.Mechanism, Handle]:
    m = gr.Mechanism("block")
    block = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)))
    m.need("block.p.x", value=0.0, rate=0.0)
    return m, block


def test_the_impulse_of_a_table_of_time() -> None:
    m, body = block()
    m.table("push", [0.0, 0.1, 0.2, 0.3, 0.7], [0.0, 4.0, 0.0, -1.0, 0.0])
    m.force(body.p, ("push(t)", 0))
    run = gr.simulate(m, 1.0)
    assert run["block.p.x.rate"][-1] == pytest.approx((0.4 - 0.25) / 2.0, rel=1e-9)
    again = loads(dumps(m.model))
    assert again == m.model
    assert np.array_equal(gr.simulate(again, 1.0).y, run.y)


def test_steps_end_at_every_point_of_a_table_of_time() -> None:
    m, body = block()
    x = [0.1, 0.2, 0.20001, 0.20002, 0.5]
    m.table("push", x, [0.0, 1.0, 0.0, 2.0, 0.0])
    m.force(body.p, ("push(t) + floor(7*t)", 0))
    clock = make_clock(make_dynamics(compile_system(m.model)))
    assert clock is not None
    stops = clock.pace(0.0, 1.0, np.array([0.0, 0.0, 0.0])).stops
    for time in [*x, *(k / 7 for k in range(1, 7))]:
        left, right = next((left, right) for left, right in stops if left < time < right)
        assert right - left < 1e-14


def test_a_spring_by_a_table_of_its_stretch() -> None:
    """A table through the points of a line is that line: x = 0.1 cos(5 t)."""
    m, body = block()
    m._needs.clear()
    m.need("block.p.x", value=0.1, rate=0.0)
    m.table("pull", np.linspace(-1.0, 1.0, 41), -50.0 * np.linspace(-1.0, 1.0, 41), kind="cubic")
    m.force(body.p, ("pull(block.p.x)", 0))
    run = gr.simulate(m, 2.0)
    assert run["block.p.x"] == pytest.approx(0.1 * np.cos(5.0 * run.t), abs=1e-7)
    assert np.max(np.abs(run["balance"])) < 1e-7


def test_a_narrow_peak_on_the_way_is_not_passed_over() -> None:
    """2 kg at 1 m/s pass a peak of 10 N that is 1 cm wide: 0.05 J, within a hundredth of a second of two."""
    m, body = block()
    m._needs.clear()
    m.need("block.p.x", value=0.0, rate=1.0)
    m.table("peak", [0.0, 0.5, 0.505, 0.51, 1.0], [0.0, 0.0, 10.0, 0.0, 0.0])
    m.force(body.p, ("peak(block.p.x)", 0), name="F")
    run = gr.simulate(m, 2.0)
    assert run["kinetic"][-1] == pytest.approx(1.0 + 0.05, rel=1e-5)
    assert run["work.F"][-1] == pytest.approx(0.05, rel=1e-4)


def test_tables_of_equal_name_are_told_apart() -> None:
    m, body = block()
    ramp, step = gr.table([0, 1], [0, 1]), gr.table([0, 1], [0, 2])
    m.force(body.p, (ramp, 0), name="one")
    m.force(body.p, (step, 0), name="two")
    m.force(body.p, (ramp, 0), name="three")
    assert [table.y for table in m.model.tables] == [(0.0, 1.0), (0.0, 2.0)]
    assert [force.force[0] for force in m.model.forces] == ["`table`(t)", "`table 2`(t)", "`table`(t)"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "law", "words"), [("cam", "cm(t)", "did you mean 'cam'"), ("sin", "1", "means something else")]
)
def test_names_of_tables(name: str, law: str, words: str) -> None:
    m, body = block()
    m.table(name, [0, 1], [0, 1])
    m.force(body.p, (law, 0))
    with pytest.raises(gr.ModelError, match=words):
        _ = m.model


def test_a_table_is_data() -> None:
    assert gr.table([0, 1], [2, 3]) == Table("table", (0.0, 1.0), (2.0, 3.0))


@pytest.mark.parametrize(
    "text",
    [
        "angle [deg], lift [mm]\n0, 0\n90, 12.5\n180, 0\n",
        "# measured\nangle (deg);lift (mm);note\n0;0;1\n90;12.5;2\n\n180;0;3\n",
        "time\tlift [mm]\tangle [deg]\n7\t0\t0\n8\t12.5\t90\n9\t0\t180",
        "angle [deg] lift (mm)\n0 0\n90 12.5\n180 0\n",
        "0 0\n1.5707963267948966 0.0125\n3.141592653589793 0",
    ],
)
def test_a_table_from_a_file_beside_that_of_the_mechanism(tmp_path: Path, text: str) -> None:
    m, _ = block()
    (tmp_path / "cam.csv").write_text(text)
    columns = '\ncolumns = ["angle", "lift"]' if "angle" in text else ""
    toml = dumps(m.model) + f'\n[[tables]]\nname = "cam"\nfile = "cam.csv"{columns}\n'
    (tmp_path / "block.toml").write_text(toml)
    (cam,) = gr.load(tmp_path / "block.toml").tables
    assert cam.x == pytest.approx((0.0, np.pi / 2, np.pi))
    assert cam.y == pytest.approx((0.0, 0.0125, 0.0))


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("../cam.csv", "", "is not in the folder of the mechanism"),
        ("/etc/passwd", "", "is not in the folder of the mechanism"),
        ("none.csv", "", "cannot be read"),
        ("cam.csv", "", "has no numbers"),
        ("cam.csv", "a, b\n1, x", "line 2 has no number in column 2"),
        ("cam.csv", "a [furlong], b\n1, 2\n2, 3", "there is no unit 'furlong'"),
        ("cam.csv", "1, 2\n0, 3", "x must increase"),
        ("cam.csv", "a, b, c\n1, 2\n2, 3", "its heading has 3 columns and line 2 has 2"),
        ("cam.csv", "a, b [N/(m s)]\n1, 2\n2, 3", "is not a unit"),
        ("cam.csv", "a [10 N], b\n1, 2\n2, 3", "'10 N' is not a unit"),
        ("cam.csv", "a [%], b\n1, 2\n2, 3", "'%' is not a unit"),
        ("cam.csv", "a [km], b\n1, 2\n2e306, 3", "line 3: 2e.306 km is too large"),
        ("cam.csv", "(", "x has 0 numbers"),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, file: str, text: str, words: str) -> None:
    m, _ = block()
    (tmp_path / "cam.csv").write_text(text)
    (tmp_path / "block.toml").write_text(dumps(m.model) + f'\n[[tables]]\nname = "cam"\nfile = "{file}"\n')
    with pytest.raises(gr.ModelError, match=words):
        gr.load(tmp_path / "block.toml")
