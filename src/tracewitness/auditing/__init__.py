"""Audits of one run and of many, replay and resume."""
