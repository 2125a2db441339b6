"""What planar linkages can do, against closed forms."""

import json
import math

import numpy as np
import pytest
from scipy.optimize import brentq

import grashof as gr
from grashof.questions.four_bars import FourBar
from tests.questions.test_kinematics import four_bar, slider_crank


def drawn_four_bars(count, wanted):
    """Random four-bars of some kinds: crank a, coupler b, rocker c, frame d."""
    rng = np.random.default_rng(5)
    while count:
        lengths = rng.uniform(0.2, 1.5, 4)
        s, p, q, l = sorted(lengths)
        a, b, c, d = lengths
        kind = FourBar(("ground", "a", "b", "c"), ("A", "B", "C", "D"), (d, a, b, c)).kind
        if l < 0.95 * (s + p + q) and abs(p + q - s - l) > 0.02 and kind in wanted:
            count -= 1
            yield [a, b, c, d]


def assembled(lengths):
    """A four-bar without wishes about where it starts."""
    m = gr.Mechanism("four-bar")
    a, b, c = (m.bar(name, length=float(x)) for name, x in zip("abc", lengths, strict=False))
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.start, name="B")
    m.revolute(b.end, c.end, name="C")
    m.revolute(m.ground.at(float(lengths[3]), 0), c.start, name="D")
    return m


def corner(a, b, c):
    """The angle of a triangle opposite to c, between a and b."""
    return math.acos((a * a + b * b - c * c) / (2.0 * a * b))


@pytest.mark.parametrize(
    "lengths", list(drawn_four_bars(4, {"crank-rocker"})), ids=lambda x: "-".join(f"{y:.2f}" for y in x)
)
def test_a_rocker_turns_back_where_crank_and_coupler_are_in_line(lengths):
    a, b, c, d = lengths
    found = gr.linkage(assembled(lengths))
    crank, rocker = (found.joints[0], found.joints[3]) if a < c else (found.joints[3], found.joints[0])
    short, long = min(a, c), max(a, c)
    assert abs(crank.turns) == 1
    assert rocker.turns == 0
    # the angle between rocker and frame, at both limits
    limits = sorted(corner(d, long, b + sign * short) for sign in (1.0, -1.0))
    values = [x.value for x in rocker.dead_centres]
    inside = sorted(math.acos(math.cos(x if a > c else math.pi - x)) for x in values)
    assert inside == pytest.approx(limits, abs=1e-11)
    assert rocker.high - rocker.low == pytest.approx(limits[1] - limits[0], abs=1e-11)


@pytest.mark.parametrize(
    "lengths", list(drawn_four_bars(8, {"crank-rocker", "double crank", "double rocker", "triple rocker"})), ids=str
)
def test_grashofs_rule_says_which_links_turn_fully(lengths):
    found = gr.linkage(assembled(lengths))
    four = found.four_bars[0]
    full = {name for name, joint in (("a", found.joints[0]), ("c", found.joints[3])) if joint.turns}
    assert full == set(four.cranks)
    coupler_turns = any(joint.turns for joint in found.joints)
    assert coupler_turns == (four.kind != "triple rocker")
    assert found.way.closed
    assert len(found.assemblies) == 2
    assert found.assemblies.complete


@pytest.mark.parametrize("lengths", list(drawn_four_bars(3, {"double crank"})), ids=str)
def test_the_transmission_angle_is_extreme_where_the_crank_is_in_line_with_the_frame(lengths):
    a, b, c, d = lengths
    angle = gr.linkage(assembled(lengths)).transmissions[0]
    assert angle.four_bar.bodies == ("ground", "a", "b", "c")
    assert [angle.low, angle.high] == pytest.approx([corner(b, c, abs(d - a)), corner(b, c, d + a)], abs=1e-11)


def test_a_triple_rocker_swings_through_the_frame_line():
    found = gr.linkage(assembled([1.0, 0.5, 0.7, 1.4]))
    assert found.four_bars[0].kind == "triple rocker"
    # a is limited where b and c are in line
    limit = corner(1.4, 1.0, 0.5 + 0.7)
    assert [found.joints[0].low, found.joints[0].high] == pytest.approx([-limit, limit], abs=1e-11)


