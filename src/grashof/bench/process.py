"""Starts worker processes and receives their answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from grashof.bench.messages import BenchJob, Excuse, Judged, Message
from grashof.engines.second_opinion import PREPARING

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
"""Environment variables that restrict the usual libraries to one thread."""

LAST_WORDS = 1 << 16
"""Number of bytes at the end of standard error in which the last line is searched for."""

COMMAND = (sys.executable, "-m", "grashof.bench.worker")


def ask(job: BenchJob) -> Iterator[Message]:
    """The messages of a new worker for a job, as they arrive; ends the process when the caller stops listening.

    A process that crashes before it has answered (with a survey, an excuse or a sample), or exceeds all limits, yields
    an excuse. Failures after the answer, for example during the interpreter's shutdown, are ignored.
    """
    # the cache of compiled code is not used, so that build times are those of a first run
    environment = {**os.environ, **ONE_THREAD, "GRASHOF_CACHE": "off"}
    # twice the limit, which is in CPU seconds, because the processor may be busy
    allowed = PREPARING + 2.0 * job.limit_s
    pipe = subprocess.PIPE
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=words, env=environment)
        assert process.stdin is not None
        assert process.stdout is not None
        overrun = threading.Event()

        def end() -> None:
            overrun.set()
            process.kill()

        timer = threading.Timer(allowed, end)
        answered = False
        try:
            timer.start()
            process.stdin.write(msgspec.json.encode(job) + b"\n")
            process.stdin.flush()
            for line in process.stdout:
                if not line.endswith(b"\n"):
                    break  # it was killed while it wrote
                message = msgspec.json.decode(line, type=Message)
                answered |= not isinstance(message, Judged)
                yield message
            code = process.wait()
        finally:
            timer.cancel()
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()
        if answered:
            return
        if overrun.is_set():
            yield Excuse(
                "failed",
                f"It was ended after {allowed:g} s of wall time, because it exceeded its limit.",
                "",
                job.limit_s,
            )
            return
        yield Excuse("failed", f"{end_of(code)} {last_line(words)}".rstrip())


def last_line(words: BinaryIO) -> str:
    """The last line of a file that is not empty.

    >>> from io import BytesIO
    >>> last_line(BytesIO(b"one\\ntwo\\n\\n"))
    'two'
    """
    words.seek(max(0, words.seek(0, os.SEEK_END) - LAST_WORDS))
    return next((line for line in reversed(words.read().decode(errors="replace").splitlines()) if line.strip()), "")


def end_of(code: int) -> str:
    """How a process ended.

    >>> end_of(-11), end_of(3)
    ('Its process was ended by SIGSEGV.', 'Its process ended with code 3.')
    """
    if code >= 0:
        return f"Its process ended with code {code}."
    return f"Its process was ended by {signal.Signals(-code).name}."
