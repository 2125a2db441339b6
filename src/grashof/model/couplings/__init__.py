"""Couplings, one a file: equations between measures and time. A new one is a file here and a name in `Coupling`."""

from grashof.model.couplings.base import CouplingBase
from grashof.model.couplings.linear import Linear
from grashof.model.couplings.motor import Motor

Coupling = Linear
"""What `couplings` of a mechanism may hold; motors have a list of their own."""

__all__ = ["Coupling", "CouplingBase", "Linear", "Motor"]
