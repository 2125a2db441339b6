"""How fast Grashof is: its runs against programs written by hand in C for one mechanism each, interleaved in one run.

See README.md; `python -m benchmarks` runs it.
"""
