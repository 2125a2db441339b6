"""Running tapes as machine code."""

import ctypes
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from grashof.tape import Library, Tape, emit

Run = Callable[..., list[float]]


@pytest.fixture(scope="package", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing from earlier runs, and nothing kept of thousands of random programs; what they share is compiled once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRASHOF_CACHE", str(tmp_path_factory.mktemp("code")))
        yield


@pytest.fixture(scope="session")
def native() -> Run:
    """``native(tape, x)``: the outputs of the compiled tape."""

    def run(
        tape: Tape,
        x: Sequence[float],
        inline: bool | None = None,
        unroll: bool | None = None,
        level: int | None = None,
    ) -> list[float]:
        library = Library(emit({"f": tape}, inline, unroll), level)
        function = library.function("f", None, *[ctypes.c_void_p] * (len(tape.sizes) + 1))
        lists = np.split(np.array(x, dtype=float), np.cumsum(tape.sizes)[:-1])
        outputs = np.full(len(tape.outputs), np.nan)
        function(*(part.ctypes.data for part in lists), outputs.ctypes.data)
        return outputs.tolist()

    return run
