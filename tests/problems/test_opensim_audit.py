"""The OpenSim documents tell Andrews' squeezer with errors, and calculation finds them."""

import re
from decimal import Decimal
from itertools import product

import numpy as np
import pytest

from grashof.exchange import auditing
from grashof.problems.andrews import opensim
from grashof.problems.andrews.opensim import as_written, audit, correct_document, expected_values
from grashof.problems.andrews.opensim_tables import FRAMES, SEEDS, TELLINGS, TableFrame, Written
from grashof.problems.andrews.reference import IFTOMM, pose, solution

JOINTS = {"angle of OFE", "angle of FEG", "angle of EGA", "angle of EHA"}
FOUND = {
    "003": JOINTS | {"x of B", "CoM y of BDE", "mass of BDE", "motor torque"},
    "004": JOINTS | {"x of B", "simulated time", "inertia of OF", "motor torque"},
}


def finding(seed, item):
    return next(finding for finding in audit(seed) if finding.item == item)


def declaring(name, angle, seed="004"):
    """What the audit of any description finds of one joint angle that is declared in a document put right."""
    right = {**TELLINGS[seed], **{finding.item: finding.expected for finding in audit(seed)}}
    right[f"angle of {name}"] = Written(angle, "rad", "a table")
    found = [x for x in auditing.audit(opensim.description(right)).findings if x.item == f"angle of {name}"]
    return found[0] if found else None


def closing_angle(name):
    """What the audit says the angle should be if it is declared as 1."""
    return abs(declaring(name, "1").expected)


def corner(data):
    """The angle FEB that the lengths EF and EB and the distance FB at β₀ leave."""
    ef, eb = data.rod("EF").length, np.hypot(*data.triangle.b)
    fb = abs(data.rod("OF").length * np.exp(1j * data.beta0) - complex(*data.b))
    return np.arccos((ef**2 + eb**2 - fb**2) / (2 * ef * eb))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_audit_finds_these_items_and_no_others(seed):
    assert {finding.item for finding in audit(seed)} == FOUND[seed]


@pytest.mark.parametrize("seed", SEEDS)
def test_put_right_the_document_is_the_iftomm_mechanism(seed):
    assert correct_document(seed) == IFTOMM


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_found_in_a_document_put_right(seed, monkeypatch):
    right = {**TELLINGS[seed], **{finding.item: finding.expected for finding in audit(seed)}}
    monkeypatch.setitem(TELLINGS, seed, right)
    assert audit(seed) == ()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_new_error_is_found(seed, monkeypatch):
    wrong = {**TELLINGS[seed], "mass of AG": Written("0.0750", "kg", "a table")}
    monkeypatch.setitem(TELLINGS, seed, wrong)
    assert finding(seed, "mass of AG").expected.number == Decimal("0.0705")


@pytest.mark.parametrize("name", [name for name in FRAMES if name != "BDE"])
def test_only_one_frame_puts_the_centre_of_mass_in_its_place(name):
    rod = IFTOMM.rod(FRAMES[name].link)
    x, y = (TELLINGS["004"][f"CoM {axis} of {name}"].number for axis in "xy")
    candidates = [
        TableFrame(FRAMES[name].link, (place, 0.0), turns) for place, turns in product((0.0, rod.length), range(4))
    ]
    assert [frame for frame in candidates if frame.local(x, y) == rod.com] == [FRAMES[name]]


def test_the_frames_lead_there_and_back():
    for name, frame in FRAMES.items():
        link = IFTOMM.triangle if name == "BDE" else IFTOMM.rod(frame.link)
        assert frame.local(*frame.told(link.com)) == link.com


@pytest.mark.parametrize("seed", SEEDS)
def test_every_finding_is_one_sentence_with_numbers(seed):
    for found in audit(seed):
        text = str(found)
        assert text.endswith(".")
        assert not re.search(r"\.\s", text)
        assert found.item in text
        assert len(re.findall(r"\d+\.\d+", text)) >= 2


@pytest.mark.parametrize("seed", SEEDS)
def test_with_b_as_written_the_mechanism_cannot_be_assembled_at_any_crank_angle(seed):
    assert as_written(seed).b[0] == -IFTOMM.b[0]
    with np.errstate(invalid="ignore"):
        at = pose(np.linspace(0.0, 2 * np.pi, 720), as_written(seed))
        assert np.all(np.isnan(at["G"].z.real))
        with pytest.raises(ValueError, match="cannot be connected"):
            solution([0.05], data=as_written(seed))


