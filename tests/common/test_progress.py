"""Progress as one line on a terminal."""

from __future__ import annotations

import io

from grashof.common.progress import PATIENCE, Part, ProgressLine


def test_a_line_appears_after_a_while_and_is_removed() -> None:
    stream, clock = io.StringIO(), [0.0]
    line = ProgressLine(stream, lambda: clock[0])
    line(Part(0.1, "sweeping"))
    line.clear()
    assert stream.getvalue() == ""
    clock[0] = PATIENCE
    line(Part(0.5, "sweeping", "5 of 10 rows"))
    assert stream.getvalue() == "\rsweeping: 50%, 5 of 10 rows"
    clock[0] += 0.01
    line(Part(0.6, "sweeping"))  # too soon after the last change
    clock[0] += 1.0
    line(Part(0.9, "sweeping"))
    line.clear()
    shown = stream.getvalue().split("\r")
    assert shown[2] == "sweeping: 90%".ljust(len(shown[1]))
    assert shown[3].isspace()
