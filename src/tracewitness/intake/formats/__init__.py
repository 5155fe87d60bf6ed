"""One folder per log format; each has ``detect``, ``read``, ``split`` and a page for readers."""

from tracewitness.intake.format import Format
from tracewitness.intake.formats.agent_tars import FORMAT as AGENT_TARS
from tracewitness.intake.formats.agentlab import FORMAT as AGENTLAB
from tracewitness.intake.formats.androidlab import FORMAT as ANDROIDLAB
from tracewitness.intake.formats.androidworld import FORMAT as ANDROIDWORLD
from tracewitness.intake.formats.anthropic_messages import FORMAT as ANTHROPIC_MESSAGES
from tracewitness.intake.formats.appagent import AppAgentFormat
from tracewitness.intake.formats.atif import FORMAT as ATIF
from tracewitness.intake.formats.browser_use import FORMAT as BROWSER_USE
from tracewitness.intake.formats.claude_code import FORMAT as CLAUDE_CODE
from tracewitness.intake.formats.droidrun import FORMAT as DROIDRUN
from tracewitness.intake.formats.inspect_logs import FORMAT as INSPECT
from tracewitness.intake.formats.langfuse import FORMAT as LANGFUSE
from tracewitness.intake.formats.langsmith import FORMAT as LANGSMITH
from tracewitness.intake.formats.midscene import FORMAT as MIDSCENE
from tracewitness.intake.formats.minitap import FORMAT as MINITAP
from tracewitness.intake.formats.mobile_agent_e import FORMAT as MOBILE_AGENT_E
from tracewitness.intake.formats.mobile_agent_runner import FORMAT as MOBILE_AGENT_RUNNER
from tracewitness.intake.formats.mobile_agent_v3 import FORMAT as MOBILE_AGENT_V3
from tracewitness.intake.formats.mobile_agent_web import FORMAT as MOBILE_AGENT_WEB
from tracewitness.intake.formats.neutral import NeutralFormat
from tracewitness.intake.formats.openai_chat import FORMAT as OPENAI_CHAT
from tracewitness.intake.formats.openai_responses import FORMAT as OPENAI_RESPONSES
from tracewitness.intake.formats.osworld import FORMAT as OSWORLD
from tracewitness.intake.formats.otlp import FORMAT as OTLP
from tracewitness.intake.formats.playwright import FORMAT as PLAYWRIGHT
from tracewitness.intake.formats.swe_agent import FORMAT as SWE_AGENT
from tracewitness.intake.formats.tau2 import FORMAT as TAU2
from tracewitness.intake.formats.tau_bench import FORMAT as TAU_BENCH
from tracewitness.intake.formats.ufo import FORMAT as UFO
from tracewitness.intake.formats.ui_tars_desktop import FORMAT as UI_TARS_DESKTOP
from tracewitness.intake.formats.webvoyager import FORMAT as WEBVOYAGER


def built_in() -> tuple[Format, ...]:
    """Return the formats that come with the package."""
    return (
        AGENT_TARS,
        AGENTLAB,
        ANDROIDLAB,
        ANDROIDWORLD,
        AppAgentFormat(),
        ATIF,
        BROWSER_USE,
        DROIDRUN,
        INSPECT,
        LANGFUSE,
        LANGSMITH,
        MIDSCENE,
        MINITAP,
        MOBILE_AGENT_E,
        MOBILE_AGENT_RUNNER,
        MOBILE_AGENT_V3,
        MOBILE_AGENT_WEB,
        NeutralFormat(),
        OSWORLD,
        OTLP,
        PLAYWRIGHT,
        ANTHROPIC_MESSAGES,
        CLAUDE_CODE,
        OPENAI_CHAT,
        OPENAI_RESPONSES,
        SWE_AGENT,
        TAU2,
        TAU_BENCH,
        UFO,
        UI_TARS_DESKTOP,
        WEBVOYAGER,
    )