@pytest.mark.parametrize("offset", [0.0, 0.1])
def test_the_stroke_of_a_slider_crank(offset):
    m = gr.Mechanism("slider crank")
    crank, rod = m.bar("crank", length=0.2), m.bar("rod", length=0.5)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, rod.start, name="B")
    m.slider(m.ground.line((0, offset), (1, offset)), rod.end, name="C")
    m.want("rod.end.x", value=0.6)
    found = gr.linkage(m)
    assert [abs(joint.turns) for joint in found.joints] == [1, 0, 0] or [abs(j.turns) for j in found.joints] == [
        1,
        1,
        0,
    ]
    stroke = found.joints[2]
    assert stroke.unit == "m"
    assert stroke.high == pytest.approx(math.sqrt(0.7**2 - offset**2), abs=1e-12)
    assert stroke.low == pytest.approx(math.sqrt(0.3**2 - offset**2), abs=1e-12)
    assert found.assemblies.complete


def test_change_points_of_a_parallelogram_are_passed_smoothly_and_told():
    found = gr.linkage(four_bar([0.3, 1.0, 0.3, 1.0]))
    assert found.four_bars[0].kind == "change point"
    assert len(found.way.singular) == 2
    assert "2 change points" in str(found)
    place = found.curve("b.end") - found.curve("b.start")
    assert place == pytest.approx(np.array([[1.0, 0.0]] * len(place)), abs=1e-10)


def test_a_change_point_that_is_narrowly_missed_is_not_crossed():
    found = gr.linkage(four_bar([0.3, 1.0, 0.3 + 1e-7, 1.0]))
    assert found.way.singular == ()
    assert found.four_bars[0].kind == "crank-rocker"
    full = {name for name, joint in (("a", found.joints[0]), ("c", found.joints[3])) if joint.turns}
    assert full == set(found.four_bars[0].cranks)


def test_two_loops_that_pass_change_points_together_are_noticed():
    from grashof.problems import make_case

    found = gr.linkage(make_case("double-four-bar").model)
    assert len(found.way.singular) == 2


def test_instant_centres_are_pins_and_three_are_on_a_line():
    found = gr.linkage(four_bar([0.3, 1.0, 0.8, 1.1]))
    for step, part in ((0, 0.0), (20, 0.3), (90, 0.7)):
        centres = found.centres(step, part)
        q = found.way.between(step, part)[0]
        system = found.equations.system
        for pair, point in (
            (("ground", "a"), "a.start"),
            (("a", "b"), "b.start"),
            (("b", "c"), "b.end"),
            (("ground", "c"), "c.start"),
        ):
            assert centres[pair].point == pytest.approx([form.at(q) for form in system.point(point)], abs=1e-9)
        for three in (("ground", "a", "b"), ("ground", "b", "c"), ("ground", "a", "c"), ("a", "b", "c")):
            x, y, z = (
                np.array(centres[pair].point)
                for pair in ((three[0], three[1]), (three[0], three[2]), (three[1], three[2]))
            )
            u, w = y - x, z - x
            assert u[0] * w[1] - u[1] * w[0] == pytest.approx(0.0, abs=1e-7 * (1.0 + u @ u) * (1.0 + w @ w))


def test_the_coupler_of_a_parallelogram_has_its_centre_infinitely_far_away():
    centre = gr.linkage(four_bar([0.3, 1.0, 0.3, 1.0])).centres()["ground", "b"]
    assert centre.point is None
    # along the cranks, which start at 1 rad
    assert abs(centre.direction[0] * math.sin(1.0) - centre.direction[1] * math.cos(1.0)) < 1e-9


def test_a_straight_line_that_a_coupler_draws():
    # Chebyshev's lambda mechanism: crank 1, ground 2, coupler and rocker 2.5, tracing point at 5
    m = gr.Mechanism("lambda")
    crank, rocker = m.bar("crank", length=0.1), m.bar("rocker", length=0.25)
    coupler = m.body("coupler", points={"B": (0, 0), "C": (0.25, 0), "P": (0.5, 0)})
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.B)
    m.revolute(coupler.C, rocker.end)
    m.revolute(m.ground.at(0.2, 0), rocker.start)
    m.want(rocker.angle, value=1.5)
    curve = gr.linkage(m).curve("coupler.P")
    flat = curve[np.abs(np.abs(curve[:, 1]) - 0.4) < 0.002]
    assert np.ptp(flat[:, 0]) > 0.3


