"""Reports of runs: verdict, mobility, motion, work and precision, machine, in one page."""

from grashof.reports.chapters import Subject, chapter
from grashof.reports.reporting import report

__all__ = ["Subject", "chapter", "report"]
