"""`grashof reproduce`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grashof.cli.bench import StorePlace
from grashof.cli.console import Activity, echo, list_values, print_facts, print_json
from grashof.cli.options import Json, positive
from grashof.common.errors import ModelError

if TYPE_CHECKING:
    from grashof.bench.entries import Entry


def reproduce(
    id: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="A published result; all that state a command are listed without."),
    ] = None,
    run: Annotated[
        bool, typer.Option("--run", help="Run the command, which is that of a stranger; without this it is only shown.")
    ] = False,
    without_isolation: Annotated[
        bool,
        typer.Option(
            "--without-isolation",
            help="Run it even if it can use the network and read and change your files. For commands that you trust.",
        ),
    ] = False,
    limit_s: Annotated[float, typer.Option(help="Seconds after which the command is ended.")] = 600.0,
    memory: Annotated[int, typer.Option(metavar="MIB", min=64, help="Memory of each of its processes.")] = 4096,
    tools: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="A folder that the command needs and may read; repeatable."),
    ] = None,
    store: StorePlace = None,
    as_json: Json = False,
) -> int:
    """Runs the command that made a published result, compares, and marks the result as reproduced or not.

    For the operator of a web app. The command writes the result file on its standard output. It runs in an empty
    folder, within limits, and by bubblewrap (Linux) without network and without your files.
    Exit code 0: reproduced, or nothing was run. 1: not reproduced.

    Examples: `grashof reproduce`, `grashof reproduce 8f3c0d5e6b1a4c2f9e7d8a6b5c4d3e2f --run --tools /opt/tool`
    """
    positive("--limit-s", limit_s)
    import msgspec

    from grashof.bench.databases import place_of
    from grashof.bench.isolation import Limits, guards, why_not_isolated
    from grashof.bench.store import Store, default_store

    limits = Limits(limit_s, memory, tuple(_folder(x) for x in tools or ()))
    place = place_of(store) if store else default_store()
    with Store(place, create=False) as file:
        if id is None:
            return _list(file.entries_with_command(), file.name, as_json)
        found, content = file.published(id=id), file.published_file(id)
    if not found or content is None:
        raise ModelError(f"{file.name} has no published result '{id}'; `grashof reproduce` lists those with a command.")
    if not found[0].command:
        raise ModelError(f"The author of result '{id}' does not state the command that made it.")
    reason = why_not_isolated()
    kept, still = guards(limits, not reason)
    if not as_json:
        facts = [("result", f"{found[0].tool}: {found[0].subject.label}"), ("command", found[0].command)]
        print_facts(
            [
                *facts,
                *list_values("isolated", kept),
                *list_values("not isolated", [reason + "."] * bool(reason) + still),
            ]
        )
    if not run:
        if not as_json:
            echo("Nothing was run; --run does it.", err=True)
        else:
            print_json({"id": id, "command": found[0].command, "isolated": kept, "not_isolated": still})
        return 0
    if reason and not without_isolation:
        raise ModelError(
            f"Commands cannot be isolated here, because {reason}. Install it, or run a command that you trust with "
            "--without-isolation."
        )
    from grashof.bench.reproduction import reproduce

    with Activity(quiet=as_json) as say:
        say("running the command")
        made = reproduce(found[0], content, limits, isolated=not reason)
    with Store(place, create=False) as file:
        if not file.mark(id, made):
            raise ModelError(f"Result '{id}' was removed in the meantime.")
    if as_json:
        print_json({"id": id, "command": found[0].command, **msgspec.to_builtins(made)})
    else:
        verdict = "REPRODUCED" if made.reproduced else "NOT REPRODUCED"
        print_facts(
            [("verdict", verdict), ("", made.sentence), ("time", f"{made.seconds:.3g} s for the whole command")]
        )
    return 0 if made.reproduced else 1


def _list(entries: Sequence[Entry], name: str, as_json: bool) -> int:
    """Shows the results whose authors state a command."""
    import msgspec

    if as_json:
        print_json({"entries": [msgspec.to_builtins(entry) for entry in entries]})
        return 0
    if not entries:
        echo(f"{name} has no published result whose author states the command that made it.")
    for entry in entries:
        state = {None: "not run", True: "reproduced", False: "not reproduced"}[entry.reproduced]
        echo(f"{entry.id}  {state:<14}  {entry.subject.label}  {entry.tool}  {entry.command}")
    return 0


def _folder(path: Path) -> Path:
    found = path.resolve()
    if not found.is_dir():
        raise ModelError(f"--tools {path}: there is no such folder.")
    return found
