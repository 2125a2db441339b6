"""All commands together, and how their errors are reported."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from grashof.cli import INTERRUPTED
from grashof.cli.audit import audit
from grashof.cli.bench import bench
from grashof.cli.c_source import c_source
from grashof.cli.cache import cache
from grashof.cli.console import echo
from grashof.cli.convert import convert
from grashof.cli.demo import demo
from grashof.cli.equilibrium import equilibrium
from grashof.cli.gallery import gallery
from grashof.cli.import_report import import_report
from grashof.cli.interference import interference
from grashof.cli.kinematics import kinematics
from grashof.cli.lab import lab
from grashof.cli.linkage import linkage
from grashof.cli.links import links
from grashof.cli.listing import list_problems
from grashof.cli.live import live
from grashof.cli.mobility import mobility
from grashof.cli.modes import modes
from grashof.cli.numbers import numbers
from grashof.cli.plot import plot
from grashof.cli.reference import reference
from grashof.cli.report import report
from grashof.cli.reproduce import reproduce
from grashof.cli.results import results
from grashof.cli.run import run
from grashof.cli.second_opinion import second_opinion
from grashof.cli.serve import serve
from grashof.cli.show import show
from grashof.cli.simulate import simulate
from grashof.cli.site import site
from grashof.cli.state_space import state_space
from grashof.cli.store import store
from grashof.cli.submission import submission
from grashof.cli.sweep import sweep
from grashof.cli.verify import verify
from grashof.common.errors import ModelError

BAD_INPUT = 2

_Refusal: type[Any] = next(kind for kind in typer.BadParameter.__mro__ if kind.__base__ is Exception)
"""What typer raises for an invalid command line: the name of its base class depends on the version of typer."""


class Commands(TyperGroup):
    """Reports user errors as one sentence on standard error; a command returns its exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra) or 0
        except _Refusal as problem:
            code = _complain(problem.format_message().rstrip(".") + ".")
        if standalone_mode:
            sys.exit(code)
        return code

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ModelError as problem:
            return _complain(str(problem))
        except BrokenPipeError:
            raise  # the reader of the output has closed the pipe: not a user error, and typer ends quietly
        except OSError as problem:
            where = f"{problem.filename}: " if problem.filename else ""
            return _complain(f"{where}{problem.strerror or problem}.")
        except MemoryError:
            return _complain("There is not enough memory for this; ask for less at a time, or close other programs.")
        except KeyboardInterrupt:
            echo("Interrupted.", err=True)
            return INTERRUPTED


def _complain(sentence: str) -> int:
    echo(f"grashof: {' '.join(sentence.split())}", err=True)
    return BAD_INPUT


app = typer.Typer(
    cls=Commands,
    name="grashof",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from grashof import __version__

        echo(f"grashof {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def grashof(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Simulates mechanisms of rigid bodies and joints. Start with `grashof gallery` and `grashof simulate four-bar`."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_PANELS: dict[str, dict[str, Callable[..., int]]] = {
    "Mechanisms": {
        "simulate": simulate,
        "sweep": sweep,
        "kinematics": kinematics,
        "equilibrium": equilibrium,
        "modes": modes,
        "state-space": state_space,
        "linkage": linkage,
        "interference": interference,
        "mobility": mobility,
        "numbers": numbers,
    },
    "Files": {
        "gallery": gallery,
        "convert": convert,
        "c": c_source,
        "links": links,
        "audit": audit,
        "import-report": import_report,
    },
    "Pictures and pages": {"plot": plot, "show": show, "live": live, "report": report},
    "Benchmark problems": {
        "list": list_problems,
        "run": run,
        "demo": demo,
        "verify": verify,
        "reference": reference,
        "second-opinion": second_opinion,
        "lab": lab,
        "bench": bench,
        "results": results,
        "reproduce": reproduce,
        "store": store,
        "submission": submission,
    },
    "Web and maintenance": {"serve": serve, "site": site, "cache": cache},
}
"""The commands as `grashof --help` lists them."""

for _panel, _commands in _PANELS.items():
    for _name, _command in _commands.items():
        app.command(_name, rich_help_panel=_panel)(_command)
