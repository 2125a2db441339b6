"""Mechanisms in the file formats of other programs: one reader and one writer for each format, selected by the file
extension.

A reader is a module with `read(root, path)`, which returns the mechanism, a list of sentences about the parts of the
file that were left out and, if it has any, a list of remarks about what was read differently from how it is written.
A writer is a module with `write(model)`, which returns the text and a list of sentences about
the parts of the mechanism that were left out.
"""

from __future__ import annotations

import importlib
import os
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from grashof.common.errors import ModelError

if TYPE_CHECKING:
    from grashof.exchange.xml import Element
    from grashof.model.mechanism import Mechanism
    from grashof.model.model import Model


@dataclass(frozen=True)
class Format:
    """A format: its name, the modules that read and write it ("" if there is none), the tag of the root element, and
    the choices of `load` that its reader takes as keywords; `document` is the module that parses its text. A
    format that `runs_code` needs leave for it, and its parser takes choices, too."""

    name: str
    reader: str = ""
    writer: str = ""
    roots: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    document: str = "xml"
    document_choices: tuple[str, ...] = ()

    @property
    def runs_code(self) -> bool:
        """Whether reading a file of this format executes parts of it."""
        return "allow_code" in self.document_choices


OPENSIM = Format("OpenSim", "opensim.reader", "opensim.writer", ("OpenSimDocument", "Model"), ("unknown_joints",))
MJCF = Format("MJCF", "mjcf.reader", "mjcf.writer", ("mujoco",), ("limits", "keyframe", "within", "contact"))
URDF = Format("URDF", "urdf.reader", "urdf.writer", ("robot",), ("limits", "contact"))
SDF = Format("SDF", "sdf.reader", "", ("sdf",), ("limits", "contact"))
ASMT = Format("OndselSolver", "asmt.reader", "", ("Assembly",), ("limits", "length"), "asmt.document")
XACRO = Format(
    "xacro", "urdf.reader", "", ("robot",), ("limits", "contact", "packages", "arguments"), "urdf.xacro",
    ("allow_code", "packages", "arguments"),
)  # fmt: skip
FORMATS: dict[str, Format] = {
    ".osim": OPENSIM, ".xml": MJCF, ".mjcf": MJCF, ".urdf": URDF, ".sdf": SDF, ".world": SDF, ".asmt": ASMT,
    ".xacro": XACRO,
}  # fmt: skip
"""By file extension; TOML, the project's own format, is not among them."""


@dataclass(frozen=True)
class Loaded:
    """A mechanism from a file, sentences about the parts of the file that were left out, and remarks: about what is
    kept, but not as written, and about numbers that no real body has."""

    model: Model
    left_out: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choices:
    """How a file of another program is read, where it leaves a choice; see `load`. None stands for the default of the
    format."""

    limits: Literal["compliant", "rigid", "none"] | None = None
    keyframe: str | int | None = None
    within: str | os.PathLike[str] | None = None
    unknown_joints: Literal["free"] | None = None
    contact: bool | None = None
    length: Literal["m", "mm"] | None = None
    packages: str | os.PathLike[str] | None = None
    arguments: str | None = None

    def given_to(self, form: Format) -> dict[str, Any]:
        """The choices that were made, as keywords of a reader; refuses those that the format does not have."""
        made: dict[str, Any] = {name: value for name, value in vars(self).items() if value is not None}
        for name in made:
            if name not in form.choices:
                with_it = [known.name for known in dict.fromkeys(FORMATS.values()) if name in known.choices]
                raise ModelError(f"{name} is a choice for {' and '.join(with_it)} files; leave it out for {form.name}.")
        if self.limits not in (None, *LIMITS):
            raise ModelError(f"limits is '{self.limits}'; it must be one of {', '.join(LIMITS)}.")
        if self.unknown_joints not in (None, "free"):
            raise ModelError(f"unknown_joints is '{self.unknown_joints}'; it must be 'free', or left out.")
        if self.contact not in (None, True, False):
            raise ModelError(f"contact is {self.contact!r}; it must be True or False.")
        if self.length not in (None, "m", "mm"):
            raise ModelError(f"length is {self.length!r}; it must be 'm' or 'mm'.")
        return made | ({} if self.within is None else {"within": Path(self.within)})


