"""Queues: fair shares, deadlines that include waiting, and nothing is done for those who have gone."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from anyio.from_thread import start_blocking_portal
from benchmarks.served import Served
from starlette.requests import ClientDisconnect

from grashof.common.errors import ModelError
from grashof.server import fair_queue, jobs
from grashof.server.clients import client_of
from grashof.server.context import until_closed
from grashof.server.fair_queue import FairQueue
from grashof.server.jobs import Jobs, ServerJob
from grashof.server.refusals import Busy, Missing, TooMany
from grashof.server.workers import Pool
from tests.server.test_app import FOUR_BAR


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    """In a loop of its own thread: Playwright has one in this one."""

    async def bounded() -> None:
        async with asyncio.timeout(60.0):
            await scenario()

    with start_blocking_portal() as portal:
        portal.call(bounded)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


class Tasks:
    """Tasks of clients in a queue, each of which works until it is told to end."""

    def __init__(self, places: int) -> None:
        self.queue = FairQueue(places)
        self.begun: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def ask(self, *names: str) -> None:
        """The client is the first letter of a task's name."""
        for name in names:
            self.ends[name] = asyncio.Event()
            self.tasks[name] = asyncio.create_task(self._work(name))

    async def _work(self, name: str) -> None:
        async with self.queue.place(name[0]):
            self.begun.append(name)
            await self.ends[name].wait()

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await self.tasks[name]
        await settle()


def test_one_client_never_has_all_places() -> None:
    async def scenario() -> None:
        tasks = Tasks(3)
        tasks.ask(*(f"a{k}" for k in range(20)))
        await settle()
        assert tasks.begun == ["a0", "a1"]
        tasks.ask("b0", "b1")
        await settle()
        assert tasks.begun == ["a0", "a1", "b0"]
        for name in ("a0", "a1"):
            await tasks.end(name)
        assert tasks.begun[3:] == ["a2", "b1"]  # by their numbers, then by who asked first
        await tasks.end("b0")
        assert tasks.begun[5:] == ["a3"]

    run(scenario)


def test_clients_take_turns_where_there_is_one_place() -> None:
    async def scenario() -> None:
        tasks = Tasks(1)
        tasks.ask("a0", "a1", "a2", "a3", "b0", "b1", "c0")
        await settle()
        for name in ("a0", "b0", "c0", "a1", "b1", "a2"):
            assert tasks.begun[-1] == name
            await tasks.end(name)
        assert tasks.begun[-1] == "a3"

    run(scenario)


def test_a_client_that_cancels_is_not_put_back() -> None:
    async def scenario() -> None:
        tasks = Tasks(1)
        tasks.ask("a0", *(f"b{k}" for k in range(9)), *(f"a{k}" for k in range(1, 9)))
        await settle()
        for k in range(8):
            tasks.tasks[f"b{k}"].cancel()
        await settle()
        await tasks.end("a0")
        assert tasks.begun == ["a0", "b8"]

    run(scenario)


def test_a_client_that_comes_later_does_not_wait_for_all_that_was_done_before() -> None:
    async def scenario() -> None:
        tasks = Tasks(1)
        tasks.ask(*(f"a{k}" for k in range(9)))
        await settle()
        for k in range(5):
            await tasks.end(f"a{k}")
        tasks.ask(*(f"b{k}" for k in range(4)))
        for name in ("a5", "b0", "a6", "b1", "a7"):
            await tasks.end(name)
        assert tasks.begun[5:] == ["a5", "b0", "a6", "b1", "a7", "b2"]

    run(scenario)


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "MOST_EACH", 3)
    monkeypatch.setattr(fair_queue, "MOST", 5)

    async def scenario() -> None:
        tasks = Tasks(1)
        tasks.ask("a0", "a1", "a2", "a3")
        await settle()
        with pytest.raises(TooMany, match="3 tasks of yours"):
            await tasks._work("a4")
        tasks.ask("b0", "b1")
        await settle()
        with pytest.raises(Busy):
            await tasks._work("c0")

    run(scenario)


@pytest.mark.parametrize("seed", range(20))
def test_no_place_is_lost_or_given_twice(seed: int) -> None:
    """Tasks that come, end and are cancelled at random, also at the moment of their turn."""
    draw = random.Random(seed)

    async def scenario() -> None:
        queue = FairQueue(draw.choice((1, 2, 3)))
        working: Counter[str] = Counter()
        done = [0]

        async def work(client: str) -> None:
            async with queue.place(client):
                working[client] += 1
                assert working.total() <= queue.places
                assert working[client] <= max(1, queue.places - 1)
                try:
                    for _ in range(draw.randrange(3)):
                        await asyncio.sleep(0)
                finally:
                    working[client] -= 1
                done[0] += 1

        tasks = []
        for _ in range(100):
            tasks.append(asyncio.create_task(work(draw.choice("abc"))))
            for _ in range(draw.randrange(3)):
                await asyncio.sleep(0)
            if draw.random() < 0.4:
                draw.choice(tasks).cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(x is None or isinstance(x, asyncio.CancelledError | TooMany) for x in found)
        assert done[0] == sum(x is None for x in found)
        assert (queue.waiting, queue.working) == (0, 0)

    run(scenario)


