"""Forces, one per file. A new one is a file here and a name in `Force`."""

from grashof.model.forces.actuator import Actuator
from grashof.model.forces.base import ForceBase, ForceOutline, ForceSurface, Grip, Load, Rub
from grashof.model.forces.bushing import Bushing
from grashof.model.forces.contact import Contact
from grashof.model.forces.controller import Controller
from grashof.model.forces.friction import Friction
from grashof.model.forces.inerter import Inerter
from grashof.model.forces.point_force import PointForce
from grashof.model.forces.pull import Pull
from grashof.model.forces.spatial_contact import SpatialContact
from grashof.model.forces.spring_damper import SpringDamper
from grashof.model.forces.stop import Stop
from grashof.model.forces.torque import Torque
from grashof.model.forces.torsion_spring import TorsionSpring
from grashof.model.forces.user_force import UserForce

Force = (
    Actuator
    | Bushing
    | Contact
    | Controller
    | Friction
    | Inerter
    | PointForce
    | Pull
    | SpatialContact
    | SpringDamper
    | Stop
    | Torque
    | TorsionSpring
    | UserForce
)

__all__ = [
    "Actuator",
    "Bushing",
    "Contact",
    "Controller",
    "Force",
    "ForceBase",
    "ForceOutline",
    "ForceSurface",
    "Friction",
    "Grip",
    "Inerter",
    "Load",
    "PointForce",
    "Pull",
    "Rub",
    "SpatialContact",
    "SpringDamper",
    "Stop",
    "Torque",
    "TorsionSpring",
    "UserForce",
]
