"""A file beside the table that keeps finished batches while a sweep runs, so that it can be resumed after any
interruption.

It begins with the fingerprint of the sweep. Then come records, in the order in which batches were finished: index of
the batch, length and checksum (little-endian, 8, 8 and 4 bytes), and the rows as bytes. A record that is torn or
damaged ends what is read; what follows is computed again.
"""

from __future__ import annotations

import os
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from grashof.common.errors import ModelError
from grashof.sweeps.study import StudyRows

_HEAD = struct.Struct("<QQI")
_MAGIC = b"grashof sweep 1 "


class Journal:
    """Finished batches by their index, on disk."""

    def __init__(self, path: Path, fingerprint: str, resume: bool) -> None:
        """Opens the journal and finds the finished batches; begins a new one if there is none, or if it is not to be
        resumed."""
        self.path = path
        self._places: dict[int, tuple[int, int]] = {}
        head = _MAGIC + fingerprint.encode() + b"\n"
        self._file = path.open("a+b")
        self._lock()
        self._file.seek(0)
        found = self._file.read(len(head)) if resume else b""
        if found == head:
            self._find_records()
        elif head.startswith(found):  # a new file, or one that was interrupted in its header
            self._file.truncate(0)
            self._file.write(head)
            self._file.flush()
        else:
            self._file.close()
            raise ModelError(
                f"{self.path} belongs to another sweep, or to another version of Grashof; delete it, choose another "
                "file for the table, or do not resume."
            )

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def __contains__(self, index: object) -> bool:
        return index in self._places

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def put(self, index: int, rows: StudyRows) -> None:
        """Keeps a batch; once this returns, it survives the end of the process."""
        content = msgspec.msgpack.encode(rows)
        place = self._file.seek(0, os.SEEK_END)  # where all is appended
        self._file.write(_HEAD.pack(index, len(content), zlib.crc32(content)) + content)
        self._file.flush()
        self._places[index] = (place + _HEAD.size, len(content))

    def get(self, index: int) -> StudyRows:
        """A batch from the journal."""
        place, length = self._places[index]
        self._file.seek(place)
        return msgspec.msgpack.decode(self._file.read(length), type=StudyRows)

    def _lock(self) -> None:
        """Locks the file against other processes until this one closes it or ends."""
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise ModelError(f"{self.path} is in use: the same table is being computed by another process.") from None

    def _find_records(self) -> None:
        """Reads the records and truncates an incomplete one at the end."""
        good = self._file.tell()
        while len(head := self._file.read(_HEAD.size)) == _HEAD.size:
            index, length, checksum = _HEAD.unpack(head)
            if good + _HEAD.size + length > os.fstat(self._file.fileno()).st_size:
                break
            if zlib.crc32(self._file.read(length)) != checksum:
                break
            self._places[index] = (good + _HEAD.size, length)
            good = self._file.tell()
        self._file.truncate(good)
