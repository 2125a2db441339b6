"""The data of many runs that the native loop and Python share."""

from ctypes import Structure, c_double, c_int64, c_void_p
from enum import IntEnum

from grashof.integrate.control import Control

WAITING, RESUMING = 5, 6
"""State of a run that was assigned to a lane and has not begun, and of one that restarts after a stop."""

NOBODY = -1
"""The row of a lane without a run."""


class Ended(IntEnum):
    """How a run in a lane ended.

    ATTENTION   at a place that needs a closer examination, which only the engine for single runs provides: where steps
                become small or none is accurate enough, or where a singular position may have been passed. The motion
                computed so far must not be used
    """

    ARRIVED = 0
    TOO_MANY_STEPS = 1
    ATTENTION = 2


class LaneControl(Control):
    """State of the run in a lane."""

    _fields_ = (  # type: ignore[assignment]  # they come behind those of single runs
        ("row", c_int64),  # which of the runs it is
        ("stop", c_int64),  # number of stops passed
        ("behind_stop", c_double),  # when it goes on after the last of them, s
        ("due", c_double),  # the next time at which it is observed, s; infinite if there is none
        ("observed", c_int64),  # number of times at which it was observed
        ("watched", c_int64),  # 1 if the last step contains such a time
        ("clear", c_double),  # the largest squared determinant of a step so far (see `sides`)
        ("trusted", c_int64),  # 1 if the polynomials of that step may be used (see `dense`)
        ("traced", c_int64),  # 1 if it is observed in every step; 2 while that is done, 3 when values are to be copied
        ("filled", c_int64),  # 1 if there is no room for the values of another step of all lanes
    )


class LaneJob(Structure):
    """Many runs, row by row, and where their results go."""

    _fields_ = (
        ("next", c_int64),  # the row to begin next
        ("rows", c_int64),
        ("busy", c_int64),  # lanes with runs
        ("start", c_double),  # time, s
        ("never", c_double),  # an infinite time after the end
        ("coefficients", c_int64),  # how many
        ("times", c_int64),  # number of observation times
        ("outputs", c_int64),  # number of outputs observed at each
        ("stops", c_int64),  # number of times at which steps have to end; the last is the end of the run
        ("control", c_void_p),  # what all runs begin with
        ("stops_at", c_void_p),  # these times, and when runs restart (stops, 2)
        ("starts_at", c_void_p),  # states (rows, size)
        ("coefficients_at", c_void_p),  # (rows, coefficients)
        ("scales_at", c_void_p),  # length, speed and mass (rows, 3)
        ("times_at", c_void_p),
        ("observed_at", c_void_p),  # (rows, times, outputs)
        ("ends_at", c_void_p),  # times and states (rows, 1 + size)
        ("codes_at", c_void_p),  # (rows,)
        ("counters_at", c_void_p),  # (rows, counters)
        ("traced", c_int64),  # 1 if runs are observed in every step
        ("recorded", c_int64),  # number of records of these observations
        ("capacity", c_int64),  # largest number of records
        ("records_at", c_void_p),  # row, time and outputs (capacity, 2 + outputs)
        ("lane_coefficients_at", c_void_p),  # (coefficients, lanes)
        ("lane_outputs_at", c_void_p),  # (outputs, lanes)
    )


COUNTERS = ("steps", "rejected_error", "rejected_not_finite", "rejected_constraints", "evaluations", "projections")
"""The counters of each run, see `Counters`."""
