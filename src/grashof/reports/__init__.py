"""Reports of runs in one page: verdict, mobility, motion, work-precision diagram and machine."""

from grashof.reports.chapters import Subject, chapter
from grashof.reports.reporting import report

__all__ = ["Subject", "chapter", "report"]
