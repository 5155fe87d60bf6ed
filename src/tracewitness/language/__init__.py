"""What all three sides need to read natural language: detection, clauses, lexicons, typed values.

It knows nothing of tasks, reports or traces. It stands below the sides so that they can share it without meeting.
"""
