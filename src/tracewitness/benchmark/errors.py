"""What can be wrong with labels and with what is asked of them, said in one line."""


class BenchmarkError(ValueError):
    """Labels, records or a question that no figure can be made from; the message is one line for a person."""


class GoldError(BenchmarkError):
    """A file of gold labels cannot be used; the message names the file and the line."""
