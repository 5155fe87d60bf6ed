"""The tables as the code of this version reads and writes them; ``migrations`` makes them."""

from sqlalchemy import Column, Integer, MetaData, String, Table, Text

METADATA = MetaData()

AUDITS = Table(
    "audits",
    METADATA,
    Column("seq", Integer, primary_key=True),
    Column("record_id", String, nullable=False),
    Column("audited_at", String, nullable=False),
    Column("body_digest", String, nullable=False),
    Column("run_id", String, nullable=False),
    Column("run_digest", String, nullable=False),
    Column("makers_key", String, nullable=False),
    Column("complete", Integer, nullable=False),
    Column("agent", String),
    Column("source", String),
    Column("format", String, nullable=False),
    Column("policy", String, nullable=False),
    Column("policy_version", String, nullable=False),
    Column("policy_digest", String, nullable=False),
    Column("triage", String, nullable=False),
    Column("task_class", String, nullable=False),
    Column("claim", String),
    Column("basis", String),
    Column("answer_check", String, nullable=False),
    Column("trace_state", String),
    Column("disposition", String),
    Column("codes", String, nullable=False),
    Column("task_key", String),
    Column("language", String),
    Column("steps", Integer),
    Column("declared", String),
    Column("body", Text, nullable=False),
)

EVIDENCE = Table(
    "evidence",
    METADATA,
    Column("digest", String, primary_key=True),
    Column("side", String, primary_key=True),
    Column("text", Text, nullable=False),
)

ANSWERS = Table(
    "answers",
    METADATA,
    Column("cache_key", String, primary_key=True),
    Column("answer_digest", String, nullable=False),
    Column("side", String, nullable=False),
    Column("model", String, nullable=False),
    Column("body", Text, nullable=False),
)
