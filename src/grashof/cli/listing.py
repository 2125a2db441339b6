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
    out = console()
    for name, problem in PROBLEMS.items():
        case = cases[name]
        out.print(f"{name}  {problem.title}", style="bold")
        out.print(f"    variants    {', '.join(problem.variants)}")
        for key, (default, meaning) in problem.parameters.items():
            out.print(f"    --set {key}={default:g}".ljust(20) + meaning)
        out.print(f"    rule        {case.error_text}: at most {case.bound:g} J over {case.t_end:g} s")
    return 0
