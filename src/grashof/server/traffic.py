"""How many answers the server has given, and how long they took."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BOUNDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
"""Seconds of the classes into which the times of answers are counted."""


@dataclass
class Traffic:
    """Answers so far, by kind of address and status, and how long they took."""

    begun: float = field(default_factory=time.time)
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    within: Counter[tuple[str, float]] = field(default_factory=Counter)

    def add(self, kind: str, status: int, seconds: float) -> None:
        """Counts an answer."""
        self.answers[kind, status] += 1
        self.seconds[kind] += seconds
        for bound in BOUNDS:
            if seconds <= bound:
                self.within[kind, bound] += 1


class Counted:
    """The app with all its answers counted."""

    def __init__(self, app: ASGIApp, traffic: Traffic) -> None:
        self.app, self.traffic = app, traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 500

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            path = scope["path"].removeprefix(scope.get("root_path", "").rstrip("/"))
            self.traffic.add(_kind(path), status, time.perf_counter() - begun)


def _kind(path: str) -> str:
    """The kind of an address: what visitors ask for must not decide how many numbers there are.

    >>> _kind("/api/check"), _kind("/results/17/file"), _kind("/"), _kind("/anything")
    ('check', 'page', 'page', 'page')
    """
    if path.startswith("/api/runs"):
        return "run"
    if path == "/api/check":
        return "check"
    if path.endswith("/judge"):
        return "judge"
    return "static" if path.startswith("/static/") else "page"
