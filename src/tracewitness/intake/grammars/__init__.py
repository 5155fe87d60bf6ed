"""Grammars of actions that agents write as text; each has ``parse``, and none executes anything."""
