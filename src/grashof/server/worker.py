"""A process that executes one task after another for the server, within a limit of memory: `python -m
grashof.server.worker`.

Tasks come as messages on standard input, and what comes of them goes to standard output; each message is MessagePack
behind its length. Whatever a person uploads is read only here: a file that takes too much memory or time ends a worker,
not the server.
"""

from __future__ import annotations

import os
import struct
import sys
import traceback
from typing import Any, BinaryIO

import msgspec

LENGTH = struct.Struct("<I")

INTERNAL = "Something went wrong inside Grashof; this is an error in Grashof itself."


def read(stream: BinaryIO) -> Any:
    """The next message; None at the end."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return msgspec.msgpack.decode(stream.read(LENGTH.unpack(head)[0]))


def message_bytes(message: Any) -> bytes:
    """A message as bytes."""
    content = msgspec.msgpack.encode(message)
    return LENGTH.pack(len(content)) + content


def main() -> None:
    """Works until nobody sends anything more. Arguments: megabytes of memory, and niceness."""
    _limit(*map(int, sys.argv[1:3]))
    from grashof.common.errors import ModelError
    from grashof.engines.orphans import end_with_parent
    from grashof.server.tasks import TASKS

    end_with_parent()
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print must not look like messages

    def send(message: Any) -> None:
        sink.write(message_bytes(message))
        sink.flush()

    send({"ready": True})
    while (message := read(source)) is not None:
        try:
            task = TASKS[message["task"]]
            send({"done": task(lambda part, words: send({"progress": [part, words]}), **message["given"])})
        except ModelError as problem:
            send({"problem": str(problem)})
        except MemoryError:
            send({"problem": "This takes more memory than the server allows for one task."})
        except Exception:
            traceback.print_exc()
            send({"problem": INTERNAL})


def _limit(megabytes: int = 0, niceness: int = 0) -> None:
    """Bounds the memory of this process and lets others come first, where the system can."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    try:
        import resource
    except ImportError:
        return
    if megabytes:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
