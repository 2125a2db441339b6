"""Derivatives of a motion with respect to the numbers of its mechanism."""
