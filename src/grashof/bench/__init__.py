"""Measures engines on the benchmark problems, keeps what was measured, and shows it.

subject → messages → worker (a process of its own for each measurement) → measure → store → summary → sheets, submission
"""
