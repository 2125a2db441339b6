"""Row i depends on the seed and i alone, and rows are spread as they should be."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import kstest, norm

from grashof.common.errors import ModelError
from grashof.sweeps.design import Design, Grid, NormalDistribution, Sobol, Zip
from grashof.sweeps.texts import vary_from_texts
from grashof.sweeps.varied import read_design
from tests.sweeps.mechanisms import slider_crank

LOW, HIGH = np.array([0.0, -1.0, 5.0]), np.array([1.0, 1.0, 6.0])
DESIGNS: list[Design] = [
    Grid((np.arange(5.0), np.arange(3.0), np.arange(4.0))),
    Zip((np.arange(60.0), np.arange(60.0) ** 2)),
    Sobol(LOW, HIGH, 60, 3),
    NormalDistribution(LOW, HIGH - LOW, 60, 3),
]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: type(design).__name__)
def test_rows_are_the_same_in_any_pieces_and_order(design: Design) -> None:
    whole = design.rows(0, 60)
    for size in (1, 7, 16):
        pieces = {first: design.rows(first, min(60, first + size)) for first in reversed(range(0, 60, size))}
        assert np.array_equal(np.concatenate([pieces[first] for first in sorted(pieces)]), whole)


def test_a_grid_has_all_combinations_the_last_number_fastest() -> None:
    rows = Grid((np.array([1.0, 2.0]), np.array([5.0, 6.0, 7.0]))).rows(0, 6)
    assert rows.tolist() == [list(pair) for pair in product([1.0, 2.0], [5.0, 6.0, 7.0])]


@pytest.mark.parametrize("seed", [0, 1, 2**63 + 5])
def test_sobol_puts_one_point_into_each_elementary_interval(seed: int) -> None:
    """The first two coordinates of 2ᵏ points are a (0, k, 2)-net in base 2, with any digital shift."""
    points = Sobol(np.zeros(2), np.ones(2), 256, seed).rows(0, 256)
    assert points.min() >= 0.0
    assert points.max() < 1.0
    for across in range(9):
        cells = np.floor(points * [2**across, 2 ** (8 - across)]).astype(int)
        assert len(np.unique(cells, axis=0)) == 256


def test_normal_numbers_are_normal_and_independent() -> None:
    mean, deviation = np.array([1.0, -3.0]), np.array([0.5, 2.0])
    rows = NormalDistribution(mean, deviation, 20_000, 11).rows(0, 20_000)
    for j in range(2):
        assert kstest(rows[:, j], norm(mean[j], deviation[j]).cdf).pvalue > 1e-3
    scaled = (rows - mean) / deviation
    # correlations of independent normal numbers have the deviation 1/√n
    assert abs(np.mean(scaled[:, 0] * scaled[:, 1])) < 4.0 / np.sqrt(20_000)
    assert abs(np.mean(scaled[1:, 0] * scaled[:-1, 0])) < 4.0 / np.sqrt(20_000)


def test_another_seed_gives_other_rows() -> None:
    for kind in (Sobol, NormalDistribution):
        one, other = (kind(LOW, HIGH, 8, seed).rows(0, 8) for seed in (1, 2))
        assert not np.any(one == other)


def test_texts_of_the_command_line() -> None:
    model = slider_crank()
    found = vary_from_texts(model, ["crank.length=100mm:0.3 m:3", "rod.mass=1,2"], "grid")
    assert found["crank.length"].tolist() == [0.1, 0.2, 0.3]
    assert found["rod.mass"] == [1.0, 2.0]
    assert vary_from_texts(model, ["rod.mass=1:2"], "sobol") == {"rod.mass": (1.0, 2.0)}
    assert vary_from_texts(model, ["rod.mass=1±0.1"], "normal") == {"rod.mass": (1.0, 0.1)}
    assert vary_from_texts(model, ["rod.mass=500 g+-0.1"], "normal") == {"rod.mass": (0.5, 0.1)}
    with pytest.raises(ModelError, match=r"with sample 'sobol' write it as rod\.mass=LOWER:UPPER"):
        vary_from_texts(model, ["rod.mass=1,2"], "sobol")
    with pytest.raises(ModelError, match="which is a length; it must be a mass"):
        vary_from_texts(model, ["rod.mass=1 mm,2"], "grid")


@pytest.mark.parametrize(
    ("vary", "options", "sentence"),
    [
        ({}, {}, "Nothing is varied"),
        ({"crank.lenght": [1]}, {}, r"has no number 'crank\.lenght'; did you mean 'crank\.length'"),
        ({"crank.length": []}, {}, "has no values"),
        ({"crank.length": [np.nan]}, {}, "must be finite"),
        ({"crank.length": [1], "rod.mass": [1, 2]}, {"sample": "zip"}, r"'crank\.length' has 1, 'rod\.mass' has 2"),
        ({"crank.length": (1, 2)}, {"sample": "sobol"}, "count is None"),
        ({"crank.length": (2, 1)}, {"sample": "sobol", "count": 4}, "lower bound first"),
        ({"crank.length": (2, -1)}, {"sample": "normal", "count": 4}, "must not be negative"),
        ({"crank.length": (1, 2)}, {"sample": "normal", "count": 4, "seed": -1}, "seed is -1"),
        ({"crank.length": [1]}, {"count": 4}, "follows from its values"),
        ({"crank.length": [1]}, {"sample": "gird"}, "did you mean 'grid'"),
        ({"crank.length": None}, {"sample": "sobol", "count": 4}, "not a declared parameter with bounds"),
        ({"start.time": [0.0, 1.0]}, {}, "all runs of a sweep begin at the same time"),
    ],
)
def test_what_cannot_be_varied_like_that_is_told(vary: dict, options: dict, sentence: str) -> None:
    asked = {"sample": "grid", "count": None, "seed": 0} | options
    with pytest.raises(ModelError, match=sentence):
        read_design(slider_crank(), vary, **asked)
