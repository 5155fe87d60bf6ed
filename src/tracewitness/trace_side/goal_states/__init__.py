"""One file per kind of post-condition: what a single scene says about it."""
