"""The server of the lab and its pages. It serves one world at a time, on this machine alone."""
