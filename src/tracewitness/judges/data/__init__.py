"""Texts that take the place of a report in an experiment."""
