"""A known mistake with the slider-crank: the small moment of the rod about the pin of the universal joint."""

from __future__ import annotations

from collections.abc import Iterator

from grashof.problems.base import Alternative, Case
from grashof.problems.slider_crank.reference import data_of, motion


def alternatives(case: Case) -> Iterator[Alternative]:
    data = data_of("literal")
    words = "the literal reading, with 0.0004 kg m² about the pin of the universal joint"
    yield Alternative(words, case.t_end, lambda times: motion(times, data))
