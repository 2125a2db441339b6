"""A study: everything that determines the content of a row, as data. It can be sent to other processes and machines,
and its hash identifies a table."""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib import import_module

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.common.sources import whole_digest
from grashof.model.model import Model
from grashof.problems import make_case
from grashof.problems.base import Case
from grashof.quantities.catalog import Catalog, catalog_of
from grashof.simulation.options import Options
from grashof.sweeps.engine import SweepEngine
from grashof.sweeps.outputs import Output, OutputColumns, Samples, read_output
from grashof.sweeps.statuses import GOOD

Array = np.ndarray

ENGINES = {"compiled": "grashof.sweeps.compiled:CompiledEngine", "one by one": "grashof.sweeps.one_by_one:OneByOne"}
"""Engines by name: where their classes are."""


ROUNDING = 1e-12
"""Times that differ by less than this fraction of the run count as equal."""


class StudyProblem(msgspec.Struct, frozen=True):
    """A benchmark problem with its variant and parameters."""

    name: str
    variant: str
    parameters: dict[str, float]


class Study(msgspec.Struct, frozen=True, dict=True):
    """Which runs are made, and what is kept of them.

    paths    the numbers that are varied, P
    outputs  as text
    span     when runs begin and end, s
    chosen   output times of trajectories, s
    version  a hash of the package's files, on which the runs depend
    """

    model: Model
    problem: StudyProblem | None
    paths: tuple[str, ...]
    outputs: tuple[str, ...]
    span: tuple[float, float]
    chosen: tuple[float, ...]
    options: Options
    engine: str
    version: str = msgspec.field(default_factory=whole_digest)

    @property
    def t_end(self) -> float:
        return self.span[1]

    @cached_property
    def case(self) -> Case | None:
        """The benchmark problem, if there is one."""
        p = self.problem
        return None if p is None else make_case(p.name, p.variant, p.parameters)

    @cached_property
    def parsed_outputs(self) -> tuple[Output, ...]:
        """The outputs."""
        return tuple(read_output(text) for text in self.outputs)

    @cached_property
    def quantities(self) -> tuple[str, ...]:
        """The quantities that the engine has to observe at some times, K names."""
        return self._names(along=False)

    @cached_property
    def courses(self) -> tuple[str, ...]:
        """The quantities that the engine has to observe over the whole run."""
        return self._names(along=True)

    def _names(self, *, along: bool) -> tuple[str, ...]:
        outputs = [output for output in self.parsed_outputs if output.along is along]
        return tuple(dict.fromkeys(name for output in outputs for name in output.quantities(self.case)))

    @cached_property
    def times(self) -> Array:
        """When the engine has to observe them, (m,), s: all times that outputs need, with those that differ only by
        rounding merged."""
        wanted = np.sort(np.concatenate([self.times_of(output) for output in self.parsed_outputs]))
        times = wanted[np.diff(wanted, prepend=-np.inf) > self._rounding]
        times[-1:] = wanted[-1:]
        return times

    @property
    def _rounding(self) -> float:
        return ROUNDING * (self.span[1] - self.span[0])

    def places_of(self, output: Output) -> Array | slice:
        """The indices of an output's times among all times; a slice, which makes no copies, if it needs all of them."""
        places = np.searchsorted(self.times, self.times_of(output) - self._rounding)
        return slice(None) if np.array_equal(places, np.arange(len(self.times))) else places

    def times_of(self, output: Output) -> Array:
        """When an output needs its quantities, s."""
        return output.times(self.span, np.array(self.chosen), self.case)

    def find(self, seen: Samples) -> list[OutputColumns]:
        """The outputs of runs that were observed at all times of the study, and over their whole time."""
        found = []
        for output in self.parsed_outputs:
            names = () if output.along else output.quantities(self.case)
            found.append(output.find(seen.at(self.places_of(output), names), self.case))
        return found

    def unit(self, output: Output) -> str:
        """The unit of an output."""
        return output.unit(lambda name: self.catalog[name].unit)

    @cached_property
    def catalog(self) -> Catalog:
        """The quantities of the mechanism."""
        return catalog_of(self.model)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all of this."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()

    def encode(self) -> bytes:
        """The study as bytes; `decode_study` gives it back equal."""
        return msgspec.msgpack.encode(self)

    @property
    def engine_class(self) -> type[SweepEngine]:
        """The class of its engine."""
        module, _, name = ENGINES[self.engine].partition(":")
        found: type[SweepEngine] = getattr(import_module(module), name)
        return found

    def make_engine(self) -> SweepEngine:
        """An engine for it."""
        return self.engine_class(self)


def decode_study(data: bytes) -> Study:
    """A study from bytes; refused if its rows would be computed by another version of the package."""
    study = msgspec.msgpack.decode(data, type=Study)
    if study.version != whole_digest():
        raise ModelError(
            "This worker has a different version of grashof than the process that sent the sweep; install the "
            "same version everywhere."
        )
    return study


class StudyRows(msgspec.Struct, frozen=True):
    """Rows of the table, as bytes of arrays.

    codes      their statuses, one byte each
    columns    the values of each output, doubles; NaN where the run is incomplete or not trusted
    estimates  for each output the largest estimated error of all rows
    single     number of rows that were run one by one because they needed a closer look
    """

    codes: bytes
    columns: tuple[bytes, ...]
    estimates: tuple[float, ...]
    single: int = 0

    def arrays(self) -> tuple[Array, list[Array]]:
        """Codes (B,) and columns (B,) or (B, times)."""
        codes = np.frombuffer(self.codes, np.uint8)
        columns = [np.frombuffer(column).reshape(len(codes), -1) for column in self.columns]
        return codes, [column[:, 0] if column.shape[1] == 1 else column for column in columns]


def compute(study: Study, engine: SweepEngine, numbers: Array) -> StudyRows:
    """Rows of the table for these numbers, (B, P)."""
    observed = engine.observe(numbers)
    good = np.isin(observed.codes, GOOD)
    for column in observed.columns:
        column[~good] = np.nan
    estimates = np.max(observed.errors[good], axis=0, initial=0.0)
    columns = tuple(np.ascontiguousarray(column).tobytes() for column in observed.columns)
    return StudyRows(observed.codes.astype(np.uint8).tobytes(), columns, tuple(estimates.tolist()), observed.single)
