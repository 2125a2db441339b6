"""Writes what the workbench has in common with Python: `python -m grashof.server.typescript >
web/src/app/workbench/shared.ts`."""

from __future__ import annotations

import json
import sys

from grashof.integrate.methods.dop853 import DOP853
from grashof.server.sketches import MOST


def shared_constants() -> str:
    """Constants as a module of TypeScript."""

    def rows(table: tuple[object, ...]) -> str:
        return "\n".join(f"  {json.dumps([*row.items()])}," for row in table)  # type: ignore[attr-defined]

    return f"""\
// Made by `python -m grashof.server.typescript` from constants of Python: change them there.

/** The most points and links that a sketch may have. */
export const MOST = {MOST};

/** A row of a table: pairs of a stage and its coefficient. */
export type Row = readonly (readonly [number, number])[];

/** {DOP853.title}: the nodes, the rows of A with the weights as the last, and those of the error estimates. */
export const NODES: readonly number[] = {json.dumps(DOP853.c)};
export const STAGES: readonly Row[] = [
{rows(DOP853.a)}
];
export const ERRORS: readonly Row[] = [
{rows(DOP853.errors)}
];
"""


if __name__ == "__main__":
    sys.stdout.write(shared_constants())
