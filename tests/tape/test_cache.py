"""Compiled code is kept on disk, whole, bounded, and never in the way."""

from __future__ import annotations

import ctypes
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grashof.tape import Code, Library, cache, emit, trace


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRASHOF_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def value(library: Library, x: float) -> float:
    function = library.function("f", None, ctypes.c_void_p, ctypes.c_void_p)
    given, found = ctypes.c_double(x), ctypes.c_double()
    function(ctypes.addressof(given), ctypes.addressof(found))
    return found.value


def program(factor: float) -> Code:
    return emit({"f": trace(lambda x: [factor * x[0] * x[0]], 1)})


def test_code_from_disk_computes_the_same(place: Path) -> None:
    first = value(Library(program(3.0)), 2.0)
    kept = {path: path.stat().st_mtime_ns for path in place.iterdir()}
    again = value(Library(program(3.0)), 2.0)
    assert first == again == 12.0
    assert set(place.iterdir()) == set(kept)


def test_another_program_is_another_object(place: Path) -> None:
    assert value(Library(program(3.0)), 2.0) == 12.0
    assert value(Library(program(5.0)), 2.0) == 20.0


def test_many_writers_at_once_leave_whole_objects(place: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: cache.put("same", bytes([k % 256]) * 100_000), range(64)))
    kept = cache.get("same")
    assert kept is not None
    assert len(kept) == 100_000
    assert len(set(kept)) == 1
    assert [path.name for path in place.iterdir()] == ["same.o"]


def test_the_least_recently_used_make_room(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST", 2500)
    for k, name in enumerate("abc"):
        cache.put(name, b"x" * 1000)
        if (place / f"{name}.o").exists():
            os.utime(place / f"{name}.o", (k, k))
    assert cache.get("a") is None
    assert cache.get("b") is not None
    assert sum(size for _, size, _ in cache.contents()) <= 2500
    assert cache.clear() == (2, 2000)


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("GRASHOF_CACHE", str(tmp_path / "file"))
    assert value(Library(program(7.0)), 1.0) == 7.0


def test_it_can_be_turned_off(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRASHOF_CACHE", "off")
    assert value(Library(program(9.0)), 1.0) == 9.0
    assert not place.exists()
