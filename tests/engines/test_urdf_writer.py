"""Robots that are read from URDF and written again have the same accelerations in Pinocchio, in any position."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.exchange import xml
from grashof.exchange.urdf.reader import read
from grashof.exchange.urdf.writer import write

from ..exchange.robots import robot

pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed: pip install 'grashof[engines]'")


@pytest.mark.parametrize("seed", range(5))
def test_accelerations_are_those_of_the_original(seed: int) -> None:
    text = robot(seed, ("revolute", "prismatic", "revolute", "fixed", "prismatic", "revolute", "revolute"))
    model, _, _ = read(xml.parse(text.encode()))
    written, left_out = write(model)
    assert left_out == []
    rng = np.random.default_rng(seed)
    names = [measure.name for measure in model.measures]
    q, v, tau = ({name: rng.uniform(-1, 1) for name in names} for _ in range(3))
    found = []
    for document in (text, written):
        theirs = pin.buildModelFromXML(document)
        order = list(theirs.names)[1:]
        assert sorted(order) == sorted(names)
        rows = (np.array([values[name] for name in order]) for values in (q, v, tau))
        found.append(dict(zip(order, pin.aba(theirs, theirs.createData(), *rows), strict=True)))
    for name in names:
        assert found[1][name] == pytest.approx(found[0][name], rel=1e-9, abs=1e-9)
