"""Damaged and hostile input of every kind: `python -m fuzz [KIND …] [--cases N] [--seed K]`, or `make fuzz`.

Each module here covers one kind of input and has a function `run(cases, seed)` that returns its findings as sentences;
the list should be empty. A case may succeed or be rejected with a sentence (`ModelError`). Any other exception, an
endless wait, or a crash of the process is a finding. The same seed gives the same cases. Nothing outside a temporary
folder is touched.
"""

from __future__ import annotations

import os
import random
import signal
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from grashof.common.errors import ModelError

PATIENCE = 30
"""Time limit for one case, s, on a machine with other work."""

NUMBERS = (
    *(b"0", b"-0", b"-1", b"1", b"0.1", b"1e-300", b"-1e300", b"1e309", b"nan", b"inf", b"-inf", b"1_0", b"9" * 400),
    *(b"1e155", b"2147483648", b"-9223372036854775809", b"18446744073709551616", b"0x10", b"1.0.0", b"+-1", b"1D+05"),
)
"""Numbers that are known to cause trouble for readers."""

PIECES = (
    *(
        b"\0",
        b"\n",
        b"\r",
        b"\t",
        b" ",
        b",",
        b";",
        b"=",
        b"[",
        b"]",
        b"{",
        b"}",
        b'"',
        b"'",
        b"\\",
        b"#",
        b"%",
        b"[/]",
    ),
    *(
        b"\xff",
        b"\xc3",
        b"\xe2\x82",
        b"\xed\xa0\x80",
        "é".encode(),
        "φ̇".encode(),
        b"\x1b[2J",
        b"\x1b]0;x\x07",
        b"\x9b31m",
    ),
    *(b"\\ud800", b"\\u0000", b"null", b"true", b"[[", b"]]", b"{}" * 50, b"[" * 300, b"A" * 3000, b"\xef\xbb\xbf"),
)
"""Other bytes that are known to cause trouble."""


def mutated(data: bytes, draw: random.Random) -> bytes:
    """The data with one to four random changes: bits, bytes, pieces, numbers and lines."""
    for _ in range(draw.choice((1, 1, 2, 4))):
        data = draw.choice((_flip, _insert, _cut, _truncate, _repeat, _number, _number, _swap_lines))(data, draw)
    return data


def _place(data: bytes, draw: random.Random) -> int:
    return draw.randrange(len(data) + 1)


def _flip(data: bytes, draw: random.Random) -> bytes:
    if not data:
        return data
    place = draw.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << draw.randrange(8))]) + data[place + 1 :]


def _insert(data: bytes, draw: random.Random) -> bytes:
    place = _place(data, draw)
    return data[:place] + draw.choice(PIECES) + data[place:]


def _cut(data: bytes, draw: random.Random) -> bytes:
    place = _place(data, draw)
    return data[:place] + data[place + draw.choice((1, 1, 4, 50, 2000)) :]


def _truncate(data: bytes, draw: random.Random) -> bytes:
    return data[: _place(data, draw)]


def _repeat(data: bytes, draw: random.Random) -> bytes:
    place = _place(data, draw)
    piece = data[place : place + draw.choice((1, 10, 300))]
    return data[:place] + piece * draw.choice((2, 3, 100)) + data[place + len(piece) :]


def _number(data: bytes, draw: random.Random) -> bytes:
    """Replaces a number of the text with an unusual one."""
    digits = b"0123456789"
    begin = next((k for k in range(_place(data, draw), len(data)) if data[k] in digits), None)
    if begin is None:
        return data
    end = next((k for k in range(begin, len(data)) if data[k] not in digits + b".eE+-"), len(data))
    return data[:begin] + draw.choice(NUMBERS) + data[end:]


def _swap_lines(data: bytes, draw: random.Random) -> bytes:
    lines = data.split(b"\n")
    a, b = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A temporary folder, in memory if possible, so that thousands of small files are not written to disk."""
    memory = "/dev/shm"
    return tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)


def finding(call: Callable[[], object], what: str) -> str | None:
    """The fault of a call that may only return or raise `ModelError`, as a sentence that begins with `what`."""
    try:
        with _alarm():
            call()
    except ModelError:
        return None
    except (Exception, SystemExit) as problem:
        place = traceback.extract_tb(problem.__traceback__)[-1]
        return f"{what}: {type(problem).__name__}: {str(problem)[:200]} ({place.filename}, line {place.lineno})"
    return None


@contextmanager
def _alarm() -> Iterator[None]:
    def ring(number: int, frame: object) -> None:
        raise TimeoutError(f"it took longer than {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
