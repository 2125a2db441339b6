"""A mechanism is prepared as often as the page about the house says."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.counts import COUNTED, calls_of, results

PAGE = Path(__file__).parents[2] / "docs" / "house.md"


@pytest.mark.parametrize(
    ("line", "name"), [("a curve of a TOML file", "TOML → curve"), ("a written `.osim` file", "write .osim")]
)
def test_counts_of_the_page(line: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRASHOF_CACHE", "off")
    (row,) = [x for x in PAGE.read_text(encoding="utf-8").splitlines() if x.startswith(f"| {line} |")]
    found = calls_of(results(tmp_path)[name])
    assert [found[function.__name__] for function in COUNTED] == [int(x) for x in row.split("|")[2:-1]]
