"""Natural coordinates, constraint rows and presolve: a mechanism as a quadratic system."""
