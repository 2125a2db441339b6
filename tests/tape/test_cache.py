"""Compiled code is kept on disk: whole, checked, bounded, and never in the way."""

from __future__ import annotations

import ctypes
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grashof.tape import Library, LlvmModule, cache, emit, trace

posix = pytest.mark.skipif(os.name == "nt", reason="there are no owners and modes there")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRASHOF_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Gains an entry whenever something is compiled."""
    from grashof.tape import library

    done: list[str] = []
    compile_it = library._compile_module

    def counted(ir: str, *rest: object) -> bytes:
        done.append(ir)
        return compile_it(ir, *rest)

    monkeypatch.setattr(library, "_compile_module", counted)
    return done


def value(library: Library, x: float) -> float:
    function = library.function("f", None, ctypes.c_void_p, ctypes.c_void_p)
    given, found = ctypes.c_double(x), ctypes.c_double()
    function(ctypes.addressof(given), ctypes.addressof(found))
    return found.value


def program(factor: float) -> LlvmModule:
    return emit({"f": trace(lambda x: [factor * x[0] * x[0]], 1)})


def objects(place: Path) -> list[Path]:
    return sorted(place.glob("*.o"))


def test_code_from_disk_computes_the_same(place: Path, compiled: list[str]) -> None:
    first = value(Library(program(3.0)), 2.0)
    kept, count = objects(place), len(compiled)
    again = value(Library(program(3.0)), 2.0)
    assert first == again == 12.0
    assert objects(place) == kept
    assert len(compiled) == count


def test_another_program_is_another_object(place: Path) -> None:
    assert value(Library(program(3.0)), 2.0) == 12.0
    assert value(Library(program(5.0)), 2.0) == 20.0


def test_a_damaged_object_is_made_anew(place: Path, compiled: list[str]) -> None:
    value(Library(program(3.0)), 2.0)
    draw = random.Random(1)
    for path in objects(place):
        whole = path.read_bytes()
        flipped = bytearray(whole)
        flipped[draw.randrange(len(flipped))] ^= 1 << draw.randrange(8)
        for damaged in (bytes(flipped), whole[: len(whole) // 2], whole[:-1], whole[:31], b"", whole + b"\0"):
            path.write_bytes(damaged)
            compiled.clear()
            assert value(Library(program(3.0)), 2.0) == 12.0
            assert len(compiled) == 1
            assert path.read_bytes() == whole


def test_every_flipped_bit_is_noticed(place: Path) -> None:
    cache.put("a", bytes(range(64)))
    whole = (place / "a.o").read_bytes()
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        (place / "a.o").write_bytes(flipped)
        assert cache.get("a") is None


def test_an_object_under_another_name_is_not_found(place: Path) -> None:
    cache.put("a", b"code of a")
    (place / "a.o").rename(place / "b.o")
    assert cache.get("b") is None


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777])
def test_a_folder_that_others_may_write_to_is_not_used(place: Path, mode: int, compiled: list[str]) -> None:
    value(Library(program(3.0)), 2.0)
    place.chmod(mode)
    compiled.clear()
    assert value(Library(program(3.0)), 2.0) == 12.0
    assert compiled
    assert "others may write to it" in (cache.refusal(place) or "")


@posix
def test_a_file_that_others_may_write_to_is_not_used(place: Path) -> None:
    cache.put("a", b"code")
    assert (place / "a.o").stat().st_mode & 0o077 == 0
    (place / "a.o").chmod(0o620)
    assert cache.get("a") is None
    cache.put("a", b"code")
    assert cache.get("a") == b"code"


@posix
@pytest.mark.parametrize("whose", ["folder", "file"])
def test_what_belongs_to_another_user_is_not_used(place: Path, whose: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("a", b"code")
    mine = os.stat(place).st_uid
    foreign = (place if whose == "folder" else place / "a.o").stat().st_ino
    ours = cache._ours
    monkeypatch.setattr(cache, "_ours", lambda status: status.st_ino != foreign and ours(status))
    assert cache.get("a") is None
    monkeypatch.undo()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    assert ours(os.stat(place)) == (mine == 0)  # what belongs to root may be used by everybody


@posix
def test_links_and_pipes_in_the_place_of_an_object_are_not_followed(place: Path, tmp_path: Path) -> None:
    cache.put("a", b"code")
    (place / "a.o").rename(tmp_path / "elsewhere")
    (place / "a.o").symlink_to(tmp_path / "elsewhere")
    assert cache.get("a") is None
    before = (tmp_path / "elsewhere").read_bytes()
    cache.put("a", b"new")
    assert cache.get("a") == b"new"
    assert (tmp_path / "elsewhere").read_bytes() == before
    os.mkfifo(place / "b.o")
    assert cache.get("b") is None


@posix
def test_a_folder_that_may_only_be_read_is_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("a", b"code")

    def refuse(path: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", refuse)  # root, who may run the tests, may write anywhere
    place.chmod(0o500)
    assert cache.get("a") == b"code"
    place.chmod(0o700)


def test_many_writers_at_once_leave_whole_objects(place: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: cache.put("same", bytes([k % 256]) * 100_000), range(64)))
    kept = cache.get("same")
    assert kept is not None
    assert len(kept) == 100_000
    assert len(set(kept)) == 1
    assert {path.name for path in place.iterdir()} == {"same.o", ".written"}


def test_the_least_recently_used_make_room(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST", 2500)
    for k, name in enumerate("abc"):
        cache.put(name, b"x" * 1000)
        if (place / f"{name}.o").exists():
            os.utime(place / f"{name}.o", (k, k))
    assert cache.get("a") is None
    assert cache.get("b") is not None
    assert sum(size for _, size, _ in cache.contents()) <= 2500
    assert cache.clear() == (2, 2 * 1032)


def test_the_folder_stays_within_its_bound_and_is_seldom_listed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST", 1 << 20)
    listed = []
    monkeypatch.setattr(cache, "_list_objects", lambda listing=cache._list_objects: listed.append(1) or listing())
    for k in range(500):
        cache.put(str(k), bytes(8000))
        if k % 50 == 0:
            assert sum(path.stat().st_size for path in objects(place)) <= 1 << 20
    assert len(listed) == 500 * 8192 // (1 << 17)


def test_what_killed_writers_left_is_removed_once_it_is_old(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("a", b"code")
    for name, age in (("old", 2.0 * cache.ABANDONED), ("young", 0.0)):
        left = place / f".{name}.o.0123abcd"
        left.write_bytes(b"half")
        os.utime(left, (left.stat().st_mtime - age,) * 2)
    monkeypatch.setattr(cache, "LARGEST", 8 * 4096)
    cache.put("b", bytes(5000))
    assert {path.name for path in place.iterdir()} == {"a.o", "b.o", ".young.o.0123abcd"}
    assert cache.clear()[0] == 3
    assert list(place.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    for chosen in ("file", "file/below", "x" * 5000):
        monkeypatch.setenv("GRASHOF_CACHE", str(tmp_path / chosen))
        assert value(Library(program(7.0)), 1.0) == 7.0
        assert cache.contents() == []


@posix
def test_no_home_and_no_user_name_is_no_error() -> None:
    script = """
import os, pwd
def unknown(*_): raise KeyError
pwd.getpwuid = unknown
from grashof.tape import cache
assert cache.folder() is None and cache.get("a") is None and cache.clear() == (0, 0)
cache.put("a", b"code")
"""
    lacking = ("HOME", "XDG_CACHE_HOME", "GRASHOF_CACHE", "USER", "LOGNAME")
    environment = {name: text for name, text in os.environ.items() if name not in lacking}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)


def test_it_can_be_turned_off(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRASHOF_CACHE", "off")
    assert value(Library(program(9.0)), 1.0) == 9.0
    assert not place.exists()
