"""Uploaded result files that wait to be published: in a folder, each under a name that the server made, for a day
at most."""

from __future__ import annotations

import logging
import re
import secrets
import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool

from grashof.common.writing import write_atomically
from grashof.server.clients import SHARE
from grashof.server.refusals import Full, Missing, TooLarge, TooMany

LOG = logging.getLogger("grashof.server")

LARGEST = 64 << 20
"""Bytes of an upload."""

MOST = 2000
"""Uploads that are kept at a time."""

SPACE = 2 << 30
"""Bytes of all uploads together; the oldest are removed first."""

FREE = 256 << 20
"""Bytes of the disk that uploads leave to others."""

KEPT = 24 * 3600.0
"""Seconds for which an upload is kept."""

YOUNG = 600.0
"""Seconds for which an upload is not removed to make room for others, so that it can be looked at and published."""

_NAME = re.compile(r"[0-9a-f]{32}")


@dataclass
class Uploads:
    """The folder, and the bytes that may lie in it."""

    folder: Path
    space: int = SPACE

    def __post_init__(self) -> None:
        self.used = 0
        self._owners: dict[str, str] = {}

    async def receive(self, client: str, content: AsyncIterator[bytes]) -> str:
        """Writes what comes to a new upload of a client, and gives its name."""
        kept = await run_in_threadpool(self._make_room)
        self._owners = {name: owner for name, owner in self._owners.items() if name in kept}
        if sum(kept[name] for name, owner in self._owners.items() if owner == client) > self.space // SHARE:
            raise TooMany("Your uploads take too much room; they are forgotten after a day, or sooner if it is needed.")
        name = secrets.token_hex(16)
        place = self.folder / name
        place.mkdir(parents=True)
        self._owners[name] = client
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
                    if self.used + len(block) > self.space:
                        await run_in_threadpool(self._make_room, len(block))
                    self.used += len(block)
                    file.write(block)
                    file.flush()
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
        return name

    def remove(self, name: str) -> None:
        """Forgets an upload."""
        shutil.rmtree(self._place(name), ignore_errors=True)

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

    def _make_room(self, more: int = 0) -> dict[str, int]:
        """Removes what is old, and the oldest where there is no room for more bytes; Full if there is none then.
        Returns the bytes of those that are left."""
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = sorted(filter(None, map(_made_and_size, self.folder.iterdir())))
        self.used = sum(size for _, size, _ in kept)
        left = {place.name: size for _, size, place in kept}
        for k, (made, _, place) in enumerate(kept):
            age, crowded = time.time() - made, self.used + more > self.space or len(kept) - k >= MOST
            if age > KEPT or (crowded and age > YOUNG):
                shutil.rmtree(place, ignore_errors=True)
                self.used -= left.pop(place.name)
            elif crowded:
                raise Full("The server has no room for more uploads at the moment; try again in ten minutes.")
        if shutil.disk_usage(self.folder).free < FREE:
            LOG.error("The disk of %s has less than %d MiB left; uploads are refused.", self.folder, FREE >> 20)
            raise Full("The server's disk is full, so that it cannot take uploads. Its operator has been told.")
        return left


def _made_and_size(place: Path) -> tuple[float, int, Path] | None:
    """When an upload was made, and its bytes; None if it was removed meanwhile."""
    try:
        return place.stat().st_mtime, sum(file.stat().st_size for file in place.iterdir()), place
    except FileNotFoundError:
        return None
