"""The issue within the first message of a user, which the tools wrap into their instructions."""

_FRAMES = (
    ("ISSUE:\n", "\n\nINSTRUCTIONS:"),
    ("<pr_description>\n", "\n</pr_description>"),
    ("Please solve this issue: ", "\n\nYou can execute bash commands"),
    ("Your task: ", "\n\nYou can execute bash commands"),
)
_LEADING = ("Consider the following PR description:\n",)


def issue_in(message: str) -> str:
    """Return the issue in a first message; the whole message where no frame that is known stands around it."""
    text = message.replace("\r\n", "\n")
    for opening, closing in _FRAMES:
        start = text.find(opening)
        end = text.rfind(closing)
        if 0 <= start and start + len(opening) < end:
            issue = text[start + len(opening) : end].strip()
            for leading in _LEADING:
                issue = issue.removeprefix(leading).strip()
            if issue:
                return issue
    return message.strip()
