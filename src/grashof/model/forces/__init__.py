"""Forces, one a file. A new one is a file here and a name in `Force`."""

from grashof.model.forces.base import ForceBase, Load
from grashof.model.forces.point_force import PointForce
from grashof.model.forces.spring_damper import SpringDamper
from grashof.model.forces.torque import Torque
from grashof.model.forces.torsion_spring import TorsionSpring
from grashof.model.forces.user_force import UserForce

Force = PointForce | SpringDamper | Torque | TorsionSpring | UserForce

__all__ = [
    "Force",
    "ForceBase",
    "Load",
    "PointForce",
    "SpringDamper",
    "Torque",
    "TorsionSpring",
    "UserForce",
]
