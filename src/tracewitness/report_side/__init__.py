"""The report and the readers of its claim. Nothing here knows the task or the trace."""
