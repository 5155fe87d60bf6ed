"""Settings from the environment. Options of the command line win over them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

STORE_VARIABLE = "TRACEWITNESS_STORE"
POLICY_VARIABLE = "TRACEWITNESS_POLICY"
MODEL_VARIABLE = "TRACEWITNESS_MODEL"
DEFAULT_STORE = ".tracewitness/audits.db"
DEFAULT_POLICY = "default"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user sets once.

    Attributes:
        store: Path or SQLAlchemy URL of the store of audit records.
        policy: Name of a built-in policy, or path of a policy file.
        model: The model that reads both sides; empty for rules.
    """

    store: str = DEFAULT_STORE
    policy: str = DEFAULT_POLICY
    model: str = ""


def settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings; an empty variable counts as not set."""
    return Settings(
        store=environment.get(STORE_VARIABLE) or DEFAULT_STORE,
        policy=environment.get(POLICY_VARIABLE) or DEFAULT_POLICY,
        model=environment.get(MODEL_VARIABLE) or "",
    )


def capabilities_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the file that keeps what was found out about models, in the user's folder for caches."""
    cache = environment.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "tracewitness" / "models.json"
