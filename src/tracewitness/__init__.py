"""tracewitness checks what an AI agent says about its own run against the recorded trace.

The public names are those in ``__all__``. They are loaded when they are first used, so that importing the package costs
nothing.
"""

from typing import TYPE_CHECKING, Any

from tracewitness.version import __version__

if TYPE_CHECKING:
    from tracewitness.api import audit, audit_async
    from tracewitness.auditing.explain import Explanation
    from tracewitness.auditing.results import AuditBatch, AuditInputError, AuditResult
    from tracewitness.wiring.choices import ModelChoice

__all__ = [
    "AuditBatch",
    "AuditInputError",
    "AuditResult",
    "Explanation",
    "ModelChoice",
    "__version__",
    "audit",
    "audit_async",
]


def __getattr__(name: str) -> Any:
    match name:
        case "audit" | "audit_async":
            from tracewitness import api as home  # noqa: PLC0415
        case "AuditBatch" | "AuditInputError" | "AuditResult":
            from tracewitness.auditing import results as home  # noqa: PLC0415
        case "Explanation":
            from tracewitness.auditing import explain as home  # noqa: PLC0415
        case "ModelChoice":
            from tracewitness.wiring import choices as home  # noqa: PLC0415
        case _:
            raise AttributeError(f"module 'tracewitness' has no attribute {name!r}")
    return getattr(home, name)


def __dir__() -> list[str]:
    return sorted(__all__)
