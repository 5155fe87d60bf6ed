"""The words of the lab in eight languages: interface, names, and how values are written."""
