"""The gallery: mechanisms to look at, to learn from and to change, each a file of its own here, and the benchmark
problems.

`index.toml` lists them in the order in which they are shown.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from grashof.common.errors import ModelError, did_you_mean

if TYPE_CHECKING:
    from grashof.model.model import Model

_FOLDER = Path(__file__).parent


Kind = Literal["linkages", "straight lines", "walking", "engines", "gears and cams", "shafts", "in space", "benchmarks"]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mechanism of the gallery.

    name      its name in Python and on the command line: `gr.example(name)`, `grashof simulate NAME`
    title     its title on pages
    kind      what it belongs to
    teaches   one or two sentences on what it shows
    t_end     how long a run is worth watching, s
    trace     points whose paths are worth seeing
    plot      quantities worth plotting, of one unit or a few
    problem   whether it is the benchmark problem of that name, which `grashof run NAME` judges
    """

    name: Annotated[str, msgspec.Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]
    title: str
    kind: Kind
    teaches: str
    t_end: Annotated[float, msgspec.Meta(gt=0)]
    trace: tuple[str, ...] = ()
    plot: tuple[str, ...] = ()
    problem: bool = False


class _Index(msgspec.Struct, forbid_unknown_fields=True):
    entries: tuple[Entry, ...]


@cache
def gallery() -> tuple[Entry, ...]:
    """Lists the mechanisms of the gallery, in the order in which they are shown.

    >>> [entry.t_end for entry in gallery() if entry.name == "four-bar"]
    [2.0]
    """
    return msgspec.toml.decode((_FOLDER / "index.toml").read_bytes(), type=_Index).entries


def find_entry(name: str) -> Entry:
    """What the gallery says about one of its mechanisms; ModelError if there is none of this name."""
    entries = {entry.name: entry for entry in gallery()}
    if name not in entries:
        raise ModelError(f"There is no mechanism '{name}' in the gallery; {did_you_mean(str(name), entries)}")
    return entries[name]


def example(name: str) -> Model:
    """Returns a mechanism of the gallery by its name.

    >>> import grashof as gr
    >>> print(gr.mobility(gr.example("scotch-yoke")))  # doctest: +ELLIPSIS
    Scotch yoke: 1 degree of freedom, driven by 1 motor; no redundant constraints...
    """
    from grashof.model.files import load
    from grashof.problems import make_case

    return make_case(name).model if find_entry(name).problem else load(_FOLDER / f"{name}.toml")


def example_text(name: str) -> str:
    """The file of a mechanism of the gallery, with its comments, as TOML text to be changed."""
    from grashof.model.files import dumps
    from grashof.problems import make_case

    if find_entry(name).problem:
        return dumps(make_case(name).model)
    return (_FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def picture(name: str) -> bytes:
    """A drawing of a mechanism of the gallery or of a benchmark problem (PNG), with the paths that are worth seeing;
    `docs/make_gallery.py` makes them."""
    if name not in pictured():
        raise ModelError(f"There is no picture of '{name}'; {did_you_mean(str(name), pictured())}")
    return (_FOLDER / "pictures" / f"{name}.png").read_bytes()


@cache
def pictured() -> frozenset[str]:
    """The names of all mechanisms of which there is a picture."""
    return frozenset(path.stem for path in (_FOLDER / "pictures").glob("*.png"))


__all__ = ["Entry", "example", "example_text", "find_entry", "gallery", "picture", "pictured"]
