"""Commands that are run here say nothing of what they do meanwhile, however busy the machine is."""

from __future__ import annotations

import pytest

from grashof.cli import console


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "PATIENCE", 1e6)
