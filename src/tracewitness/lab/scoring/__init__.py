"""Verdicts of any judge against the truth of the lab's runs."""
