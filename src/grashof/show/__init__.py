"""Figures made with matplotlib, without its global state: histories, drawings, animations; and tables."""
