"""Equations that hold along the branch on which a mechanism starts."""
