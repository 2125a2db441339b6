"""Assemblies of OndselSolver, the solver of FreeCAD."""
