"""Singular positions: the rows around them, the branches that meet there, and the sides on which steps stay."""
