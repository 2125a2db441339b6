"""`grashof list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grashof.cli.console import console, print_json
from grashof.cli.options import Json

if TYPE_CHECKING:
    from grashof.problems import LinearProblem, Problem


def list_problems(as_json: Json = False) -> int:
    """Lists the benchmark problems with their variants, parameters and rules."""
    from grashof.judge.linear import RULE
    from grashof.problems import LINEAR, PROBLEMS, make_case, make_linear

    cases = {name: make_case(name) for name in PROBLEMS}
    linear = {name: make_linear(name) for name in LINEAR}
    if as_json:
        problems = [
            _facts(problem)
            | {"t_end": cases[name].t_end, "bound_J": cases[name].bound, "error_definition": cases[name].error_text}
            for name, problem in PROBLEMS.items()
        ]
        linearised = [
            _facts(problem) | {"bound": linear[name].bound, "error_definition": RULE}
            for name, problem in LINEAR.items()
        ]
        print_json({"problems": problems, "linearised": linearised})
        return 0
    from rich.padding import Padding
    from rich.table import Table

    out = console()
    rules = {name: f"{x.error_text}: at most {x.bound:g} J over {x.t_end:g} s" for name, x in cases.items()}
    rules |= {name: f"{RULE}: at most {x.bound:g}" for name, x in linear.items()}
    for name, problem in (PROBLEMS | LINEAR).items():
        out.print(f"{name}  {problem.title}", style="bold")
        facts = Table.grid(padding=(0, 2))
        facts.add_column(no_wrap=True)
        facts.add_column(overflow="fold")
        facts.add_row("variants", ", ".join(problem.variants))
        for key, (default, meaning) in problem.parameters.items():
            facts.add_row(f"--set {key}={default:g}", meaning)
        facts.add_row("rule", rules[name])
        out.print(Padding(facts, (0, 0, 0, 4)))
    return 0


def _facts(problem: Problem | LinearProblem) -> dict[str, Any]:
    return {
        "name": problem.name,
        "title": problem.title,
        "variants": list(problem.variants),
        "parameters": {
            key: {"default": default, "meaning": meaning} for key, (default, meaning) in problem.parameters.items()
        },
    }
