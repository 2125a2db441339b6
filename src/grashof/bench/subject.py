"""The subject of a measurement: a benchmark problem with its variant and parameters, as plain data."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from grashof.common.errors import ModelError
from grashof.problems import PROBLEMS, Case, make_case


class BenchSubject(msgspec.Struct, frozen=True):
    """A problem with the values of all its parameters."""

    problem: str
    variant: str
    parameters: Mapping[str, float]

    def case(self) -> Case:
        """The problem itself."""
        return make_case(self.problem, self.variant, self.parameters)

    @property
    def label(self) -> str:
        """Its name for people: the variant where there are several, and the parameters that are not the problem's own.

        >>> subject("multiple-four-bar").label, subject("n-four-bar:N=10").label, subject("andrews").label
        ('multiple-four-bar top-row', 'n-four-bar N=10', 'andrews iftomm')
        """
        known = PROBLEMS.get(self.problem)
        words = [self.problem]
        if known is None or len(known.variants) > 1:
            words.append(self.variant)
        for name, value in self.parameters.items():
            if known is None or name not in known.parameters or known.parameters[name][0] != value:
                words.append(f"{name}={value:g}")
        return " ".join(words)


def subject(text: str) -> BenchSubject:
    """From `PROBLEM[:VARIANT][:NAME=NUMBER]…`, such as `multiple-four-bar:all-rows` or `n-four-bar:N=10`."""
    name, *choices = text.split(":")
    variant, parameters = None, {}
    for choice in choices:
        key, equals, number = choice.partition("=")
        if not equals:
            variant = choice
            continue
        try:
            parameters[key] = float(number)
        except ValueError:
            raise ModelError(f"Problem '{text}': '{choice}' is not NAME=NUMBER, such as N=40.") from None
    case = make_case(name, variant, parameters)
    return BenchSubject(name, case.variant, {key: float(case.parameters[key]) for key in PROBLEMS[name].parameters})
