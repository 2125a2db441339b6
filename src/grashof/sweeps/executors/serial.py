"""One batch after the other, in this thread."""

from __future__ import annotations

from grashof.sweeps.executors import Batches, Results, Setup
from grashof.sweeps.study import Study, compute

TRAVELS = False


def run(study: Study, batches: Batches, setup: Setup) -> Results:
    """Rows in order."""
    engine = study.make_engine()
    for index, numbers in batches:
        yield index, compute(study, engine, numbers)
