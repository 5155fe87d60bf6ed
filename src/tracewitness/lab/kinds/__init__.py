"""Ways to fail while looking right, to be right while looking suspicious, and to fail; each done for real."""
