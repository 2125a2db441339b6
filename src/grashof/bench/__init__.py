"""Measures engines on the benchmark problems, and stores and shows the results.

subject → messages → worker (one process per measurement) → measure → store → summary → sheets, submission
"""
