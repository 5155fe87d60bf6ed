"""Prompt files of the judges that are measured."""
