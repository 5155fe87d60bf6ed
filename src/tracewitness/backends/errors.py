"""The base of what goes wrong before a model can be asked."""


class ModelError(Exception):
    """A model cannot be asked; the message is one line for a person, without keys."""
