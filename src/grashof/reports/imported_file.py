"""What became of one model file of another program that was read, built, simulated and compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

SAME_PUSH = 1e-9
"""Accelerations at the start agree if they differ by at most this fraction of the largest one, or of gravity where
that is larger."""
SAME_WAY = 1e-5
"""Motions agree if places differ by at most this fraction of the size of the mechanism."""
EXPECTED = ("contact", "Contact", "Muscle", "HuntCrossley", "ElasticFoundation", "pass through", "HalfSpace")
"""Words in the sentences about parts that are left out everywhere, and that the engines leave out for comparisons."""
READING = "It was being read when the time limit was reached."


@dataclass(frozen=True)
class ImportedFile:
    """What became of one file. Stages that were not reached are None.

    refused      the sentence with which reading it was refused, or None
    left_out     what was left out, one sentence each
    problem      why it could not be built
    status       how its run ended, and the CPU time of building and running it, s
    engine       the format's own engine; `no_engine` is the reason why there is no comparison
    start, push  the largest differences of the places at the start, in units of the size, and of the accelerations
                 there, in units of the largest one or of gravity, whichever is larger
    apart        the largest difference of the places at any time, in units of the size
    freedoms     how many the engine counts in the file, or None where it refuses the file or is not installed
    stopped      what it was doing when the time limit was reached, or when its process crashed
    error        an exception that is not a refusal, with its place: a defect of Grashof
    """

    path: str
    format: str
    refused: str | None = None
    left_out: tuple[str, ...] = ()
    problem: str | None = None
    status: str | None = None
    ok: bool | None = None
    cpu_s: float | None = None
    engine: str | None = None
    no_engine: str | None = None
    start: float | None = None
    push: float | None = None
    apart: float | None = None
    freedoms: int | None = None
    stopped: str | None = None
    error: str | None = None

    @property
    def outcome(self) -> str:
        """One word for the whole."""
        if self.error:
            return "error"
        if self.stopped:
            return "stopped"
        if self.refused is not None:
            return "refused"
        if self.problem is not None:
            return "not built"
        if not self.ok:
            return "failed"
        if self.push is None or self.apart is None:
            return "runs"
        return "agrees" if self.push <= SAME_PUSH and self.apart <= SAME_WAY else "differs"

    @property
    def was_read(self) -> bool:
        """Whether there is a mechanism."""
        return self.refused is None and self.stopped != READING and (self.error is None or self.status is not None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things that were left out."""
        return tuple(dict.fromkeys(map(kind_of, self.left_out)))

    @property
    def lacks(self) -> tuple[str, ...]:
        """The kinds that were left out, apart from contact and muscles."""
        return tuple(kind for kind in self.kinds if not any(word in kind for word in EXPECTED))

    def explain(self) -> str:
        """Why the outcome is not better, or what was compared."""
        if self.error or self.stopped:
            return self.error or self.stopped or ""
        reason = self.refused or self.problem or (None if self.ok else self.status)
        if reason is not None:
            return reason
        if self.push is None or self.apart is None:
            return self.no_engine or ""
        return (
            f"{self.engine}: accelerations differ by {self.push:.1e}, places by {self.start:.1e} at the start and by "
            f"{self.apart:.1e} at most"
        )


def kind_of(sentence: str) -> str:
    """A sentence about something left out, without its place, names and numbers.

    >>> kind_of("line 12, Thelen2003Muscle 'soleus_r': a Thelen2003Muscle is not supported; it is left out.")
    'Thelen2003Muscle: a Thelen2003Muscle is not supported; it is left out.'
    >>> kind_of("joint 'knee': its range, -1.5 to 0.2 rad, is not simulated.")
    'joint: its range, # to # rad, is not simulated.'
    """
    text = re.sub(r"^line \d+, ", "", sentence)
    text = re.sub(r" ?'[^']*'(?=:)", "", text)
    text = re.sub(r"'[^']*'", "'…'", text)
    return re.sub(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]*\w)", "#", text)
