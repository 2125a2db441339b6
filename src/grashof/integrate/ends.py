"""The times at which the steps of a run have to end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, nextafter

from grashof.changes.kinks import Stop


@dataclass(frozen=True)
class Ends:
    """The times at which steps have to end, in the order of the run, each with the time at which the run goes on. The
    first is the end of the present stretch, the last that of the run.

    forward   1 towards later times, −1 towards earlier ones
    """

    stops: tuple[Stop, ...]
    forward: float

    @property
    def time(self) -> float:
        """The end of the present stretch, s."""
        return self.stops[0][0]

    @property
    def behind(self) -> float:
        """Where the run goes on after it, s."""
        return self.stops[0][1]

    def passed(self) -> Ends:
        """Without the first, and without those that were passed with it: stops may be as close as rounded times."""
        left = self.stops[1:]
        while len(left) > 1 and not self.forward * left[0][0] > self.forward * self.behind:
            left = left[1:]
        return replace(self, stops=left)

    def add(self, stops: Sequence[Stop], now: float, *, arrived: bool) -> Ends:
        """With further stops after now, unless steps end there already; `arrived` if now is the first end."""
        first, coming = (self.stops[:1], self.stops[1:]) if arrived else ((), self.stops)
        forward, last = self.forward, self.stops[-1][0]
        further = [
            (time, behind if behind != time else nextafter(time, forward * inf))
            for time, behind in stops
            if forward * now < forward * time < forward * last and not is_stop(time, coming)
        ]
        return replace(self, stops=(*first, *sorted([*coming, *further], key=lambda stop: forward * stop[0])))


def is_stop(time: float, stops: Iterable[Stop]) -> bool:
    """Whether steps end at a time, or next to it."""
    return any(nextafter(min(stop), -inf) <= time <= max(stop) for stop in stops)
