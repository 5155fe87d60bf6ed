"""What an agent did and thought before, as prompts in the user's name tell it again beside the task.

Agents of one call a step put their own past into every prompt: the steps so far in their own words, a plan, notes, what
they hold for done. Its place is told by the headings of the prompts that are in use: those of Mobile-Agent and Qwen, of
AppAgent, of AndroidWorld's agents, of UI-TARS and of agents on web pages. A heading that a person may write as well
counts only in a text that is a prompt, with the task under a heading of its own.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

_OF_PROMPTS = (
    r"task progress \(",
    r"previous actions?\s{0,3}:",
    r"previous steps?\s{0,3}:",
    r"past actions?\s{0,3}:",
    r"action history\s{0,3}:",
    r"your (?:past|previous) (?:actions|steps)\b",
    r"here is (?:a|the) history of what you have done",
    r"(?:you|the agent) (?:have|has) (?:already )?(?:done|performed|taken|executed) the following",
    r"the (?:previous|history|past) (?:actions|operations|steps) (?:are|is|were)\b",
)
"""How the past begins in prompts, and in nothing that a person writes to an agent."""
_ALSO_OF_PEOPLE = (
    r"task progress\s{0,3}:",
    r"progress\s{0,3}:",
    r"history\s{0,3}:",
    r"(?:thoughts?|memory|notes|important notes|reflection|last action|last summary|summary|plan|current plan)\s{0,3}:",
)
_LEAD = r"^[ \t>*#-]{0,20}"
_STRONG = re.compile(_LEAD + f"(?:{'|'.join(_OF_PROMPTS)})", re.IGNORECASE | re.MULTILINE)
_WEAK = re.compile(_LEAD + f"(?:{'|'.join(_ALSO_OF_PEOPLE)})", re.IGNORECASE | re.MULTILINE)
_WITHIN = re.compile(r"(?<=[.!?]) (?=your past actions to (?:proceed|complete))", re.IGNORECASE)
"""AppAgent's prompt tells the past in the midst of a line."""
_TITLE = re.compile(r"^[ \t]{0,20}#{2,4} ?([^\s#][^#\n]{0,80})(#{2,4})?[ \t]{0,20}$", re.MULTILINE)
_OF_PAST = frozenset("history histories completed past previous".split())
_OF_AGENTS = _OF_PAST | frozenset(
    "progress memory thought thoughts thinking notes plan subgoal subgoals reflection reflections summary "
    "latest".split()
)
"""Words of a heading between signs on both sides, which people do not write."""
_TASK = re.compile(
    _LEAD + r"(?:the user query|instruction|task|goal|user request|query|user instruction|the current user goal"
    r"|current task)\b[^:\n]{0,40}:",
    re.IGNORECASE | re.MULTILINE,
)
_ENDS = re.compile(
    _LEAD + r"(?:current (?:step query|screen|screenshot|observation|state|page|url|ui)\s{0,3}:|before answering,"
    r"|after answering,|now,? (?:given|output|please|you need|here)\b|here is a list of|here are some useful"
    r"|(?:the|a) (?:current|following|labeled) screenshot|be mindful of|output (?:format|example)"
    r"|the following tips can|<image>|<screenshot|(?:observation|screenshot|url|ui elements|accessibility tree)\s{0,3}:"
    r"|(?:the user query|instruction|task|goal|user instruction)\s{0,3}:)",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)


def without_own_past(text: str, *, prompt: bool = False) -> tuple[str, str]:
    """Return a text in the user's name without what it tells of the agent's past, and that.

    Args:
        text: The text.
        prompt: Whether a program wrote it for sure, so that any heading of the past counts.
    """
    titles = list(_TITLE.finditer(text)) if "##" in text else []
    begins = sorted(_begins(text, titles, prompt=prompt))
    if not begins:
        return text, ""
    others = [one.start() for one in titles if not _is_of_past(one)]
    kept, past, at = list[str](), list[str](), 0
    for start, behind in begins:
        if start < at:
            continue
        next_title = bisect_left(others, behind)
        end = _end(text, behind, others[next_title] if next_title < len(others) else len(text))
        kept.append(text[at:start])
        past.append(text[start:end])
        at = end
    kept.append(text[at:])
    return "\n".join(filter(None, (one.strip() for one in kept))), "\n".join(past)


def _begins(text: str, titles: Sequence[re.Match[str]], *, prompt: bool) -> Iterator[tuple[int, int]]:
    """Yield where the agent's past begins, and where the heading of it ends."""
    yield from (found.span() for found in _STRONG.finditer(text))
    yield from (found.span() for found in _WITHIN.finditer(text))
    if len(titles) > 1:
        yield from (found.span() for found in titles if _is_of_past(found))
    task = _TASK.search(text)
    if prompt or task is not None:
        yield from (found.span() for found in _WEAK.finditer(text, task.end() if task and not prompt else 0))


def _is_of_past(title: re.Match[str]) -> bool:
    words = _OF_AGENTS if title.group(2) else _OF_PAST
    return not words.isdisjoint(word.casefold() for word in _WORD.findall(title.group(1)))


def _end(text: str, behind: int, next_title: int) -> int:
    """Return where the past ends: ahead of the next part of a prompt, else at the end of the text."""
    line = text.find("\n", behind, next_title)
    found = _ENDS.search(text, line, next_title) if line >= 0 else None
    return found.start() if found else next_title
