"""What notebooks show of answers that are words and tables."""

from __future__ import annotations

import re

import numpy as np

import grashof as gr
from grashof.common.notebook import MOST, table
from grashof.problems import make_case


def rows(html: str) -> list[list[str]]:
    body = html.partition("<tbody>")[2].partition("</tbody>")[0]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in body.split("</tr>") if row]


def hanging_bar(name: str = "pin") -> gr.Mechanism:
    """A bar of 1 m and 2 kg that hangs at rest."""
    m = gr.Mechanism("hanging bar", gravity=(0, -9.81))
    bar = m.bar("bar", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), bar.start, name=name)
    m.need(bar.angle, value=-np.pi / 2)
    return m


def test_the_largest_reactions_with_units() -> None:
    found = gr.simulate(hanging_bar("<b>pin</b>"), 1.0).reactions()
    html = found._repr_html_()
    (row,) = rows(html)
    assert row[0] == "&lt;b&gt;pin&lt;/b&gt;"
    assert float(row[1]) == 2.0 * 9.81
    assert abs(float(row[3])) < 1e-9
    assert row[5] == "yes"


def test_what_redundancy_leaves_open_is_said() -> None:
    case = make_case("multiple-four-bar", parameters={"R": 1, "C": 1})
    html = gr.simulate(case.model, 0.1).reactions(3)._repr_html_()
    assert {row[5] for row in rows(html)} != {"yes"}
    assert any(row[5].startswith("all but ") for row in rows(html))


def test_modes_have_a_row_each() -> None:
    modes = gr.modes(hanging_bar())
    (row,) = rows(modes._repr_html_())
    assert f"{np.sqrt(1.5 * 9.81) / (2 * np.pi):.5g}"[:6] in row[1]


def test_sweeps_show_their_first_rows() -> None:
    swept = gr.sweep(
        hanging_bar(), {"bar.mass": (1.0, 2.0)}, 0.1, outputs=["bar.angle at end"], count=64, sample="sobol"
    )
    html = swept._repr_html_()
    assert len(rows(html)) == MOST
    assert "and 24 more rows" in html
    assert "bar.mass [kg]" in html
    assert [float(row[1]) for row in rows(html)] == [float(f"{x:.6g}") for x in swept["bar.mass"][:MOST]]


def test_derivatives_have_units_and_errors() -> None:
    html = gr.sensitivities(hanging_bar(), ["bar.length"], ["bar.angle"], t_end=0.1)._repr_html_()
    assert [row[1] for row in rows(html)] == ["", "bar.length"]
    assert rows(html)[1][4] == "rad/m"


def test_words_of_all_answers() -> None:
    m = hanging_bar()
    for found in (gr.mobility(m), gr.equilibrium(m), gr.linkage(m)):
        assert found._repr_html_().startswith("<p><strong>hanging bar: ")


def test_a_table_that_is_whole_does_not_speak_of_more() -> None:
    assert "more" not in table(["a"], [["1"]])
