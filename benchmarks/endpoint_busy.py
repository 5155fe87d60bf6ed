"""How busy a thousand concurrent calls keep an endpoint.

Run as ``python benchmarks/endpoint_busy.py [--calls 10000] [--latency 10] [--at-once 1000] [--json]``. The endpoint is
the tests' own, in a process of its own; every call takes as long as it says, so with all places taken all the time the
calls would take ``calls * latency / at_once`` seconds. What is left over is the cost of making a call.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "backends")]

from fake_endpoint import FakeEndpoint  # noqa: E402
from scripted_judge import answer  # noqa: E402

from tracewitness.asking.port import Answer  # noqa: E402
from tracewitness.backends.connecting import connect  # noqa: E402
from tracewitness.backends.naming import parse_model_name  # noqa: E402
from tracewitness.backends.options import RemoteOptions  # noqa: E402
from tracewitness.report_side.by_model import claim_question  # noqa: E402
from tracewitness.report_side.report import Report  # noqa: E402


def serve(latency: float) -> None:
    """Serve until standard input ends."""
    with FakeEndpoint(answer, latency=latency) as endpoint:
        print(endpoint.url, flush=True)
        sys.stdin.read()


async def asked(url: str, calls: int, at_once: int) -> float:
    """Return the seconds that so many calls take."""
    connected = await connect(parse_model_name(f"{url}#fake"), RemoteOptions(concurrency=at_once))
    questions = [claim_question(Report(f"Saved file {number}.")) for number in range(calls)]
    started = time.monotonic()
    replies = await asyncio.gather(*(connected.asker.ask(question) for question in questions))
    seconds = time.monotonic() - started
    await connected.aclose()
    assert all(isinstance(reply, Answer) for reply in replies)
    return seconds


def main() -> None:
    """Measure once, and print the share of the time in which the places were taken."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--latency", type=float, default=10.0)
    parser.add_argument("--at-once", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.latency)
        return
    command = [sys.executable, __file__, "--serve", "--latency", str(options.latency)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        seconds = asyncio.run(asked(server.stdout.readline().strip(), options.calls, options.at_once))
        server.communicate()
    ideal = options.calls * options.latency / options.at_once
    told = {"calls": options.calls, "at_once": options.at_once, "ideal_seconds": ideal, "seconds": round(seconds, 1)}
    told["busy"] = round(ideal / seconds, 3)
    print(json.dumps(told) if options.json else f"busy {told['busy']:.1%}: {seconds:.1f} s, ideal {ideal:.1f} s")


if __name__ == "__main__":
    main()
