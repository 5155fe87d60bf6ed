"""All formats are asked for every log, so knowing them costs little: a reader is loaded with the first log it reads."""

import subprocess
import sys

_HEAVY = frozenset({"numpy", "pydantic", "inspect_ai", "PIL", "defusedxml"})


def test_knowing_the_formats_loads_no_reader() -> None:
    code = "import sys; from tracewitness.wiring.formats import known_formats; known_formats(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not _HEAVY & set(loaded)
    within = "tracewitness.intake.formats."
    last_names = {name.rsplit(".", 1)[1] for name in loaded if name.startswith(within)}
    assert not {"read", "retell", "write"} & last_names
