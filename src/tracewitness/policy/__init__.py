"""Policies as data: required fields per class, the closed-world switch, the disposition table. Pure."""