def test_waiting_counts_as_time() -> None:
    async def scenario() -> None:
        pool = Pool(1, 0, 0, 0.0)
        async with pool.queue.place("another"):
            with pytest.raises(Busy, match=r"did not get to this within 0\.01 s"):
                await pool.run("one", "check", {"text": FOUR_BAR}, 0.01, None)
        assert (pool.queue.waiting, pool.queue.working) == (0, 0)

    run(scenario)


def test_a_short_task_for_which_nobody_waits_ends_without_costing_a_process() -> None:
    async def scenario() -> None:
        pool = Pool(1, 0, 0, 60.0)
        assert (await pool.run("a", "check", {"text": FOUR_BAR}, 60.0, None))["name"] == "four-bar"
        (process,) = pool._idle
        gone = asyncio.create_task(pool.run("a", "check", {"text": FOUR_BAR}, 60.0, None))
        await settle()
        gone.cancel()
        waiting = asyncio.create_task(pool.run("b", "check", {"text": FOUR_BAR}, 60.0, None))
        await settle()
        waiting.cancel()  # has not begun, and never does
        with pytest.raises(ModelError):
            await pool.run("c", "check", {"text": ""}, 60.0, None)
        assert pool._idle == [process]
        pool.grace = 0.0
        gone = asyncio.create_task(pool.run("a", "motion", {"text": FOUR_BAR, "t_end": 1e6}, 60.0, None))
        await settle()
        gone.cancel()
        while pool.queue.working:
            await asyncio.sleep(0.001)
        assert pool._idle == []
        assert process.returncode is not None
        await pool.close()

    run(scenario)


def test_what_a_closed_page_asked_for_is_dropped() -> None:
    async def scenario() -> None:
        closed = asyncio.Event()

        async def receive() -> dict[str, Any]:
            await closed.wait()
            return {"type": "http.disconnect"}

        request: Any = SimpleNamespace(receive=receive)
        queue = FairQueue(1)

        async def work() -> None:
            async with queue.place("a"):
                await asyncio.Event().wait()

        at_work, waiting = (asyncio.create_task(until_closed(request, work())) for _ in range(2))
        await settle()
        assert (queue.working, queue.waiting) == (1, 1)
        closed.set()
        for task in (at_work, waiting):
            with pytest.raises(ClientDisconnect):
                await task
        await settle()
        assert (queue.working, queue.waiting) == (0, 0)

        async def answer() -> int:
            return 1

        closed.clear()
        assert await until_closed(request, answer()) == 1

    run(scenario)


@pytest.mark.parametrize(
    ("address", "client"),
    [("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"), ("unix", "unix"), (None, "")],
)
def test_a_client_is_an_address_or_the_network_of_a_subscriber(address: str | None, client: str) -> None:
    request: Any = SimpleNamespace(client=address and SimpleNamespace(host=address))
    assert client_of(request) == client


async def ended(job: ServerJob) -> Any:
    assert job.task is not None
    await asyncio.wait([job.task])
    return job.state


def test_a_job_about_which_nobody_asks_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "ABANDONED", 0.05)

    async def scenario() -> None:
        known = Jobs()

        async def work(job: ServerJob) -> None:
            await asyncio.Event().wait()

        name = known.start("a", work)
        assert known.look(name)["state"] == "running"
        assert await ended(known[name]) == "cancelled"

    run(scenario)


def test_what_finished_jobs_gave_is_forgotten_by_size_and_age(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "BYTES", 2500)

    async def scenario() -> None:
        known = Jobs()

        async def work(job: ServerJob) -> str:
            return "x" * 1000

        names = []
        for _ in range(4):
            names.append(known.start("a", work))
            assert await ended(known[names[-1]]) == "done"
        for name in names[:2]:
            with pytest.raises(Missing):
                known.look(name)
        assert [known.look(name)["state"] for name in names[2:]] == ["done", "done"]
        monkeypatch.setattr(jobs, "KEPT", 0.0)
        last = known.start("a", work)
        while last in known._jobs:
            await asyncio.sleep(0.001)

    run(scenario)


def test_one_client_has_so_many_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_EACH", 2)

    async def scenario() -> None:
        known = Jobs()

        async def work(job: ServerJob) -> None:
            await asyncio.Event().wait()

        names = [known.start("a", work) for _ in range(2)]
        with pytest.raises(TooMany):
            known.start("a", work)
        known.start("b", work)
        known.cancel(names[0])
        await ended(known[names[0]])
        known.start("a", work)

    run(scenario)


def test_twenty_long_runs_of_one_client_do_not_delay_the_check_of_another(served: Served) -> None:
    def job(client: str) -> str:
        status, _, content = served.ask("POST", "/api/runs?t_end=1e6", FOUR_BAR.encode(), client=client)
        assert status == 202
        return content.decode().split('"')[3]

    greedy = [job("192.0.2.1") for _ in range(20)]
    assert served.ask("POST", "/api/check", FOUR_BAR.encode(), client="192.0.2.2")[0] == 200
    waiting = [b'"waiting"' in served.ask("GET", f"/api/runs/{name}")[2] for name in greedy]
    assert sum(waiting) >= 19
    for name in reversed(greedy):
        assert served.ask("POST", f"/api/runs/{name}/cancel")[0] == 200
