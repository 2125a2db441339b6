"""The laboratory: mechanisms under other formulations, all judged alike."""

from grashof.lab.card import Card
from grashof.lab.compare import LabComparison, compare
from grashof.lab.equations import FormulationFailed, LabEquations
from grashof.lab.formulation import ExplicitFormulation, Formulation, LabState
from grashof.lab.formulations import FORMULATIONS
from grashof.lab.judging import LabResult
from grashof.lab.member import Member, Performed
from grashof.lab.status import Ending, LabStatus

__all__ = [
    "FORMULATIONS",
    "Card",
    "Ending",
    "ExplicitFormulation",
    "Formulation",
    "FormulationFailed",
    "LabComparison",
    "LabEquations",
    "LabResult",
    "LabState",
    "LabStatus",
    "Member",
    "Performed",
    "compare",
]
