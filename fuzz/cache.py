"""Damaged objects in the cache of compiled code: flipped bits, truncations, exchanged and hostile files."""

from __future__ import annotations

import ctypes
import os
import random
from functools import partial
from pathlib import Path
from unittest.mock import patch

from fuzz import finding, mutated, scratch
from grashof.scalar import sin
from grashof.tape import Library, cache, emit, trace

LOADED = 50
"""One case in this many is also loaded and run; the others are only looked up, which is where damage must be
detected."""


def run(cases: int, seed: int) -> list[str]:
    """Each case damages one object; a lookup of its name must then return nothing or the intact object."""
    found = []
    with scratch() as folder, patch.dict(os.environ, GRASHOF_CACHE=f"{folder}/kept"):
        expected = _value()
        objects = {path: path.read_bytes() for path in Path(folder, "kept").glob("*.o")}
        for case in range(cases):
            draw = random.Random(f"{seed} cache {case}")
            path = draw.choice(sorted(objects))
            sentence = finding(partial(_try, objects, path, draw), f"cache, case {case}")
            if sentence is None and case % LOADED == 0:
                sentence = finding(partial(_compare, expected), f"cache, case {case}, loaded")
            if sentence is not None:
                found.append(sentence)
            _restore(objects)
    return found


def _restore(objects: dict[Path, bytes]) -> None:
    for path, content in objects.items():
        if path.is_dir():
            path.rmdir()
        path.unlink(missing_ok=True)
        path.write_bytes(content)
        path.chmod(0o600)


def _value() -> float:
    """The result of a small program, compiled or from the cache."""
    library = Library(emit({"f": trace(lambda x: [sin(x[0]) * 3.0 + x[0]], 1)}))
    function = library.function("f", None, ctypes.c_void_p, ctypes.c_void_p)
    given, result = ctypes.c_double(0.7), ctypes.c_double()
    function(ctypes.addressof(given), ctypes.addressof(result))
    return result.value


def _compare(expected: float) -> None:
    if _value() != expected:
        raise ValueError(f"{_value()} instead of {expected}")


def _try(objects: dict[Path, bytes], path: Path, draw: random.Random) -> None:
    _damage(objects, path, draw)
    found = cache.get(path.stem)
    if found is not None and found != objects[path][: len(found)]:
        raise ValueError("a damaged object was taken for a whole one")


def _damage(objects: dict[Path, bytes], path: Path, draw: random.Random) -> None:
    """One of many kinds of damage, accidental or malicious."""
    whole = objects[path]
    kind = draw.randrange(8)
    if kind < 3:
        damaged = bytearray(whole)
        for _ in range(draw.choice((1, 1, 2, 8))):
            damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
        path.write_bytes(damaged)
    elif kind == 3:
        path.write_bytes(whole[: draw.randrange(len(whole))])
    elif kind == 4:
        path.write_bytes(mutated(whole, draw))
    elif kind == 5:
        path.write_bytes(objects[draw.choice(sorted(objects))])
    elif kind == 6:
        path.unlink()
        draw.choice((path.mkdir, lambda: os.mkfifo(path), lambda: path.symlink_to("/dev/zero")))()
    else:
        path.chmod(draw.choice((0o622, 0o606, 0o000)))
