"""Scripts that let real agent frameworks write the logs that are read here, and the environments they run in."""
