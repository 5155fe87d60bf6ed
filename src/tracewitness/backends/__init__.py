"""The model port's real ends. Optional packages are imported here alone."""