def test_the_angle_feb_tells_the_side_of_b():
    """From the closed form of the assembled mechanism, from three sides of a triangle, and from the audit."""
    at = {name: complex(place.z) for name, place in pose(IFTOMM.beta0).items()}
    to_f, to_b = at["F"] - at["E"], at["B"] - at["E"]
    angle = np.arccos((to_f * to_b.conjugate()).real / abs(to_f * to_b))
    assert corner(IFTOMM) == pytest.approx(angle, abs=1e-12)
    assert closing_angle("FEB") == pytest.approx(angle, abs=1e-12)
    assert angle == pytest.approx(2.088, abs=0.0005)
    assert abs(corner(as_written("003")) - 2.088) > 0.5


@pytest.mark.parametrize("seed", SEEDS)
def test_b_alone_keeps_the_loops_from_closing(seed):
    found = finding(seed, "x of B")
    assert found.written.number == -found.expected.number == Decimal("0.03635")
    assert "opposite sign" in found.evidence
    assert "the loops do not close here, but they do with that number alone" in found.evidence


def test_angle_eha_is_written_as_its_supplement():
    """Triangles AGE and AHE have the same sides, so angles G and H are one: 1.348 cannot stand beside 1.792."""
    assert closing_angle("EHA") == pytest.approx(closing_angle("EGA"), abs=1e-12)
    distance = abs(complex(pose(IFTOMM.beta0)["E"].z) - complex(*IFTOMM.a))
    law = np.arccos((0.04**2 + 0.02**2 - distance**2) / (2 * 0.04 * 0.02))
    assert closing_angle("EHA") == pytest.approx(law, abs=1e-12)
    assert "supplement" in finding("003", "angle of EHA").evidence
    assert finding("003", "angle of EHA").expected.value == "1.7935"


def test_a_straight_crank_leaves_a_gap_of_five_micrometres():
    """OFE = 0 puts E on the line through F and O, 5.2e-6 m off the circle of radius EB about B."""
    e = (0.007 - 0.028) * np.exp(-0.0620j)
    gap = abs(abs(e - complex(*IFTOMM.b)) - 0.035)
    assert declaring("OFE", "0").least_gap == pytest.approx(gap, rel=1e-9)
    assert gap == pytest.approx(5.22e-6, rel=1e-2)
    assert "of at least 5.2e-06 m" in finding("003", "angle of OFE").evidence


@pytest.mark.parametrize("name", ["OFE", "FEB", "FEG", "EGA", "EHA"])
def test_the_gap_that_an_angle_leaves_is_that_of_the_closed_form(name):
    """R placed by the declared angle PQR, against the circle on which the ground point of its loop keeps it."""
    at = {point: complex(place.z) for point, place in pose(IFTOMM.beta0).items()}
    p, q, r = (at[point] for point in name)
    side = np.sign(np.angle((r - q) / (p - q)))
    placed = q + abs(r - q) * (p - q) / abs(p - q) * np.exp(1j * side * 1.5)
    ground = at["B" if name in ("OFE", "FEB") else "A"]
    assert declaring(name, "1.5").least_gap == pytest.approx(abs(abs(placed - ground) - abs(r - ground)), rel=1e-9)


@pytest.mark.parametrize("name", ["OFE", "FEB", "FEG", "EGA", "EHA"])
def test_a_closing_angle_is_not_found(name):
    at = {point: complex(place.z) for point, place in pose(IFTOMM.beta0).items()}
    p, q, r = (at[point] for point in name)
    assert declaring(name, f"{abs(np.angle((r - q) / (p - q))):.12f}") is None


def test_the_two_documents_differ_in_the_triangle_and_the_iftomm_data_decide():
    assert (
        TELLINGS["003"]["mass of BDE"].number
        != TELLINGS["004"]["mass of BDE"].number
        == expected_values()["mass of BDE"]
    )
    rounded = TELLINGS["003"]["CoM y of BDE"]
    assert rounded.number != expected_values()["CoM y of BDE"] == TELLINGS["004"]["CoM y of BDE"].number
    assert auditing.fits(float(rounded.number), float(expected_values()["CoM y of BDE"]))


def test_the_units_written_for_the_torque_are_those_of_a_spring():
    for seed in SEEDS:
        assert opensim.exponents(TELLINGS[seed]["motor torque"].unit) == {"N": 1, "m": -1}
        assert opensim.exponents(TELLINGS[seed]["spring coefficient"].unit) == {"N": 1, "m": -1}
        assert finding(seed, "motor torque").expected.unit == "N m"
