"""Robots in URDF."""
