"""One folder per log format; each has ``detect``, ``read``, ``split`` and a page for readers."""
