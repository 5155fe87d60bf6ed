"""Settings from the environment. Options of the command line win over them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

STORE_VARIABLE = "TRACEWITNESS_STORE"
POLICY_VARIABLE = "TRACEWITNESS_POLICY"
DEFAULT_STORE = ".tracewitness/audits.db"
DEFAULT_POLICY = "default"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user sets once.

    Attributes:
        store: Path or SQLAlchemy URL of the store of audit records.
        policy: Name of a built-in policy, or path of a policy file.
    """

    store: str = DEFAULT_STORE
    policy: str = DEFAULT_POLICY


def settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings; an empty variable counts as not set."""
    return Settings(
        store=environment.get(STORE_VARIABLE) or DEFAULT_STORE,
        policy=environment.get(POLICY_VARIABLE) or DEFAULT_POLICY,
    )
