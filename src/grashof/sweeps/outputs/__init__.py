"""Outputs: what is kept of each run. In Python they are objects or text, on the command line text:

rod.end.x at end           At("rod.end.x")             value at the end of the run
rod.end.x at 0.3           At("rod.end.x", 0.3)        value at a time in s
max rod.end.y              Extreme("max", "rod.end.y") largest value; `min` the smallest, `peak` the largest magnitude
time of max rod.end.y      TimeOf("max", "rod.end.y")  when it is reached first, s
mean crank.angle.rate      Mean("crank.angle.rate")    mean over the time of the run
trajectory crank.angle     History("crank.angle")      values at the chosen times
error                      Error()                     largest error by the rule of a benchmark problem, J
"""

from __future__ import annotations

from grashof.common.errors import ModelError
from grashof.sweeps.outputs.at import At
from grashof.sweeps.outputs.base import Output, OutputColumns, Samples
from grashof.sweeps.outputs.error import Error
from grashof.sweeps.outputs.extreme import Extreme, TimeOf
from grashof.sweeps.outputs.history import History
from grashof.sweeps.outputs.mean import Mean

__all__ = ["At", "Error", "Extreme", "History", "Mean", "Output", "OutputColumns", "Samples", "TimeOf", "read_output"]

KINDS: tuple[type[Output], ...] = (At, Extreme, TimeOf, Mean, History, Error)
"""All kinds of outputs. If a text could be of two kinds, it is of the later one: 'max x at end' is the maximum of a
quantity 'x at end'."""


def read_output(given: str | Output) -> Output:
    """The output that a text means.

    >>> read_output("time of max rod.end.y"), str(read_output("crank.angle at 0.25 s"))
    (TimeOf(kind='max', quantity='rod.end.y'), 'crank.angle at 0.25')
    """
    if isinstance(given, Output):
        return given
    text = " ".join(str(given).split())
    for kind in reversed(KINDS):
        if (output := kind.read(text)) is not None:
            return output
    *forms, last = (kind.forms for kind in KINDS)
    raise ModelError(f"Output '{text}' is not understood; possible outputs are {', '.join(forms)} and {last}.")
