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

CATEGORIES = frozenset(
    "finished done state step neg mask double fail unable obstacle unverified hedge seems future effect condition progress "
    "handoff question partial share already untouched nothing none past recovery contrast concession social ack judge "
    "label screen indirect wish static no exception maskdone".split()
)
"""Every category a lexicon may use; a file with another one is refused."""


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
    name = f"claims_{language.value}.tsv"
    place = files("tracewitness.report_side").joinpath("data", name)
    lexicon = load_text(place.read_text(encoding="utf-8"), f"report_side/data/{name}")
    return ClaimWords(_compiled(language, lexicon), lexicon.digest)


def lexicon_digest() -> Digest:
    """Return the one digest of all claim lexicons, for the audit record."""
    return digest_json({language.value: claim_words(language).digest for language in LANGUAGES})


def _compiled(language: Language, lexicon: Lexicon) -> PhraseBook:
    unknown = lexicon.categories() - CATEGORIES
    if unknown:
        raise LexiconError(f"{lexicon.source}: expected known categories, found {', '.join(sorted(unknown))}")
    try:
        return compile_book(language, lexicon.entries)
    except PhraseError as error:
        raise LexiconError(f"{lexicon.source}, {error}") from error
