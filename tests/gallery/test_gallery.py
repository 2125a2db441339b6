"""The gallery as a whole: it is complete, all of it runs, and what its index names is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import grashof as gr
from grashof import examples
from grashof.model.files import dumps, loads
from grashof.problems import PROBLEMS
from tests.cli.test_run import call
from tests.gallery.conftest import Runs

ENTRIES = {entry.name: entry for entry in gr.gallery()}
OWN = [name for name, entry in ENTRIES.items() if not entry.problem]
FREEDOMS = dict.fromkeys(OWN, (1, 0)) | {
    "pantograph": (2, 0),
    "bennett": (1, 3),  # four hinges: 6·3 − 5·4 = −2
    "bricard": (1, 1),  # six hinges: 6·5 − 5·6 = 0
    "governor": (2, 6),  # two planar loops that turn with the spindle
    "geneva": (2, 0),  # contacts restrict no positions
    "stewart": (6, 0),
    "rolling-coin": (5, 0),  # of positions
}
"""Degrees of freedom without motors, and redundant equations, as textbooks have them."""


def test_every_file_is_listed_once_and_so_are_problems() -> None:
    files = {path.stem for path in Path(examples.__file__).parent.glob("*.toml")} - {"index"}
    assert len(ENTRIES) == len(gr.gallery())
    assert files == set(OWN)
    assert set(PROBLEMS) >= {name for name, entry in ENTRIES.items() if entry.problem}


@pytest.mark.parametrize("name", ENTRIES)
def test_it_runs_and_has_what_the_index_names(name: str, run_of: Runs) -> None:
    entry, run = ENTRIES[name], run_of(name)
    assert run.status.ok, run.status
    assert run.status.time == pytest.approx(entry.t_end)
    assert set(entry.trace) <= set(run.program.model.points)
    for quantity in entry.plot:
        assert len(run[quantity]) == len(run.t)


@pytest.mark.parametrize("name", OWN)
def test_mechanisms_have_their_titles_and_parameters_with_bounds(name: str) -> None:
    model = gr.example(name)
    assert model.name == ENTRIES[name].title
    assert model.parameters
    assert all(parameter.lower is not None and parameter.upper is not None for parameter in model.parameters)


@pytest.mark.parametrize("name", OWN)
def test_degrees_of_freedom_are_those_of_the_textbooks(name: str) -> None:
    count = gr.mobility(gr.example(name))
    assert (count.dof_without_motors, count.redundant) == FREEDOMS[name]


@pytest.mark.parametrize("name", ENTRIES)
def test_the_text_of_an_example_is_its_mechanism(name: str) -> None:
    assert loads(examples.example_text(name)) == loads(dumps(gr.example(name)))


def test_the_command_lists_and_writes(tmp_path: Path) -> None:
    listed = json.loads(call("gallery", "--json"))["gallery"]
    assert [entry["name"] for entry in listed] == list(ENTRIES)
    text = call("gallery")
    assert all(name in text for name in ENTRIES)
    call("gallery", "jansen", "-o", tmp_path / "leg.toml")
    assert gr.load(tmp_path / "leg.toml") == gr.example("jansen")


def test_commands_take_names_of_the_gallery() -> None:
    data = json.loads(call("simulate", "scotch-yoke", "--set", "r=50 mm", "--json"))
    assert data["t_end"] == ENTRIES["scotch-yoke"].t_end
    assert data["final"]["yoke.slot.x"] == pytest.approx(0.05, abs=1e-6)  # after two whole turns
    assert "1 degree of freedom, driven by 1 motor" in " ".join(call("mobility", "peaucellier").split())


def test_a_name_that_is_not_there_gets_a_sentence() -> None:
    with pytest.raises(gr.ModelError, match="did you mean 'jansen'"):
        gr.example("jansn")
