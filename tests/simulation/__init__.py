"""Whole runs, held against closed forms and against textbook equations solved by SciPy."""
