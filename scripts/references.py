"""All certified references again, from both derivations, compared with those that are stored: `python
scripts/references.py [NAME…]`. It takes an hour; names of problems choose some of them."""

from __future__ import annotations

import sys

from typer.testing import CliRunner

from grashof.cli.app import app
from grashof.problems import LINEAR, PROBLEMS


def main(names: list[str]) -> int:
    """The number of references that were not found again."""
    chosen = [(name, variant) for name, x in PROBLEMS.items() for variant in x.variants if not names or name in names]
    failed = 0
    for name, variant in [
        *chosen,
        *((name, x.variants[0]) for name, x in LINEAR.items() if not names or name in names),
    ]:
        again = ["--recompute"] if name in PROBLEMS else []
        result = CliRunner().invoke(app, ["reference", name, "--variant", variant, *again])
        lines = [line for line in result.output.splitlines() if line.strip()]
        print(f"{name}, {variant}: {'found again' if not result.exit_code else 'NOT found again'}", flush=True)
        if result.exit_code:
            print("\n".join(lines[-6:]), flush=True)
            failed += 1
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
