"""Certified references: the official columns at the official times, each value with an error bar, from two
derivations."""

from grashof.references.certify import recompute
from grashof.references.reference import HOLDS, Reference
from grashof.references.store import check_target, reference_for, save_reference

__all__ = ["HOLDS", "Reference", "check_target", "recompute", "reference_for", "save_reference"]
