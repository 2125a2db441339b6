"""`grashof mobility`."""

from __future__ import annotations

from grashof.cli.console import Activity, print_json, print_report
from grashof.cli.options import AllowCode, Fit, Json, Settings, Strict, Subject, Variant, case_or_model


def mobility(
    subject: Subject,
    variant: Variant = None,
    given: Settings = None,
    fit: Fit = None,
    allow_code: AllowCode = False,
    strict: Strict = False,
    as_json: Json = False,
) -> int:
    """Counts degrees of freedom, and reports which joint equations are redundant and why.

    Examples: `grashof mobility multiple-four-bar`, `grashof mobility crank.toml --json`
    """
    with Activity(quiet=as_json) as say:
        say("counting")
        from grashof.freedoms.mobility import mobility as count

        _, model = case_or_model(subject, variant, given, allow_code, strict)
        report = count(model, fit=fit)
    if as_json:
        print_json(report.as_dict())
    else:
        print_report(str(report))
    return 0
