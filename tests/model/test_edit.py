"""What is read from a file or taken from the gallery can be drawn, shown and changed as what is built in Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError


@pytest.mark.parametrize("name", [entry.name for entry in gr.gallery()])
def test_an_unchanged_copy_is_the_same(name: str) -> None:
    model = gr.example(name)
    assert model.edit().model == model


def test_parts_are_added_and_parameters_still_determine_numbers() -> None:
    m = gr.example("governor").edit()
    m.spring(m.ground.at(0, 0, 0), m["sleeve"].O, stiffness=10.0, length=0.1, name="more")
    other = gr.with_numbers(m.model, {"l": 0.25})
    assert [force.name for force in other.forces] == ["oil", "more"]
    assert {body.length for body in other.bodies if hasattr(body, "length")} == {0.25}


def test_a_file_that_was_read_is_built_upon(tmp_path: Path) -> None:
    """A rod with a torque that holds it against gravity, m g ℓ/2, stays where it is."""
    m = gr.Mechanism("pendulum", gravity=(0, -10))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.need(rod.angle, value=0.0)
    gr.save(m, tmp_path / "rod.toml")
    again = gr.load(tmp_path / "rod.toml").edit()
    again.torque(again["rod"], 10.0)
    run = gr.simulate(again, 1.0)
    assert np.max(np.abs(run["rod.angle"])) < 1e-9


def test_pictures_and_words_of_a_description(tmp_path: Path) -> None:
    model = gr.example("four-bar")
    texts = [text.get_text() for text in model.draw(tmp_path / "four-bar.png").axes[0].texts]
    assert (tmp_path / "four-bar.png").exists()
    assert texts
    assert str(model) == str(model.edit())
    assert "<iframe" in model._repr_html_()


def test_what_changes_a_description_says_so() -> None:
    model = gr.example("four-bar")
    with pytest.raises(AttributeError, match=r"m = model.edit\(\), then m.torque"):
        model.torque("crank", 1.0)
    with pytest.raises(AttributeError, match="has no 'wheel'"):
        model.wheel()
    with pytest.raises(ModelError, match=r"no body 'cranck'.*crank"):
        model.edit()["cranck"]
