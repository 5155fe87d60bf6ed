"""Audit records on disk: schema, migrations, write, read, verify, export and import."""
