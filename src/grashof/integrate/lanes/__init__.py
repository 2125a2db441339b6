"""Many runs at once, in the lanes of a processor's vectors."""

from grashof.integrate.lanes.control import Ended
from grashof.integrate.lanes.mechanism import checked_rows, lanes_of
from grashof.integrate.lanes.runs import LaneIntegrator, LaneRuns

__all__ = ["Ended", "LaneIntegrator", "LaneRuns", "checked_rows", "lanes_of"]
