"""The data of a run that the native loop and Python share."""

from ctypes import Structure, c_double, c_int64

RUNNING, ARRIVED, STUCK, ENDED, CROWDED = range(5)
ERROR, NOT_FINITE, CONSTRAINTS = range(1, 4)


class Control(Structure):
    """State of a run between two steps; together with the workspace it determines everything else."""

    _fields_ = (
        ("t_end", c_double),
        ("span", c_double),  # |t_end − t_start|
        ("tolerance", c_double),
        ("length", c_double),  # scale of q, m
        ("speed", c_double),  # scale of v, m/s: grows to the largest |v_i| so far
        ("mass", c_double),  # kg: mass·speed² is the smallest scale of works
        ("energy", c_double),  # scale of works, J: grows to the largest |work| so far
        ("widest", c_double),  # longest step allowed anywhere, s; with a fixed-step method, its step
        ("parts", c_double),  # smallest number of steps between two stops
        ("longest", c_double),  # longest step allowed in this stretch, s
        ("controlled", c_double),  # number of components over which the error norm is averaged
        ("size", c_double),  # size of the next step, s, positive in either direction of time; 0: to be chosen
        ("usual", c_double),  # largest of the recent sizes, s
        ("attentive", c_int64),  # not 0: return to Python where the size falls far below the usual one
        ("fallen", c_int64),  # 1 where it did
        ("event", c_int64),  # 1 if a watched function may have changed its sign in the last step
        ("state", c_int64),  # RUNNING, ARRIVED or STUCK; ENDED by an event, CROWDED by too many
        ("cause", c_int64),  # of the last rejection: ERROR, NOT_FINITE or CONSTRAINTS
        ("hold", c_int64),  # 1 right after a rejection: the step may not grow
        ("pause", c_int64),  # return to Python after this many attempted steps
        ("tried", c_int64),
        # counters, see `Counters`
        ("steps", c_int64),
        ("rejected_error", c_int64),
        ("rejected_not_finite", c_int64),
        ("rejected_constraints", c_int64),
        ("evaluations", c_int64),
        ("projections", c_int64),
    )
