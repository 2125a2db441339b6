"""`grashof list`."""

from __future__ import annotations

from grashof.cli.console import console, print_json
from grashof.cli.options import Json


def list_problems(as_json: Json = False) -> int:
    """Lists the benchmark problems with their variants, parameters and rules."""
    from grashof.problems import PROBLEMS, make_case

    cases = {name: make_case(name) for name in PROBLEMS}
    if as_json:
        problems = [
            {
                "name": name,
                "title": problem.title,
                "variants": list(problem.variants),
                "parameters": {
                    key: {"default": default, "meaning": meaning}
                    for key, (default, meaning) in problem.parameters.items()
                },
                "t_end": cases[name].t_end,
                "bound_J": cases[name].bound,
                "error_definition": cases[name].error_text,
            }
            for name, problem in PROBLEMS.items()
        ]
        print_json({"problems": problems})
        return 0
    from rich.padding import Padding
    from rich.table import Table

    out = console()
    for name, problem in PROBLEMS.items():
        case = cases[name]
        out.print(f"{name}  {problem.title}", style="bold")
        facts = Table.grid(padding=(0, 2))
        facts.add_column(no_wrap=True)
        facts.add_column(overflow="fold")
        facts.add_row("variants", ", ".join(problem.variants))
        for key, (default, meaning) in problem.parameters.items():
            facts.add_row(f"--set {key}={default:g}", meaning)
        facts.add_row("rule", f"{case.error_text}: at most {case.bound:g} J over {case.t_end:g} s")
        out.print(Padding(facts, (0, 0, 0, 4)))
    return 0
