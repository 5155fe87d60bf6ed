"""Prompt files of the report side."""
