"""Uploaded result files that wait to be published: in a folder, each under a name that the server made, for a day."""

from __future__ import annotations

import re
import secrets
import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from grashof.common.writing import write_atomically
from grashof.server.refusals import Busy, Missing, TooLarge

LARGEST = 64 << 20
"""Bytes of an upload."""

MOST = 2000
"""Uploads that are kept at a time."""

KEPT = 24 * 3600.0
"""Seconds for which an upload is kept."""

_NAME = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Uploads:
    """The folder."""

    folder: Path

    async def receive(self, content: AsyncIterator[bytes]) -> str:
        """Writes what comes to a new upload, and gives its name."""
        self._clear()
        name = secrets.token_hex(16)
        place = self.folder / name
        place.mkdir(parents=True)
        size = 0
        try:
            with (place / "data").open("xb") as file:
                async for block in content:
                    size += len(block)
                    if size > LARGEST:
                        raise TooLarge(
                            f"The file has more than {LARGEST:,} bytes, which is the largest size allowed. "
                            "Compress it by gzip, or write fewer rows."
                        )
                    file.write(block)
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
        return name

    def path(self, name: str) -> Path:
        """The uploaded file."""
        return self._place(name) / "data"

    def keep(self, name: str, facts: dict[str, Any]) -> None:
        """What is known of an upload."""
        write_atomically(self._place(name) / "facts", msgspec.json.encode(facts))

    def facts(self, name: str) -> dict[str, Any]:
        """What is known of an upload; ModelError if there is no such upload."""
        try:
            found: dict[str, Any] = msgspec.json.decode((self._place(name) / "facts").read_bytes())
        except FileNotFoundError:
            raise Missing("There is no such upload; uploads that are not published are kept for a day.") from None
        return found

    def _place(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise Missing("There is no such upload.")
        return self.folder / name

    def _clear(self) -> None:
        """Removes what is old, and refuses to take more than there is room for."""
        self.folder.mkdir(parents=True, exist_ok=True)
        count = 0
        for place in self.folder.iterdir():
            if time.time() - place.stat().st_mtime > KEPT:
                shutil.rmtree(place, ignore_errors=True)
            else:
                count += 1
        if count >= MOST:
            raise Busy("There are too many uploads at the moment; try again later.")
