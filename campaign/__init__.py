"""Ten thousand random runs through singular positions and redundant constraints, each judged independently.

See README.md; `python -m campaign` runs it.
"""
