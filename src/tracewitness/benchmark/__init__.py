"""Measuring judges: gold labels, splits, scores and experiments. Nothing on the audit path knows this package."""
