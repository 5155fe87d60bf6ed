"""Policies by name or path."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from tracewitness.policy.parsing import PolicyError, parse_policy
from tracewitness.policy.rules import Policy

_FOLDER = "builtin"
_SUFFIX = ".toml"


class UnknownPolicyError(LookupError):
    """There is no policy of that name, and no file at that path; the text is one line for a person."""


def builtin_names() -> tuple[str, ...]:
    """Return the names of the built-in policies, the default one first."""
    names = sorted(entry.name.removesuffix(_SUFFIX) for entry in _folder().iterdir() if entry.name.endswith(_SUFFIX))
    return tuple(sorted(names, key=lambda name: name != "default"))


def find_policy(name_or_path: str) -> Policy:
    """Return a built-in policy by name, or a user's by the path of its TOML file.

    Raises:
        UnknownPolicyError: There is neither.
        PolicyError: The file is badly written; the error names line and key.
    """
    return parse_policy(policy_text(name_or_path), name_or_path)


def policy_text(name_or_path: str) -> str:
    """Return the TOML of a built-in policy by name, or of a user's by its path.

    Raises:
        UnknownPolicyError: There is neither.
        PolicyError: The file is not UTF-8.
    """
    if name_or_path in builtin_names():
        return _folder().joinpath(name_or_path + _SUFFIX).read_text(encoding="utf-8")
    return read_policy_text(name_or_path)


def read_policy_text(path: str) -> str:
    """Return the text of a user's policy or case file.

    Raises:
        UnknownPolicyError: There is no such file, or it cannot be opened.
        PolicyError: It is not UTF-8.
    """
    try:
        return Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise PolicyError(path, None, "", "not a text in UTF-8") from error
    except IsADirectoryError as error:
        raise UnknownPolicyError(f"{path}: a folder; name a policy file in it, such as mine.toml") from error
    except (OSError, ValueError) as error:
        known = ", ".join(builtin_names())
        raise UnknownPolicyError(f"no policy is called {path!r}, and there is no such file (known: {known})") from error


def builtin_cases(name: str) -> str | None:
    """Return the text of a built-in policy's own cases; None for any other name."""
    if name not in builtin_names():
        return None
    return _folder().joinpath("cases", name + _SUFFIX).read_text(encoding="utf-8")


def policy_by_digest(digest: str, *extra: Policy) -> Policy | None:
    """Return the policy with a digest among the extra ones and the built-in ones; None where it is not at hand."""
    candidates = (*extra, *(find_policy(name) for name in builtin_names()))
    return next((policy for policy in candidates if policy.digest == digest), None)


def _folder() -> Traversable:
    return files("tracewitness.policy").joinpath(_FOLDER)
