"""Worker processes of the server: each executes one task at a time, and is replaced if it takes too long or dies.

Checks, judging and runs have processes and queues of their own. While the processor is busy, checks come before judging
and judging before runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from grashof.common.errors import ModelError
from grashof.server.fair_queue import FairQueue
from grashof.server.refusals import Busy
from grashof.server.worker import LENGTH, message_bytes

MEMORY = 4096
"""Megabytes of address space that a worker may use; libraries reserve more than they use."""

LARGEST = 64 << 20
"""Bytes of an answer."""

GRACE = 2.0
"""Seconds that are left to a short task for which nobody waits any more, because starting a process takes longer."""

Kind = Literal["check", "judge", "run"]

Progress = Callable[[float, str], None]


@dataclass
class Workers:
    """The processes of all kinds of tasks.

    count    processes of each kind
    memory   that each may use, in megabytes
    """

    count: int = 2
    memory: int = MEMORY

    def __post_init__(self) -> None:
        self.pools: dict[Kind, Pool] = {
            "check": Pool(self.count, self.memory, 0, GRACE),
            "judge": Pool(self.count, self.memory, 5, GRACE),
            "run": Pool(self.count, self.memory, 10, 0.0),
        }

    async def run(
        self,
        kind: Kind,
        client: str,
        task: str,
        given: dict[str, Any],
        seconds: float,
        progress: Progress | None = None,
    ) -> Any:
        """What the task gives; ModelError with a sentence if it fails, dies, or is not finished within some seconds,
        waiting included. If this is cancelled, the task is dropped."""
        return await self.pools[kind].run(client, task, given, seconds, progress)

    async def close(self) -> None:
        """Ends the processes that wait for work."""
        for pool in self.pools.values():
            await pool.close()


@dataclass
class Pool:
    """Processes for one kind of tasks, and the queue for them.

    niceness  of the processes: the higher, the more others come first
    grace     seconds that are left to a task that is cancelled at work
    """

    count: int
    memory: int
    niceness: int
    grace: float
    _idle: list[Process] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.queue = FairQueue(self.count)

    async def run(
        self, client: str, task: str, given: dict[str, Any], seconds: float, progress: Progress | None
    ) -> Any:
        """See `Workers.run`."""
        loop = asyncio.get_running_loop()
        asked, begun = loop.time(), asyncio.Event()
        work = asyncio.create_task(self._run(client, begun, task, given, asked + seconds, progress))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            if begun.is_set() and self.grace:
                loop.call_later(self.grace, work.cancel)
            else:
                work.cancel()
            work.add_done_callback(_forget)
            raise
        except TimeoutError:
            if not begun.is_set():
                raise Busy(
                    f"The server did not get to this within {seconds:g} s, because it has too much to do; "
                    "try again later."
                ) from None
            raise ModelError(
                f"This takes longer than {seconds:g} s, waiting included, which is the limit of the server."
            ) from None

    async def _run(
        self,
        client: str,
        begun: asyncio.Event,
        task: str,
        given: dict[str, Any],
        until: float,
        progress: Progress | None,
    ) -> Any:
        async with asyncio.timeout_at(until), self.queue.place(client):
            begun.set()
            worker = await self._worker()
            try:
                return await self._ask(worker, {"task": task, "given": given}, progress)
            except (EOFError, OSError):
                raise ModelError("This takes more memory or time than the server allows for one task.") from None
            finally:
                if worker not in self._idle:
                    await _end(worker)

    async def _ask(self, worker: Process, question: dict[str, Any], progress: Progress | None) -> Any:
        assert worker.stdin is not None
        worker.stdin.write(message_bytes(question))
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

    async def _worker(self) -> Process:
        while self._idle:
            worker = self._idle.pop()
            if worker.returncode is None:
                return worker
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "grashof.server.worker", str(self.memory), str(self.niceness)]
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


def _forget(work: asyncio.Task[Any]) -> None:
    """Takes notice of what became of a task for which nobody waits."""
    if not work.cancelled():
        work.exception()
