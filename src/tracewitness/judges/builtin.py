"""The judges that come with the tool.

All of them are shown the same trace in the same words, so that they differ in what they ask and in what stands beside
the trace, and in nothing else. Their prompts are our own words for what the sources describe.

Sources: AER is the evaluator of "Autonomous Evaluation and Refinement of Digital Agents" (arXiv 2404.06474), here
text-only; WebJudge is that of Online-Mind2Web (arXiv 2504.01382), here over the text of the trace; the browser agent's
judge follows that of browser-use: task, steps and final result.
"""

from tracewitness.findings.labels import TraceState
from tracewitness.judges.judge import Judge
from tracewitness.judges.showing import Showing

_BINARY = {"success": TraceState.COMPLETED, "failure": TraceState.NOT_COMPLETED}
_THREE = {state.value: state for state in (TraceState.COMPLETED, TraceState.NOT_COMPLETED, TraceState.UNKNOWN)}

_JUDGES = (
    Judge(
        "claim-aware",
        "one verdict over task, trace and the agent's report",
        Showing.REPORT,
        "verdict-1.toml",
        "reasoning",
        "verdict",
        _THREE,
    ),
    Judge(
        "prompt-blind",
        "the same judge with the report withheld; no structure",
        Showing.BLIND,
        "verdict-1.toml",
        "reasoning",
        "verdict",
        _THREE,
    ),
    Judge(
        "aer",
        "after AER's text-only evaluator (arXiv 2404.06474): intent, actions, states, response",
        Showing.REPORT,
        "aer-1.toml",
        "thoughts",
        "status",
        _BINARY,
    ),
    Judge(
        "webjudge",
        "after WebJudge (arXiv 2504.01382): key points of the task first, then the trace, without the answer",
        Showing.BLIND,
        "webjudge-1.toml",
        "thoughts",
        "status",
        _BINARY,
        points_file="key-points-1.toml",
    ),
    Judge(
        "browser-agent",
        "after browser-use's judge: task, steps and final result",
        Showing.REPORT,
        "browser-agent-1.toml",
        "reasoning",
        "verdict",
        _BINARY,
        flags=("impossible_task", "reached_captcha"),
    ),
)

JUDGES = {judge.name: judge for judge in _JUDGES}
"""The judges by name."""
