"""Keeps what was found out about models in a file, so that each is asked for it only once."""

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from tracewitness.asking.capabilities import AnswerForm, Capabilities
from tracewitness.backends.naming import ModelName
from tracewitness.values.digests import Digest, digest_json
from tracewitness.version import __version__


def recall(file: Path, name: ModelName) -> Capabilities | None:
    """Return what was found out about a model by this version; None where it was not, or the file is damaged."""
    entry = _entries(file).get(_key(name))
    try:
        return None if entry is None else _read(entry)
    except (TypeError, ValueError, KeyError):
        return None


def remember(file: Path, name: ModelName, capabilities: Capabilities) -> None:
    """Keep what was found out about a model. A file that cannot be written is left as it is."""
    entries = {**_entries(file), _key(name): _written(capabilities)}
    with suppress(OSError):
        _replace(file, json.dumps(entries, indent=1, sort_keys=True))


def _key(name: ModelName) -> Digest:
    return digest_json([name.provider.value, name.base_url, name.model, __version__])


def _entries(file: Path) -> dict[str, Any]:
    try:
        entries: object = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", entries) if isinstance(entries, dict) else {}


def _written(capabilities: Capabilities) -> dict[str, Any]:
    return {
        "form": capabilities.form.value,
        "logprobs": capabilities.logprobs,
        "images": capabilities.images,
        "context_tokens": capabilities.context_tokens,
        "refused": [[form.value, why] for form, why in capabilities.refused],
    }


def _read(entry: dict[str, Any]) -> Capabilities:
    logprobs, images, context = entry["logprobs"], entry["images"], entry["context_tokens"]
    if not isinstance(logprobs, bool) or not isinstance(images, bool) or not isinstance(context, int | None):
        raise ValueError("not what was written")
    refused = tuple((AnswerForm(form), str(why)) for form, why in entry["refused"])
    return Capabilities(AnswerForm(entry["form"]), logprobs, images, context, refused)


def _replace(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(draft, file)
    except BaseException:
        os.unlink(draft)
        raise
