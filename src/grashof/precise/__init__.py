"""Tools for solutions of any precision, each derived twice, independently of the engine."""
