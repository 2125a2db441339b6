"""The mechanism that a command is about, and the options by which it is chosen."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter
from typing import TYPE_CHECKING, Any, get_type_hints

from grashof.cli.options import (
    AllowCode,
    Controls,
    Reading,
    Settings,
    Strict,
    Subject,
    Variant,
    case_or_model,
    duration,
)
from grashof.common.errors import ModelError

if TYPE_CHECKING:
    from grashof.model.model import Model
    from grashof.problems import Case


@dataclass(frozen=True)
class Chosen:
    """A mechanism by its name or file, not yet read."""

    subject: str
    variant: str | None
    given: list[str] | None
    allow_code: bool
    strict: bool
    reading: list[str] | None = None
    controls: list[str] | None = None

    def case_and_model(self, left_out: list[str] | None = None) -> tuple[Case | None, Model]:
        """The case of a problem, if it is one, and the mechanism; see `case_or_model`."""
        how = self.allow_code, self.strict, left_out, self.reading, self.controls
        return case_or_model(self.subject, self.variant, self.given, *how)

    def model(self, left_out: list[str] | None = None) -> Model:
        """The mechanism."""
        return self.case_and_model(left_out)[1]

    def end(self, case: Case | None, t_end: float | None) -> float:
        """The end time given, or that of the problem or of the gallery."""
        end = duration(self.subject, case, t_end)
        if end is None:
            raise ModelError(f"{self.subject} does not say how long its motion lasts; give --t-end.")
        return end


_CHOICE: dict[str, tuple[Any, Any]] = {
    "subject": (Subject, Parameter.empty),
    "variant": (Variant, None),
    "given": (Settings, None),
    "allow_code": (AllowCode, False),
    "strict": (Strict, False),
    "reading": (Reading, None),
    "controls": (Controls, None),
}
"""The parameters by which a mechanism is chosen, with their types and defaults."""


def about_a_mechanism(command: Callable[..., int]) -> Callable[..., int]:
    """A command whose first parameter, `chosen`, is given by NAME|FILE, --variant, --set, --control, --allow-code,
    --strict and --read."""
    hints = get_type_hints(command, include_extras=True)
    own = list(inspect.signature(command).parameters.values())[1:]
    taken = {name: Parameter(name, Parameter.KEYWORD_ONLY, default=x, annotation=t) for name, (t, x) in _CHOICE.items()}
    others = [Parameter(x.name, Parameter.KEYWORD_ONLY, default=x.default, annotation=hints[x.name]) for x in own]
    last = [x for x in others if x.name == "as_json"]
    others = [x for x in others if x.name != "as_json"]
    first = [taken[name] for name in ("subject", "variant", "given", "controls")]
    reading = [taken[name] for name in ("allow_code", "strict", "reading")]
    parameters = [*first, *others, *reading, *last]

    @functools.wraps(command)
    def run(**options: Any) -> int:
        chosen = Chosen(**{name: options.pop(name) for name in _CHOICE})
        return command(chosen, **options)

    run.__signature__ = inspect.Signature(parameters, return_annotation=int)  # type: ignore[attr-defined]
    run.__annotations__ = {x.name: x.annotation for x in parameters} | {"return": int}
    return run
