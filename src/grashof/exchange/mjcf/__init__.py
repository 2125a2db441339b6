"""Models in MuJoCo's format, MJCF."""
