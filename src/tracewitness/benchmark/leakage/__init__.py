"""The leakage experiment: what a judge makes of the same trace when something of the agent's words stands beside it."""
