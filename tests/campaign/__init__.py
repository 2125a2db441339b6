"""The campaign: first that its judge is right, then a slice of its runs."""
