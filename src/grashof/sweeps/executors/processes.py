"""Processes on this machine, each served by a thread. The study is sent to them once, as data; a process that is
killed is replaced."""

from __future__ import annotations

import contextlib
import struct
import subprocess
import sys
from typing import IO

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.sweeps.executors import Batches, Results, Setup
from grashof.sweeps.executors.threads import in_threads
from grashof.sweeps.study import Study, StudyRows

COMMAND = (sys.executable, "-m", "grashof.sweeps.worker")

AGAIN = 3
"""How often a process is replaced for one batch at most."""

_LENGTH = struct.Struct("<Q")

TRAVELS = True


def run(study: Study, batches: Batches, setup: Setup) -> Results:
    """Rows as the processes finish them."""
    processes = [_Process(study.encode()) for _ in range(setup.workers)]
    free = iter(processes)

    def halt() -> None:
        for process in processes:
            process.halt()

    try:
        yield from in_threads(lambda: next(free), batches, setup.workers, halt)
    finally:
        for process in processes:
            process.end()


class _Process:
    """A process that computes batches of one study; it is started when it is first needed."""

    def __init__(self, study: bytes) -> None:
        self._study = study
        self._process: subprocess.Popen[bytes] | None = None
        self._halted = False

    def __call__(self, numbers: np.ndarray) -> StudyRows:
        for _ in range(AGAIN):
            answer = self._ask(numbers)
            if self._halted:
                raise InterruptedError
            if isinstance(answer, StudyRows):
                return answer
            if answer is not None:
                raise ModelError(answer)
        raise ModelError(
            f"A worker process was killed {AGAIN} times while it computed the same rows: is there enough memory?"
        )

    def halt(self) -> None:
        """Stops the process; nothing is computed any more."""
        self._halted = True
        process = self._process
        if process is not None:
            process.kill()

    def _ask(self, numbers: np.ndarray) -> StudyRows | str | None:
        """The answer of the process: rows, an error message, or None if it has died."""
        try:
            if self._process is None:
                # in a session of its own, so that an interrupt from the keyboard reaches only this process
                self._process = subprocess.Popen(
                    COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
                )
                self._send(self._study)
            self._send(np.ascontiguousarray(numbers, float).tobytes())
            assert self._process.stdout is not None
            answer = receive(self._process.stdout)
        except OSError:
            answer = None
        if answer is None:
            self.end()
            return None
        return msgspec.msgpack.decode(answer, type=StudyRows | str)

    def _send(self, content: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        send(self._process.stdin, content)

    def end(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):  # unsent data is lost anyway
                        stream.close()


def send(stream: IO[bytes], content: bytes) -> None:
    """Writes a message with its length before it."""
    stream.write(_LENGTH.pack(len(content)) + content)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """Reads a message; None if there is no complete one."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    content = stream.read(length)
    return content if len(content) == length else None
