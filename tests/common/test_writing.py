"""A file is whole or as it was before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grashof.common.writing import write_atomically


def test_the_new_content_replaces_the_old_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "it.txt"
    write_atomically(path, "old, and longer")
    write_atomically(path, "β₀")
    assert path.read_bytes() == "β₀".encode()
    write_atomically(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    assert os.listdir(tmp_path) == ["it.txt"]


def test_when_the_disk_is_full_the_old_file_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "it.txt"
    path.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_atomically(path, "new")
    assert caught.value.filename == os.fspath(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["it.txt"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="absent"):
        write_atomically(tmp_path / "absent" / "it.txt", "new")
