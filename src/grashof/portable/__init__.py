"""Mechanisms that leave Python: as C source, and as functional mock-up units (FMU)."""
