"""Speed of Grashof: its runs are compared with C programs written by hand for one mechanism each, interleaved in one
run.

See README.md; `python -m benchmarks` runs it.
"""
