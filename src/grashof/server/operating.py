"""What the operator asks: whether the server works, and how much it has done."""

from __future__ import annotations

import ipaddress
from collections import Counter

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from grashof._version import __version__
from grashof.bench.store import Store
from grashof.server.context import Server
from grashof.server.refusals import Forbidden
from grashof.server.traffic import BOUNDS


async def health(server: Server, request: Request) -> Response:
    """Whether the store can be read, with status 503 if not: by StoreError, as everywhere."""

    def counted() -> tuple[int, int]:
        with Store(server.store, create=False) as store:
            return store.counts()

    measured, published = await run_in_threadpool(counted)
    return JSONResponse({"status": "ok", "version": __version__, "measurements": measured, "published": published})


async def metrics(server: Server, request: Request) -> Response:
    """Numbers in the text format of Prometheus, for machines of the operator's network only."""
    if not _inside(request.client.host if request.client else ""):
        raise Forbidden("Metrics are for the operator: they are given to addresses of the server's own network only.")
    return PlainTextResponse(await run_in_threadpool(_written, server), media_type="text/plain; version=0.0.4")


def _inside(address: str) -> bool:
    """Whether an address is that of this machine or of a private network.

    >>> _inside("127.0.0.1"), _inside("10.1.2.3"), _inside("192.0.43.8"), _inside("somebody")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(address).is_private
    except ValueError:
        return False


def _written(server: Server) -> str:
    traffic = server.traffic
    lines: list[str] = []

    def add(name: str, kind: str, words: str, *values: tuple[str, float]) -> None:
        lines.extend((f"# HELP grashof_{name} {words}", f"# TYPE grashof_{name} {kind}"))
        lines.extend(f"grashof_{name}{labels} {value:.10g}" for labels, value in values)

    answers = sorted(traffic.answers.items())
    add(
        "answers_total",
        "counter",
        "Answers by kind and status.",
        *((f'{{kind="{kind}",status="{status}"}}', count) for (kind, status), count in answers),
    )
    totals: Counter[str] = Counter()
    for (kind, _), count in answers:
        totals[kind] += count
    times: list[tuple[str, float]] = []
    for kind, count in totals.items():
        times += [(f'_bucket{{kind="{kind}",le="{bound:g}"}}', traffic.within[kind, bound]) for bound in BOUNDS]
        times.append((f'_bucket{{kind="{kind}",le="+Inf"}}', count))
        times += [(f'_sum{{kind="{kind}"}}', traffic.seconds[kind]), (f'_count{{kind="{kind}"}}', count)]
    add("answer_seconds", "histogram", "Time from the head of a request to the end of its answer.", *times)
    pools = server.workers.pools.items()
    queues = ((f'{{kind="{kind}"}}', pool.queue.waiting) for kind, pool in pools)
    add("tasks_waiting", "gauge", "Tasks that wait for a process.", *queues)
    add(
        "tasks_working",
        "gauge",
        "Tasks that have a process.",
        *((f'{{kind="{kind}"}}', pool.queue.working) for kind, pool in pools),
    )
    add("uploads_bytes", "gauge", "Uploads that are not published yet.", ("", server.uploads.used))
    with Store(server.store, create=False) as store:
        add("store_bytes", "gauge", "The store of results.", ("", store.size()))
    add("start_time_seconds", "gauge", "When the server was started, Unix time.", ("", traffic.begun))
    return "\n".join(lines) + "\n"
