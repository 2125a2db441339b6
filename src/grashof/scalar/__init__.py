"""Scalars: the mathematics that floats, multiprecision numbers, arrays, traced expressions and jets share."""

from grashof.scalar.functions import (
    Scalar,
    absolute,
    atan2,
    cos,
    exp,
    integer_power,
    log,
    maximum,
    minimum,
    sign,
    sin,
    sqrt,
    tan,
    tanh,
    where,
)
from grashof.scalar.jet import Jet

__all__ = [
    "Jet",
    "Scalar",
    "absolute",
    "atan2",
    "cos",
    "exp",
    "integer_power",
    "log",
    "maximum",
    "minimum",
    "sign",
    "sin",
    "sqrt",
    "tan",
    "tanh",
    "where",
]
