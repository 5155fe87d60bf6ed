"""The claim lexicons: one file of phrase patterns for each language."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tracewitness.findings.labels import Language
from tracewitness.language.lexicon import Lexicon, LexiconError, load_text
from tracewitness.report_side.phrases import PhraseBook, PhraseError, compile_book
from tracewitness.values.digests import Digest, digest_json

LANGUAGES = (
    Language.EN,
    Language.ZH,
    Language.JA,
    Language.KO,
    Language.DE,
    Language.FR,
    Language.ES,
    Language.PT,
)

CATEGORIES = {
    "finished": "the task as a whole is done",
    "done": "a deed in a perfective form, or its resulting state",
    "state": "the requested state holds now",
    "step": "operating the screen, or looking; no result",
    "neg": "a negator; counts where a result follows it closely",
    "mask": "looks like a signal and is none; takes away what it covers",
    "maskdone": "the same, for deeds only",
    "maskfail": "the same, for denied deeds and abilities only",
    "double": "a denied failure",
    "fail": "a word of failure, or a denied deed",
    "unable": "denied ability or possibility",
    "display": "what is shown did not follow a deed; an obstacle and no denied deed",
    "obstacle": "what the environment put in the way",
    "unverified": "the outcome was not checked",
    "hedge": "doubt, expectation, belief",
    "seems": "appearance",
    "future": "a plan, or what is left to do",
    "effect": "what follows from a finished task without the agent",
    "condition": "what must happen first",
    "sequence": "what came after what; no condition",
    "progress": "begun and not finished",
    "handoff": "a person is asked to act",
    "question": "a question, also without its mark",
    "transfer": "what goes on by per cent; not finished beside less than a hundred of them",
    "harmless": "trouble without consequence for the result",
    "partial": "a part only",
    "share": "a part of several; partial where it was a deed",
    "exception": "something is excepted; partial beside a deed",
    "already": "the state held before, or no change was needed",
    "untouched": "nothing was changed; failure unless nothing had to be",
    "nothing": "there was nothing to act on",
    "purpose": "what was looked for in order to be acted on",
    "notfound": "nothing came to light; beside nothing to act on, that is no failure",
    "next": "the next step; a plan where nothing says that it is past",
    "none": "the answer is that there is none",
    "past": "an earlier attempt, trouble left behind",
    "recovery": "another attempt, the end of trouble",
    "contrast": "against what came before",
    "concession": "trouble granted",
    "wish": "as was asked for",
    "static": "a denied present state",
    "no": "a plain no",
    "indirect": "a verb of asking or checking",
    "social": "courtesy, offers, headings",
    "offer": "what a person may want later; a request or a condition beside it leaves nothing open",
    "preterite": "a past form whose letters look like a future",
    "sought": "a piece of information was looked for; not to learn it is inability, no missing check of the outcome",
    "atfirst": "how it stood at first; a doubt beside it was overcome",
    "answering": "by which an answer is told; tells the language of a short text",
    "thing": "a thing with a state of its own, which a short clause after it may name",
    "consequence": "follows from what was told before it",
    "ack": "acknowledgement of the task",
    "judge": "words addressed to a judge",
    "label": "a label before an answer",
    "screen": "what is on the screen",
}
"""Every category a lexicon may use, with what its entries say; a file with another category is refused."""


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """The compiled lexicon of one language and the digest of its file."""

    book: PhraseBook
    digest: Digest


@cache
def claim_words(language: Language) -> ClaimWords:
    """Return the claim lexicon of a language, read and compiled once.

    Raises:
        LexiconError: The file is badly written.
        KeyError: The language has no lexicon.
    """
    if language not in LANGUAGES:
        raise KeyError(language)
    lexicon = _lexicon(language)
    return ClaimWords(_compiled(language, lexicon), lexicon.digest)


def lexicon_digest() -> Digest:
    """Return the one digest of all claim lexicons, for the audit record. Nothing is compiled for it."""
    return digest_json({language.value: _lexicon(language).digest for language in LANGUAGES})


@cache
def _lexicon(language: Language) -> Lexicon:
    name = f"claims_{language.value}.tsv"
    place = files("tracewitness.report_side").joinpath("data", name)
    return load_text(place.read_text(encoding="utf-8"), f"report_side/data/{name}")


def _compiled(language: Language, lexicon: Lexicon) -> PhraseBook:
    unknown = lexicon.categories() - CATEGORIES.keys()
    if unknown:
        raise LexiconError(f"{lexicon.source}: expected known categories, found {', '.join(sorted(unknown))}")
    try:
        return compile_book(language, lexicon.entries)
    except PhraseError as error:
        raise LexiconError(f"{lexicon.source}, {error}") from error
