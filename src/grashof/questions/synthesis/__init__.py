"""Four-bars for a purpose: through three positions of a body, for points of a function, along a path."""
