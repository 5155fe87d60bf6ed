"""Judges that are measured: controls and baselines that may be shown a whole run.

They exist to be compared. No audit uses them, and nothing below imports them (an import contract).
"""