def test_a_four_bar_with_a_dyad_has_four_assembly_modes():
    m = gr.Mechanism("six-bar")
    a, b, c, d, e = (m.bar(x, length=l) for x, l in (("a", 0.3), ("b", 1.0), ("c", 0.8), ("d", 0.9), ("e", 0.8)))
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.start, name="B")
    m.revolute(b.end, c.end, name="C")
    m.revolute(m.ground.at(1.1, 0), c.start, name="D")
    m.revolute(c.end, d.start, name="E")
    m.revolute(d.end, e.end, name="F")
    m.revolute(m.ground.at(1.9, 0), e.start, name="G")
    m.need(a.angle, value=1.0)
    found = gr.linkage(m)
    assert found.freedom == 1
    # by hand: the circles of C about B and D, then those of F about C and G, meet in two points each, if at all
    count = 0
    crank = 0.3 * np.array([math.cos(1.0), math.sin(1.0)])
    for place in circles(crank, 1.0, np.array([1.1, 0.0]), 0.8):
        count += len(circles(place, 0.9, np.array([1.9, 0.0]), 0.8))
    assert count == 4
    assert len(found.assemblies) == count
    assert found.assemblies.complete


def circles(p, r, q, s):
    """Where two circles meet."""
    d = float(np.linalg.norm(q - p))
    along = (r * r - s * s + d * d) / (2.0 * d)
    if r * r < along * along:
        return []
    u = (q - p) / d
    across = math.sqrt(r * r - along * along) * np.array([-u[1], u[0]])
    return [p + along * u + across, p + along * u - across]


def test_a_five_bar_has_two_freedoms_and_no_way():
    m = gr.Mechanism("five-bar")
    bars = [m.bar(f"b{k}", length=1.0) for k in range(4)]
    m.revolute(m.ground.at(0, 0), bars[0].start, name="A")
    m.revolute(bars[0].end, bars[1].start, name="B")
    m.revolute(bars[1].end, bars[2].end, name="C")
    m.revolute(bars[2].start, bars[3].end, name="D")
    m.revolute(m.ground.at(1, 0), bars[3].start, name="E")
    m.want("b0.angle", value=1.9)
    m.want("b3.angle", value=1.2)
    found = gr.linkage(m)
    assert found.freedom == 2
    assert len(found.assemblies) == 2
    assert found.assemblies.complete
    assert set(found.assemblies.inputs) == {"A", "E"}
    with pytest.raises(gr.ModelError, match="2 degrees of freedom"):
        found.curve("b1.end")


