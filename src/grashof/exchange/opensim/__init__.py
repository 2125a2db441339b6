"""Models of OpenSim."""