LIMITS = ("compliant", "rigid", "none")
_AS_USUAL = Choices()


def load(
    path: str | os.PathLike[str],
    *,
    allow_code: bool = False,
    strict: bool = False,
    limits: Literal["compliant", "rigid", "none"] | None = None,
    keyframe: str | int | None = None,
    within: str | os.PathLike[str] | None = None,
    unknown_joints: Literal["free"] | None = None,
    contact: bool | None = None,
    length: Literal["m", "mm"] | None = None,
    packages: str | os.PathLike[str] | None = None,
    arguments: str | None = None,
) -> Model:
    """Reads a mechanism from a file: TOML, or the format of another program, selected by the file extension
    (docs/exchange.md).

    With `allow_code` the functions of user forces in a TOML file are imported, first from the file's own folder, and
    files in xacro are expanded; this runs their code. Parts of another program's file that cannot be represented are
    left out with a warning; with `strict` such a file is refused. Remarks on what was read differently from how it is
    written are warnings, too. Some formats leave choices:

    limits     limits of joints become "compliant" stops (the default), "rigid" ones, or "none"
    keyframe   name or number of the keyframe at which the motion starts (MJCF): the first by default, "" for the
               reference position
    within     a folder, the document's own by default, in which all other files are that it may refer to
    unknown_joints   "free": bodies whose joints are not supported are free (OpenSim); by default such files are
               refused
    contact    True: spheres, capsules, cylinders and boxes touch the ground (docs/exchange.md#ground-contact)
    length     "m" or "mm": the unit of length of a file that does not say it (OndselSolver)
    packages   a folder in which packages are that files in xacro refer to; by default they are looked for near the file
    arguments  values of the arguments of a file in xacro, such as "prefix:=left_ gripper:=true"
    """
    choices = Choices(limits, keyframe, within, unknown_joints, contact, length, packages, arguments)
    found = load_file(path, allow_code=allow_code, strict=strict, choices=choices)
    for sentence in (*found.left_out, *found.remarks):
        warnings.warn(f"{os.fspath(path)}: {sentence}", stacklevel=2)
    return found.model


def save(mechanism: Mechanism | Model, path: str | os.PathLike[str], *, strict: bool = False) -> None:
    """Writes a mechanism to a file: as TOML, or in the format of another program, selected by the file extension
    (docs/exchange.md).

    Parts that cannot be written in that format are left out with a warning; with `strict` the mechanism is refused. The
    file is replaced atomically: readers see either the old content or the new.
    """
    for sentence in save_file(mechanism, path, strict=strict):
        warnings.warn(f"{os.fspath(path)}: {sentence}", stacklevel=2)


def is_known(path: str | os.PathLike[str]) -> bool:
    """Whether the file extension belongs to the format of another program."""
    return _ending(path) in FORMATS


def find_format(path: str | os.PathLike[str]) -> Format | None:
    """The format of another program that a file has, judged by its extension and, without reading all of it, by its
    root element; None if there is none.
    """
    found = FORMATS.get(_ending(path))
    if found is None or _ending(path) != ".xml":
        return found
    with open(path, "rb") as file:
        begin = re.sub(rb"<!--.*?-->|<[?!][^>]*>", b"", file.read(100_000), flags=re.DOTALL)
    tags = [tag.decode("utf-8", "replace") for tag in re.findall(rb"<([^\s/>]+)", begin)[:2]]
    if tags[:1] == ["OpenSimDocument"] and tags[1:] != ["Model"]:
        return None  # settings, controls or tasks of OpenSim
    return next((form for form in FORMATS.values() if tags and tags[0] in form.roots), None)


