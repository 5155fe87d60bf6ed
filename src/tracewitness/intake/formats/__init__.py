"""One folder per log format."""