def test_a_trammel_draws_its_axes_and_is_put_together_in_two_ways():
    m = gr.Mechanism("trammel")
    rod = m.bar("rod", start=(0, 0.3), end=(0.4, 0))
    m.slider(m.ground.line((0, 0), (0, 1)), rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    found = gr.linkage(m)
    assert [[joint.low, joint.high] for joint in found.joints] == [pytest.approx([-0.5, 0.5], abs=1e-12)] * 2
    assert len(found.assemblies) == 2
    assert found.assemblies.complete


def test_what_slides_without_end_has_no_limits():
    m = gr.Mechanism("block on a line")
    block = m.body("block", points={"a": (0, 0), "b": (1, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.a)
    m.slider(m.ground.line((0, 0), (1, 0)), block.b)
    found = gr.linkage(m)
    assert not found.way.closed
    assert found.joints[0].low == -math.inf
    assert "unlimited, as far as it was followed" in str(found)
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False))["joints"][0]["high"] is None


def test_what_is_not_planar_is_refused():
    m = gr.Mechanism("space", gravity=(0, 0, -9.81))
    rod = m.bar("rod", start=(0, 0, 0), end=(1, 0, 0), mass=1.0)
    m.spherical(m.ground.at(0, 0, 0), rod.start)
    with pytest.raises(gr.ModelError, match="spatial"):
        gr.linkage(m)


def test_as_data_text_and_picture(tmp_path):
    found = gr.linkage(slider_crank(mass=0.0))
    data = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert data["joints"][2]["high"] == pytest.approx(0.7)
    assert data["assembly_modes"] == {"found": 2, "largest": 2, "inputs": {"A": pytest.approx(0.3)}}
    assert "dead centres at" in str(found)
    found.plot(tmp_path / "curves.png")
    pytest.importorskip("pandas")
    assert found.to_pandas()["high"].tolist() == [joint.high for joint in found.joints]
    with pytest.raises(gr.ModelError, match="no point 'rod"):
        found.curve("rod.middle")


def coupler_of(lengths, angle):
    """Both pins of the coupler of a four-bar with its elbow on the left, at an angle of the crank."""
    crank = lengths[0] * np.array([math.cos(angle), math.sin(angle)])
    return crank, circles(crank, lengths[1], np.array([lengths[3], 0.0]), lengths[2])[0]


def carried(kind, lengths, arm, angle):
    """Where a four-bar carries the point of the dyad at an angle of the crank."""
    crank, pin = coupler_of(lengths, angle)
    origin = np.array([lengths[3], 0.0]) if kind == "Watt" else crank
    u = (pin - origin) / math.dist(pin, origin)
    return origin + arm[0] * u + arm[1] * np.array([-u[1], u[0]])


def room(drawn, angle):
    """How far the dyad of a six-bar is from being stretched or folded, m; negative where it cannot reach: it reaches
    over |d − e| … d + e."""
    kind, lengths, arm, ground, d, e = drawn
    far = math.dist(carried(kind, lengths, arm, angle), ground)
    return min(d + e - far, far - abs(d - e))


def six_bars(count, kind):
    """Random crank-rockers a, b, c with a dyad d, e between a point of the rocker (Watt) or of the coupler
    (Stephenson) and the ground."""
    rng = np.random.default_rng(17)
    while count:
        lengths, arm = rng.uniform(0.2, 1.5, 4), rng.uniform(-0.8, 0.8, 2)
        if lengths[0] > min(lengths) or 2.0 * (min(lengths) + max(lengths)) > sum(lengths) - 0.04:
            continue
        ground = np.array([lengths[3], 0.0]) + rng.uniform(-1.0, 1.0, 2)
        drawn = kind, lengths.tolist(), arm, ground, *rng.uniform(0.3, 1.0, 2)
        start = max(np.linspace(-math.pi, math.pi, 73), key=lambda angle, drawn=drawn: room(drawn, angle))
        if room(drawn, start) > 0.02:
            count -= 1
            yield drawn, start


@pytest.mark.parametrize(("drawn", "start"), [*six_bars(6, "Watt"), *six_bars(6, "Stephenson")])
def test_what_is_said_of_the_crank_of_a_six_bar_is_its_range(drawn, start):
    """The crank turns as far as the dyad reaches."""
    kind, lengths, arm, ground, d, e = drawn
    limits = []
    for sign in (-1.0, 1.0):
        outside = next((x for x in np.arange(0.0, 2.0 * math.pi, 1e-3) if room(drawn, start + sign * x) < 0.0), None)
        if outside is not None:
            limits.append(brentq(lambda x: room(drawn, x), start + sign * (outside - 1e-3), start + sign * outside))

    m = gr.Mechanism("six-bar")
    crank = m.bar("a", length=lengths[0])
    b = m.body("b", points={"B": (0, 0), "C": (lengths[1], 0), "P": tuple(arm)})
    c = m.body("c", points={"D": (0, 0), "C": (lengths[2], 0), "P": tuple(arm)})
    first, second = m.bar("d", length=d), m.bar("e", length=e)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, b.B, name="B")
    m.revolute(b.C, c.C, name="C")
    m.revolute(m.ground.at(lengths[3], 0), c.D, name="D")
    m.revolute(c.P if kind == "Watt" else b.P, first.start, name="E")
    m.revolute(first.end, second.end, name="F")
    m.revolute(m.ground.at(*ground), second.start, name="G")
    m.need(crank.angle, value=start)
    near, far = coupler_of(lengths, start)
    m.want(b.angle, value=math.atan2(far[1] - near[1], far[0] - near[0]))
    found = gr.linkage(m)
    assert found.joints[0].name == "A"
    said = next(line for line in str(found).splitlines() if "p + q" in line and "'ground'" in line)
    if limits:
        assert [found.joints[0].low, found.joints[0].high] == pytest.approx(limits, abs=1e-9)
        assert "but other joints prevent it" in said
        assert "'a' can turn fully" not in said
    else:
        assert found.joints[0].turns
        assert "('a' can turn fully)" in said