def load_file(
    path: str | os.PathLike[str], *, allow_code: bool = False, strict: bool = False, choices: Choices = _AS_USUAL
) -> Loaded:
    """The mechanism in a file, what was left out, and remarks."""
    from grashof.model import files

    if not isinstance(path, str | os.PathLike) or not is_known(path):
        choices.given_to(Format("TOML"))
        model = files.load(path, allow_code=allow_code)
        return Loaded(model, (), _doubts(model))
    name = os.fspath(path)
    try:
        form = FORMATS[_ending(path)]
        told = {"allow_code": allow_code} | vars(choices)
        root = _root(path, form, {name: told[name] for name in form.document_choices if told[name] is not None})
        form = _by_root(form, root)
        given = {x: value for x, value in choices.given_to(form).items() if x not in form.document_choices}
        reader = importlib.import_module(f"grashof.exchange.{form.reader}")
        model, left_out, *remarks = reader.read(root, Path(path), **given)
    except ModelError as problem:
        said = str(problem)
        raise ModelError(said if said.startswith(name) else f"{name}: {said}") from None
    except RecursionError:
        raise ModelError(f"{name}: something in it is nested too deeply to be read.") from None
    if strict:
        _refuse(name, left_out)
    return Loaded(model, tuple(left_out), (*(remarks[0] if remarks else ()), *_doubts(model)))


def save_file(mechanism: Mechanism | Model, path: str | os.PathLike[str], *, strict: bool = False) -> tuple[str, ...]:
    """Writes a mechanism in the format given by the file extension; returns what was left out."""
    from grashof.common.writing import write_atomically
    from grashof.model import files
    from grashof.model.mechanism import as_model

    if not isinstance(path, str | os.PathLike) or not is_known(path):
        if isinstance(path, str | os.PathLike) and _ending(path) not in ("", ".toml"):
            raise ModelError(
                f"{os.fspath(path)}: mechanisms cannot be written as '{_ending(path)}'; write one of "
                f"{', '.join(written_extensions())}, or .fmu and .c by grashof.export."
            )
        files.save(mechanism, path)
        return ()
    form = FORMATS[_ending(path)]
    if not form.writer:
        raise ModelError(
            f"{os.fspath(path)}: {form.name} is read but not written; write one of {', '.join(written_extensions())}."
        )
    model = as_model(mechanism)
    for joint in model.joints:
        if joint.slip_count:
            raise ModelError(
                f"Joint '{joint.name}': it restricts velocities but not positions, and {form.name} has no joint that "
                "does so. Leave it out, or write a .toml file."
            )
    text, left_out = importlib.import_module(f"grashof.exchange.{form.writer}").write(model)
    if strict:
        _refuse(os.fspath(path), left_out)
    try:
        write_atomically(path, text)
    except OSError as problem:
        raise ModelError(f"{os.fspath(path)}: the file cannot be written ({problem.strerror}).") from problem
    return tuple(left_out)


def written_extensions() -> list[str]:
    """The file extensions that can be written."""
    return [".toml", *(ending for ending, form in FORMATS.items() if form.writer)]


def _root(path: str | os.PathLike[str], form: Format, given: dict[str, Any]) -> Element:
    name = os.fspath(path)
    document = importlib.import_module(f"grashof.exchange.{form.document}")
    try:
        root: Element = document.read(path, **given)
        return root
    except FileNotFoundError:
        raise ModelError(f"{name}: there is no such file; check its name and folder.") from None
    except IsADirectoryError:
        raise ModelError(f"{name}: this is a folder; name a file in it.") from None
    except OSError as problem:
        raise ModelError(f"{name}: the file cannot be read ({problem.strerror}).") from None


def _by_root(usual: Format, root: Element) -> Format:
    """The format given by the root element of a document, whatever the file extension."""
    if root.tag in usual.roots:
        return usual
    found = next((form for form in FORMATS.values() if root.tag in form.roots), usual)
    if not found.reader:
        raise ModelError(f"{found.name} is written but not read.")
    return found


def _doubts(model: Model) -> tuple[str, ...]:
    """Sentences about bodies that no real body is like."""
    return tuple(doubt for body in model.bodies if (doubt := body.doubt(model.dimension)))


def _ending(path: str | os.PathLike[str]) -> str:
    return Path(path).suffix.lower()


def _refuse(name: str, left_out: Sequence[str]) -> None:
    if left_out:
        more = f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else ""
        raise ModelError(f"{name}: refused in strict mode: {left_out[0].rstrip('.')}{more}.")
