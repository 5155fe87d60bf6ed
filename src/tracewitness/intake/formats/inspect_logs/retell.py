"""Retelling Inspect logs, JSON and archives alike."""

import json
import re
import zipfile
from pathlib import Path
from typing import Any

from tracewitness.intake.archives import is_archive, opened_archive
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.inspect_logs.read import read
from tracewitness.intake.formats.inspect_logs.retold_samples import SampleWords
from tracewitness.intake.reading_files import decode, parse_json, peek
from tracewitness.intake.retelling import Say
from tracewitness.intake.retelling_files import reports_of, write_retold
from tracewitness.intake.spans.retelling import SpanWords
from tracewitness.intake.untyped import list_of, object_of

_SAMPLE = re.compile(r"samples/[^/]+\.json")
_SUMMARIES = re.compile(r"summaries\.json|_journal/summaries/[^/]+\.json")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the samples with what models say, hand in and note down, and scores and targets, in other words."""
    words = SampleWords(SpanWords(say, flag, reports_of(read, candidate)))
    if not is_archive(peek(candidate.path)):
        return write_retold(candidate, folder, lambda document: _document(document, words))
    folder.mkdir(parents=True)
    path = folder / candidate.path.name
    with opened_archive(candidate.path, candidate.limits) as source, zipfile.ZipFile(path, "x") as told:
        for name in source.names:
            content = source.read_member(name, candidate.limits.document)
            told.writestr(name, _member(name, content, words), zipfile.ZIP_DEFLATED)
    return path


def _document(document: Any, words: SampleWords) -> Any:
    keys = object_of(document)
    if not isinstance(keys.get("samples"), list):
        return document
    return {**keys, "samples": [words.sample(one) for one in list_of(keys["samples"])]}


def _member(name: str, content: bytes, words: SampleWords) -> bytes:
    try:
        if _SAMPLE.fullmatch(name):
            return json.dumps(words.sample(parse_json(decode(content).text))).encode()
        if _SUMMARIES.fullmatch(name):
            return json.dumps([words.graded(one) for one in list_of(parse_json(decode(content).text))]).encode()
    except IntakeError:
        pass  # no sample either way
    return content
