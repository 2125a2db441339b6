"""A process that computes rows: `python -m grashof.sweeps.worker` reads a study and then batches from standard
input, and answers on standard output."""

from __future__ import annotations

import os
import sys

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.sweeps.executors.processes import receive, send
from grashof.sweeps.study import compute, decode_study


def main() -> None:
    """Answers until its standard input is closed."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output of user code must not mix with answers
    questions = sys.stdin.buffer
    data = receive(questions)
    if data is None:
        return
    try:
        study = decode_study(data)
        engine = study.make_engine()
        while (asked := receive(questions)) is not None:
            numbers = np.frombuffer(asked).reshape(-1, len(study.paths))
            send(answers, msgspec.msgpack.encode(compute(study, engine, numbers)))
    except ModelError as problem:
        send(answers, msgspec.msgpack.encode(str(problem)))
    except (KeyboardInterrupt, BrokenPipeError):
        pass


if __name__ == "__main__":
    main()
