"""What the worlds of the six apps are filled with."""
