"""A schema told in words, to a model that cannot be held to it otherwise."""


def told_schema(schema: str) -> str:
    """Return the sentence that asks for an answer of a schema."""
    return f"Answer with one JSON object that matches this JSON Schema, and with nothing else:\n{schema}"
