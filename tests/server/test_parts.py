"""Parts of all kinds on the workbench, drawn, selected together, copied and mirrored, in a real browser."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import grashof as gr
from grashof.model.files import loads
from tests.server.conftest import wait_until
from tests.server.test_workbench import answered, draw_four_bar, sheet, whole_description


def tool(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_slots_forces_and_torques_are_drawn_and_mean_what_they_show(visit) -> None:
    page = visit("workbench")
    at = sheet(page)
    # a crank, and a lever along which its pin slides
    for one, other in (((300, 300), (360, 260)), ((300, 450), (420, 180))):
        page.mouse.click(*at(*one))
        page.mouse.click(*at(*other))
    tool(page, "Ground")
    page.mouse.click(*at(300, 300))
    page.mouse.click(*at(300, 450))
    tool(page, "Slot")
    page.mouse.click(*at(360, 260))
    page.mouse.click(*at(400, 225))
    assert "1 degree of freedom, no redundant constraints" in answered(page, "good")
    tool(page, "Force")
    page.mouse.click(*at(420, 180))
    page.mouse.click(*at(472, 180))
    tool(page, "Torque")
    page.mouse.click(*at(320, 405))
    answered(page, "good")
    model = loads(whole_description(page))
    (slot,) = (joint for joint in model.joints if joint.name == "slot 1")
    assert (slot.a, slot.b) == ("link 2.start", "link 1.end")
    assert slot.axis_a == pytest.approx((1.0, 0.0))
    force, torque = model.forces
    assert force.point == "link 2.end"
    assert force.force[0] == pytest.approx(20.0, rel=0.1)
    assert force.force[1] == 0.0
    assert torque.angle == "link 2.angle"
    assert torque.torque == 1.0
    # the lever swings by hand, and the point stays on it: the page's own solver knows the slot
    tool(page, "Move")
    page.mouse.move(*at(420, 180))
    page.mouse.down()
    page.mouse.move(*at(250, 200), steps=5)
    page.mouse.up()
    model = loads(whole_description(page))
    guesses = model.start.guesses
    assert guesses["link 2"].angle > 1.6
    page.get_by_label("Seconds to simulate").fill("1")
    tool(page, "Run")
    page.wait_for_selector(".controls .transport", timeout=120_000)
    assert page.locator(".sheet .load").count() == 2  # it plays in the sketch, which shows everything


def test_parts_are_selected_together_copied_mirrored_deleted_and_brought_back(visit) -> None:
    page = visit("workbench")
    draw_four_bar(page)
    at = sheet(page)
    before = whole_description(page)
    tool(page, "Edit")
    page.keyboard.down("Shift")
    page.mouse.move(*at(150, 120))
    page.mouse.down()
    page.mouse.move(*at(620, 460), steps=4)
    assert page.locator(".sheet .box").count() == 1
    page.mouse.up()
    page.keyboard.up("Shift")
    assert page.locator(".sheet .points .chosen").count() == 4
    tool(page, "Copy")
    assert page.locator(".sheet .link").count() == 6
    copy = loads(whole_description(page))
    assert [body.length for body in copy.bodies][3:] == pytest.approx([body.length for body in copy.bodies][:3])
    assert len(copy.ground) == 4
    tool(page, "Mirror")
    mirrored = loads(whole_description(page))
    assert [body.length for body in mirrored.bodies] == pytest.approx([body.length for body in copy.bodies], rel=1e-5)
    one, other = (mirrored.start.guesses[name].angle for name in ("link 1", "link 4"))
    assert one + other == pytest.approx(3.14159265, abs=1e-5)
    assert gr.mobility(mirrored).dof == 2  # two separate four-bars
    # the copy is moved as one, then deleted
    x, y = (float(page.locator(".sheet .points .chosen").first.get_attribute(name)) for name in ("cx", "cy"))
    page.mouse.move(*at(x, y))
    page.mouse.down()
    page.mouse.move(*at(x + 78, y), steps=4)
    page.mouse.up()
    moved = loads(whole_description(page))
    shifts = [after[0] - then[0] for after, then in zip(moved.ground.values(), mirrored.ground.values(), strict=True)]
    assert shifts[:2] == [0.0, 0.0]
    assert shifts[2] == pytest.approx(shifts[3])
    assert shifts[2] > 0.1
    tool(page, "Delete")
    assert whole_description(page) == before
    for _ in range(4):
        tool(page, "Undo")
    assert page.locator(".sheet .link").count() == 3
    assert whole_description(page) == before


@pytest.mark.parametrize("name", ["Watt six-bar", "Stephenson six-bar", "Slider-crank", "Quick return"])
def test_templates_have_one_freedom_and_turn_all_around(visit, name: str) -> None:
    page = visit("workbench")
    page.get_by_label("Open an example").select_option(f"template {name}")
    said = answered(page, "good")
    assert "1 degree of freedom, driven by 1 motor; no redundant constraints" in said
    assert "link 1 turns fully" in said
    assert gr.simulate(loads(whole_description(page)), 2.0).status.ok
    wait_until(page, lambda: page.locator(".sheet .link").count() >= 2)


def test_gears_and_a_law_of_the_motor_are_drawn_edited_undone_and_run(visit) -> None:
    page = visit("workbench")
    at = sheet(page)
    for one, other in (((200, 300), (260, 260)), ((400, 300), (450, 250))):
        page.mouse.click(*at(*one))
        page.mouse.click(*at(*other))
    tool(page, "Ground")
    page.mouse.click(*at(200, 300))
    page.mouse.click(*at(400, 300))
    tool(page, "Gears")
    page.mouse.click(*at(230, 280))
    page.mouse.click(*at(425, 275))
    teeth = page.get_by_label("teeth of the second").first
    teeth.fill("50")
    teeth.press("Enter")
    tool(page, "Motor")
    page.mouse.click(*at(230, 280))
    tool(page, "Edit")
    page.mouse.click(*at(230, 280))
    speed = page.locator(".selection").get_by_label("motor speed")
    speed.fill("never")
    speed.press("Enter")
    assert "neither a number with a unit" in page.locator(".remark").inner_text()
    speed.fill("3*cos(2*t)")
    speed.press("Enter")
    assert "1 degree of freedom, driven by 1 motor" in answered(page, "good")
    model = loads(whole_description(page))
    assert model.couplings[0].teeth == (20.0, 50.0)
    assert model.motors[0].speed == "3*cos(2*t)"
    page.get_by_label("Seconds to simulate").fill("1")
    tool(page, "Run")
    page.wait_for_selector(".controls .transport", timeout=120_000)
    assert page.locator(".sheet .device.gear").count() == 1
    page.get_by_role("button", name="Back to the drawing").click()
    for _ in range(4):  # the law, the motor, the teeth, the gears
        tool(page, "Undo")
    assert page.locator(".sheet .device").count() == 0
    assert loads(whole_description(page)).couplings == ()


def test_the_letters_of_tools_are_different(visit) -> None:
    page = visit("workbench")
    keys = page.locator(".toolbar .tool").evaluate_all("all => all.map(one => one.title.split('Key: ')[1])")
    assert len(keys) == len(set(keys)) == 23
