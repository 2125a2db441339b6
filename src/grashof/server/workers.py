"""Worker processes of the server: each executes one task at a time, and is replaced if it takes too long or dies."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from grashof.common.errors import ModelError
from grashof.server.refusals import Busy
from grashof.server.worker import LENGTH, message_bytes

MEMORY = 4096
"""Megabytes of address space that a worker may use; libraries reserve more than they use."""

WAITING = 256
"""Tasks that may wait for a worker; more are refused."""

LARGEST = 64 << 20
"""Bytes of an answer."""

Progress = Callable[[float, str], None]


@dataclass
class Workers:
    """A number of processes that share a queue of tasks."""

    count: int = 2
    memory: int = MEMORY
    _idle: list[Process] = field(default_factory=list)
    _free: asyncio.Semaphore | None = None
    _waiting: int = 0

    async def run(self, task: str, given: dict[str, Any], seconds: float, progress: Progress | None = None) -> Any:
        """What the task gives; ModelError with a sentence if it fails, takes too long, or dies. If it is cancelled,
        its process is ended."""
        if self._waiting >= WAITING:
            raise Busy("The server has too much to do at the moment; try again in a minute.")
        if self._free is None:
            self._free = asyncio.Semaphore(self.count)
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        try:
            return await self._run(task, given, seconds, progress)
        finally:
            self._free.release()

    async def _run(self, task: str, given: dict[str, Any], seconds: float, progress: Progress | None) -> Any:
        worker = await self._worker()
        try:
            async with asyncio.timeout(seconds):
                assert worker.stdin is not None
                worker.stdin.write(message_bytes({"task": task, "given": given}))
                await worker.stdin.drain()
                while True:
                    message = await _message(worker)
                    if "progress" in message:
                        if progress is not None:
                            progress(*message["progress"])
                        continue
                    self._idle.append(worker)
                    if "problem" in message:
                        raise ModelError(message["problem"])
                    return message["done"]
        except TimeoutError:
            await _end(worker)
            raise ModelError(f"This takes longer than {seconds:g} s, which is the limit of the server.") from None
        except (EOFError, OSError):
            await _end(worker)
            raise ModelError("This takes more memory or time than the server allows for one task.") from None
        except asyncio.CancelledError:
            await _end(worker)
            raise

    async def _worker(self) -> Process:
        while self._idle:
            worker = self._idle.pop()
            if worker.returncode is None:
                return worker
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "grashof.server.worker", str(self.memory)]
        worker = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=environment, limit=LARGEST)
        try:
            await _message(worker)
        except BaseException:
            await _end(worker)
            raise
        return worker

    async def close(self) -> None:
        """Ends the processes that wait for work."""
        while self._idle:
            await _end(self._idle.pop())


async def _message(worker: Process) -> dict[str, Any]:
    assert worker.stdout is not None
    try:
        size = LENGTH.unpack(await worker.stdout.readexactly(LENGTH.size))[0]
        if size > LARGEST:
            raise EOFError
        content = await worker.stdout.readexactly(size)
    except asyncio.IncompleteReadError:
        raise EOFError from None
    found: dict[str, Any] = msgspec.msgpack.decode(content)
    return found


async def _end(worker: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        worker.kill()
    if worker.stdin is not None:
        worker.stdin.close()
    await worker.wait()
