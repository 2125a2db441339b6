"""The uncontrolled bicycle: eigenvalues of small motions from the equations of the reference, readings, rule."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grashof.judge import assess, read_table
from grashof.problems import PROBLEMS
from grashof.problems.bicycle.case import ENERGY
from grashof.problems.bicycle.linear import eigenvalues
from grashof.references import reference_for

from .conftest import compiled

PUBLISHED: dict[str, tuple[complex, ...]] = {
    "0": (-5.530943717653936, -3.131643247906556, 3.131643247906556, 5.530943717653936),
    "1": (-7.110080146374406, -3.134231250665784, 3.526961709900692 + 0.807740275199311j),
    "2": (-8.67387984831737, -3.071586456415142, 2.682345175127454 + 1.680662965906759j),
    "3": (-10.351014672459222, -2.633661372536652, 1.706756056639736 + 2.315824473843246j),
    "4": (-12.158614265764431, -1.429444273613257, 0.413253315211239 + 3.079108186032058j),
    "4.6": (-13.298639515767624, -0.621212726975536, -0.377966226277663 + 3.87284191562975j),
    "5": (-14.078389692798238, -0.322866429004089, -0.775341882195843 + 4.464867713788228j),
    "8": (-20.279408943945644, 0.143278797657128, -2.693486835810955 + 8.460379713969346j),
}
"""By speed [m/s]: Meijaard, Papadopoulos, Ruina and Schwab (2007), one of each pair."""


@pytest.mark.parametrize("speed", PUBLISHED)
def test_small_motions_have_the_published_eigenvalues_to_twelve_digits(speed: str) -> None:
    found = np.array([complex(x) for x in eigenvalues(speed)])
    for expected in PUBLISHED[speed]:
        assert np.min(np.abs(found - expected)) < 5e-13 * abs(expected) + 1e-13


@pytest.mark.parametrize("manoeuvre", PROBLEMS["uncontrolled-bicycle"].variants)
def test_the_energy_at_the_start_is_the_published_one(manoeuvre: str) -> None:
    reference = reference_for(compiled("uncontrolled-bicycle", manoeuvre)[0])
    assert reference is not None
    assert reference.columns["energy"][0] == pytest.approx(ENERGY[manoeuvre], abs=6e-4)


def test_the_judge_names_manoeuvre_and_opposite_signs() -> None:
    case, _ = compiled("uncontrolled-bicycle", "M2")
    own, other = reference_for(case), reference_for(compiled("uncontrolled-bicycle", "M1")[0])
    assert own is not None
    assert other is not None
    columns = {"t": own.times, **own.columns}
    assert "looks like variant 'M1'" in assess(case, {"t": other.times, **other.columns}).suspicions[0]
    turned = columns | {name: -columns[name] for name in ("steer", "steerrate")}
    assert "steer has the opposite sign" in assess(case, turned).suspicions[0]
    degrees = columns | {"roll": np.degrees(columns["roll"])}
    assert "roll is in degrees" in assess(case, degrees).suspicions[0]


def test_a_file_with_all_manoeuvres_is_read_for_each(tmp_path: Path) -> None:
    """The layout of the source: t, and eight columns for each manoeuvre; here with their numbers in the headings."""
    tables = {name: reference_for(compiled("uncontrolled-bicycle", name)[0]) for name in ("M1", "M2", "M3")}
    headings, columns = ["t"], []
    for name, found in tables.items():
        assert found is not None
        headings += [f"{column}_{name[1:]}" for column in found.columns]
        columns += list(found.columns.values())
    assert found is not None
    path = tmp_path / "all.csv"
    np.savetxt(path, np.column_stack([found.times, *columns]), delimiter=",", header=",".join(headings), comments="")
    for name in tables:
        case, _ = compiled("uncontrolled-bicycle", name)
        assert assess(case, read_table(path, case).columns).verdict is True
