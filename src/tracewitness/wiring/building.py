"""The one place that puts an audit together."""

from tracewitness.auditing.readers import RulesClaimReader, RulesExtractor
from tracewitness.auditing.setup import Setup
from tracewitness.policy.rules import Policy
from tracewitness.policy.table import compile_policy


def rules_setup(policy: Policy, audit_all: bool = False, seconds: float | None = None) -> Setup:
    """Return the setup that audits by rules, with no model. It is what a worker process builds, too.

    ``seconds`` is how long one run may take; see ``Setup``.
    """
    return Setup(RulesClaimReader(), RulesExtractor(), compile_policy(policy), audit_all=audit_all, seconds=seconds)
