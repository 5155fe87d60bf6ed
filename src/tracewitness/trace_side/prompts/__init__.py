"""Prompt files of the trace side."""
