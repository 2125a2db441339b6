"""What changes in time and between steps: kinks, fast changes, limits."""
