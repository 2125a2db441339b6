"""Tools for solutions of any precision, each derived twice; nothing here knows the engine."""
