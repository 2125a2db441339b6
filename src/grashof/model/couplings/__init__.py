"""Couplings, one per file: equations between measures and time. A new one is a file here and a name in `Coupling`."""

from grashof.model.couplings.base import CouplingBase
from grashof.model.couplings.belt import Belt
from grashof.model.couplings.curve import Curve
from grashof.model.couplings.differential import Differential
from grashof.model.couplings.equation import Equation
from grashof.model.couplings.gear import Gear
from grashof.model.couplings.linear import Linear
from grashof.model.couplings.motor import Motor
from grashof.model.couplings.normal import Normal
from grashof.model.couplings.rack import Rack
from grashof.model.couplings.screw import Screw
from grashof.model.couplings.variator import Variator
from grashof.model.couplings.worm import Worm

Coupling = Linear | Gear | Belt | Rack | Worm | Screw | Differential | Equation | Curve | Normal | Variator
"""The types of couplings that a mechanism may have; motors have a list of their own."""

__all__ = [
    "Belt",
    "Coupling",
    "CouplingBase",
    "Curve",
    "Differential",
    "Equation",
    "Gear",
    "Linear",
    "Motor",
    "Normal",
    "Rack",
    "Screw",
    "Variator",
    "Worm",
]
