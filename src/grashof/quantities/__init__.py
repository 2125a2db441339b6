"""Quantities of a moving mechanism, over any scalars."""
