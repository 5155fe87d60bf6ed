"""What an experiment is made of, so that it can be made again: data, models, prompts, policies, seeds, counts."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tracewitness.benchmark.audited import Audited
from tracewitness.benchmark.loading import Experiment
from tracewitness.benchmark.splits import Split
from tracewitness.benchmark.verdicts import Verdicts
from tracewitness.findings.decision import PolicyRef
from tracewitness.store.record import Makers
from tracewitness.values.digests import digest_json
from tracewitness.version import __version__

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Inputs:
    """What an experiment was given.

    Attributes:
        files: Files of labels and of verdicts.
        command: The command that makes it again.
        seed: The seed of every bootstrap.
        split: The split, where one was used, and which side of it.
        side: The side.
        verdicts: Results of judges.
        policies: The policies that stored findings are decided under anew.
    """

    files: Sequence[Path]
    command: str
    seed: int
    split: Split | None = None
    side: str = ""
    verdicts: Sequence[Verdicts] = ()
    policies: Sequence[PolicyRef] = ()


def made_of(experiment: Experiment, inputs: Inputs) -> Iterator[tuple[str, str]]:
    """Yield what an experiment is made of, as names and values."""
    labelled = experiment.labelled
    yield "tracewitness", __version__
    yield "command", inputs.command
    for path in inputs.files:
        yield f"file {path.name}", _file_digest(path)
    for one in experiment.audited:
        yield from _of_audits(one)
    for given in inputs.verdicts:
        yield from ((f"{given.method}: {name}", value) for name, value in sorted(given.makers.items()))
    for policy in inputs.policies:
        yield f"policy {policy.name}", f"{policy.name} {policy.version}, {policy.digest}"
    if inputs.split is not None:
        yield "split", f"{inputs.split.digest}, {inputs.side} side"
    yield "seed of the bootstrap", str(inputs.seed)
    yield "runs before triage", str(labelled.stream)
    yield "labelled runs", str(len(labelled))
    yield "tasks", str(int(labelled.task.max()) + 1 if len(labelled) else 0)
    yield "dangerous misreports", str(labelled.positives)
    yield from ((f"left out {reason}", str(count)) for reason, count in sorted(labelled.left_out.items()))
    if experiment.unknown:
        yield "labels for runs that no store holds", str(experiment.unknown)


def _of_audits(one: Audited) -> Iterator[tuple[str, str]]:
    records = sorted(row.record_id for row in one.rows.values())
    yield f"{one.name}: audits", f"{len(records)}, {digest_json([str(record) for record in records])}"
    yield from ((f"{one.name}: {what}", value) for what, value in _of_makers(one.makers))


def _of_makers(makers: Makers) -> Iterator[tuple[str, str]]:
    yield "policy", f"{makers.policy_name} {makers.policy_version}, {makers.policy_digest}"
    yield "claim reader", f"{makers.claim_reader}, {makers.claim_reader_digest}"
    yield "extractor", f"{makers.extractor}, {makers.extractor_digest}"
    for used in makers.models:
        yield f"{used.side} model", f"{used.model} {used.parameters}"
        yield from ((f"{used.side} prompt", f"{prompt.prompt_id}, {prompt.digest}") for prompt in used.prompts)


def _file_digest(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return f"sha256:{found.hexdigest()}"
