"""What joints leave free: twists, and the mobility report."""
