"""What a regular expression cannot do without: a quick look for that text spares most searches."""

_QUANTIFIERS = ("?", "*", "+", "{")
_SPECIAL = frozenset("\\[({^$.?*+")
_CLOSING = {"[": "]", "{": "}"}


def needed_text(expression: str) -> str:
    """Return a text that stands in every match of an expression, the longest that its source tells.

    Only plain characters outside groups and classes are looked at, so it may be empty where a person would see one.

    Args:
        expression: The source of a valid regular expression without flags.
    """
    longest = run = ""
    at = 0
    while at < len(expression):
        sign = expression[at]
        end = _end_of_piece(expression, at)
        if sign == "|":
            return ""
        certain = sign not in _SPECIAL and not expression.startswith(_QUANTIFIERS, end)
        run = run + sign if certain else ""
        longest = max(longest, run, key=len)
        at = end
    return longest


def _end_of_piece(expression: str, at: int) -> int:
    """Return the place after the character, escape, class, quantifier or group that begins at a place."""
    sign = expression[at]
    if sign == "\\":
        return at + 2
    if sign in _CLOSING:
        return _after(expression, _first_inside(expression, at), _CLOSING[sign])
    if sign != "(":
        return at + 1
    at += 1
    while expression[at] != ")":
        at = _end_of_piece(expression, at)
    return at + 1


def _first_inside(expression: str, at: int) -> int:
    """Return where to look for the end of a class or quantifier; a bracket that comes first in a class is no end."""
    if expression[at] == "{":
        return at + 1
    first = at + 2 if expression.startswith("^", at + 1) else at + 1
    return first + 1 if expression.startswith("]", first) else first


def _after(expression: str, at: int, closing: str) -> int:
    while at < len(expression) and expression[at] != closing:
        at += 2 if expression[at] == "\\" else 1
    return at + 1
