"""Runs a command of a stranger: in an empty folder of its own, within limits, and by bubblewrap (`bwrap`, Linux)
without network and without any file of the operator.

The kernel is shared with the command. What that does not guard against needs a virtual machine.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from grashof.bench.process import ONE_THREAD, last_line
from grashof.common.errors import ModelError

OUTPUT = 64
"""The longest output that is read, MiB; it is also the longest file that the command can write."""

WORK = "/room"
ROOM = 512
"""The folder in which an isolated command writes, and its size, MiB."""

PROCESSES = 512
"""Processes of an isolated command. The system does not count those of root."""

LIMITED = """ulimit -c 0; ulimit -t "$1"; ulimit -v "$2"; ulimit -f "$3"; shift 3; exec "$@" """
COUNTED = f"""ulimit -u {PROCESSES} 2>/dev/null || ulimit -p {PROCESSES}; exec sh -c "$1" """
"""Scripts that limit what follows; the second one runs inside, where processes are counted from zero."""

SYSTEM = ("/bin", "/lib", "/lib32", "/lib64", "/sbin")
SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache")
"""What programs need of the system beside /usr."""


@dataclass(frozen=True)
class Limits:
    """What a command may use.

    seconds    of wall time in all, and of CPU time of each process
    megabytes  of memory of each process
    tools      folders that it sees, read-only, beside those of the system and of Python
    """

    seconds: float = 600.0
    megabytes: int = 4096
    tools: tuple[Path, ...] = ()


@dataclass(frozen=True)
class CommandRun:
    """How a command ended.

    code    its exit code; −n if it was ended by signal n; None if its time was over
    seconds wall time
    output  what it wrote on its standard output
    words   the last line on its standard error
    """

    code: int | None
    seconds: float
    output: bytes
    words: str


def why_not_isolated() -> str:
    """Why commands cannot be isolated on this machine; empty if they can."""
    if shutil.which("bwrap") is None:
        return "bubblewrap (`bwrap`) is not installed"
    tried = subprocess.run([*_isolated(()), "true"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else f"bubblewrap fails here ({last_line(BytesIO(tried.stderr))})"


def guards(limits: Limits, isolated: bool) -> tuple[list[str], list[str]]:
    """What a command is kept from, and what it is not kept from, in words."""
    kept = [
        f"It has {limits.seconds:g} s, {limits.megabytes} MiB of memory for each process, and files of {OUTPUT} MiB.",
        "It starts in an empty folder of its own, which is removed afterwards.",
        "Its environment contains PATH, HOME, TMPDIR, LANG and numbers of threads, and nothing else.",
    ]
    if not isolated:
        return kept, [
            "It can use the network.",
            "It can read and change all files that you can.",
            "Processes that it leaves behind go on.",
        ]
    kept += [
        "It has no network.",
        f"It sees the system's programs and those of Python, read-only, and {ROOM} MiB of room, but no other file.",
        "It sees no process but its own, and all of these end with it.",
    ]
    kept += [f"It also sees {folder}, read-only." for folder in limits.tools]
    still = ["It runs on the same kernel: an error in that could let it out."]
    if os.geteuid() == 0:
        still.append("You are root, so the number of its processes is not limited. An ordinary user is better.")
    else:
        kept.append(f"It has {PROCESSES} processes at most.")
    return kept, still


def run_command(command: str, limits: Limits, *, isolated: bool) -> CommandRun:
    """Runs a command of a POSIX shell to its end, or until a limit ends it."""
    if os.name == "nt":
        raise ModelError("Commands of others are run on Linux and macOS only: Windows has no such limits.")
    with tempfile.TemporaryDirectory(prefix="grashof-") as outside, tempfile.TemporaryFile() as output:
        inside = WORK if isolated else outside
        limiting = [str(x) for x in (int(limits.seconds) + 1, limits.megabytes << 10, OUTPUT << 11)]
        start = ["sh", "-c", LIMITED, "sh", *limiting]
        start += [*_isolated(limits.tools), "sh", "-c", COUNTED, "sh"] if isolated else ["sh", "-c"]
        with tempfile.TemporaryFile() as told:
            begin = time.perf_counter()
            process = subprocess.Popen(
                [*start, command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=told,
                cwd=outside,
                env={**ONE_THREAD, "PATH": _path(limits.tools), "HOME": inside, "TMPDIR": inside, "LANG": "C.UTF-8"},
                start_new_session=True,
            )
            code = _wait(process, limits.seconds)
            seconds = time.perf_counter() - begin
            words = last_line(told)
        output.seek(0)
        return CommandRun(code, seconds, output.read(OUTPUT << 20), words)


def _wait(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The exit code of a process; None if it had to be ended. What is left of its group ends, too."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _isolated(tools: Sequence[Path]) -> list[str]:
    """The beginning of a command line that isolates what follows."""
    own = [Path(sys.base_prefix), Path(sys.prefix), Path(__file__).parents[2], *tools]
    seen = [x for folder in dict.fromkeys(["/usr", *map(str, own)]) for x in ("--ro-bind", folder, folder)]
    for path in SYSTEM:
        if os.path.islink(path):
            seen += ["--symlink", os.readlink(path), path]
        else:
            seen += ["--ro-bind-try", path, path]
    seen += [x for path in SETTINGS for x in ("--ro-bind-try", path, path)]
    room = str(ROOM << 20)
    return [
        *("bwrap", "--unshare-user", "--unshare-all", "--die-with-parent", "--new-session"),
        *("--uid", "65534", "--gid", "65534", "--cap-drop", "ALL", "--hostname", "reproduce"),
        *seen,
        *("--proc", "/proc", "--dev", "/dev", "--size", room, "--tmpfs", "/dev/shm"),
        *("--size", room, "--tmpfs", WORK),
        # what a process of root may write in spite of all that: settings of the kernel, the room of / and /dev
        *("--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"),
        *("--chdir", WORK, "--"),
    ]


def _path(tools: Sequence[Path]) -> str:
    """Where commands are looked for: the tools, this Python, and the system."""
    folders = [folder for tool in tools for folder in (tool / "bin", tool)]
    return os.pathsep.join(map(str, [*folders, Path(sys.executable).parent, "/usr/local/bin", "/usr/bin", "/bin"]))
