"""FMUs simulated by FMPy agree with `grashof.simulate`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from tests.portable.importer import in_fmpy
from tests.portable.mechanisms import TORQUE, slider_crank

pytest.importorskip("fmpy")


@pytest.mark.parametrize("version", ["3.0", "2.0"])
def test_a_slider_crank_moves_in_an_importer_as_it_does_here(version: str, tmp_path: Path) -> None:
    m = slider_crank()
    gr.export(m, tmp_path / "crank.fmu", inputs=[TORQUE], version=version)
    found = in_fmpy(tmp_path / "crank.fmu", kinds=["CoSimulation"], stop_time=4.0, output_interval=0.05)
    assert found["problems"] == []
    rows = found["CoSimulation"]
    run = gr.simulate(m, 4.0, tol=1e-9, times=rows["time"])
    for name in ("rod.end.x", "crank.angle", "kinetic"):
        assert np.allclose(rows[name], run[name], atol=3e-6), name
