"""Reading logs: formats, planes, the sealed run and triage."""
