"""Guessed attitudes in space that depend on open numbers."""

from __future__ import annotations

import pytest

import grashof as gr


def test_the_bend_of_a_cardan_shaft_can_be_left_open() -> None:
    """The quaternion of the middle shaft is an expression of the angle `beta`."""
    m = gr.example("cardan-shaft")
    table = gr.sweep(m, {"beta": [0.4, 0.5]}, 0.7, outputs=["phi3 at end"], engine="compiled")
    for beta, found in zip(table["beta"], table["phi3 at end"], strict=True):
        run = gr.simulate(gr.with_numbers(m, {"beta": float(beta)}), 0.7)
        assert found == pytest.approx(run["phi3"][-1], abs=1e-9)
