"""What is true of a run: its goal against the database before and after, and against the log of changes.

Nothing here knows the name of a kind, the plan or the report's wording.
"""
