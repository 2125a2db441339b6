"""Mechanisms whose numbers are left open."""

from __future__ import annotations

from grashof.model.model import Model
from tests.live import mechanisms


def sprung_four_bar() -> Model:
    return mechanisms.sprung_four_bar().model
