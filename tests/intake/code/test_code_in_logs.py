"""Code of all kinds in whole logs: it and its output show what it writes, and nothing that it only says."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import the_run, write_json

from tracewitness.trace_side.trace import Trace

SAID, DONE = "the order was placed", "写好了一切都好"
TYPED, SHOWN = "Dear Ann, ring me", "total 3 files"

CODE: dict[str, tuple[str, dict[str, Any]]] = {
    "cell with magics": (
        "ipython",
        {"code": f"%matplotlib inline\n!echo '{SAID}' && ls\n%cd /tmp\n# {DONE}\nmail.send('{TYPED}')\nmail?\n"},
    ),
    "cell of a shell": ("jupyter", {"code": f"%%bash\nset -e\necho '{SAID}'\ncat > f <<EOF\n{TYPED}\nEOF\n# {DONE}"}),
    "lines of a notebook": (
        "execute_cell",
        {"code": [f"# {SAID}\n", f"text = '{TYPED}'\n", "mail.send(text)\n", f"print('{DONE}', text)"]},
    ),
    "top-level await": ("python", {"code": f"await page.fill('#a', '{TYPED}')\nprint('{SAID}'); '{DONE}'"}),
    "decorators and classes": (
        "python",
        {
            "code": f"@app.task(name='x')\nclass A:\n    '''{SAID}'''\n    @property\n    def go(self):\n"
            f"        '''{DONE}'''\n        return send('{TYPED}')\nA().go"
        },
    ),
    "bytes": (
        "python",
        {"code": f"sock.send({TYPED!r}.encode())\nsys.stdout.buffer\nprint({DONE.encode()!r})\n# {SAID}"},
    ),
    "nested quoting": (
        "python",
        {
            "code": f'print(\'\'\'{SAID}\'\'\', "it\'s")\nmail.send("""{TYPED}""")\n'
            f"print(f\"{{'{DONE}'}} {{x!r:>{{n}}}}\")"
        },
    ),
    "a mistake": ("python", {"code": f"mail.send('{TYPED}')\nif x\n    print('{SAID}')\n# {DONE}"}),
    "Python 2": ("python", {"code": f"print '{SAID}'\nprint >>sys.stderr, '{DONE}'\nopen('f', 'w').write('{TYPED}')"}),
    "line ends of Windows": (
        "python",
        {"code": f"if 1:\r\n\tprint('{SAID}')\r\n\tmail.send('{TYPED}')\r\n# {DONE}\r\n"},
    ),
    "one line": (
        "python",
        {"code": ";".join([f"print('{SAID}')"] * 300 + [f"mail.send('{TYPED}')", f"print('{DONE}')"])},
    ),
    "comprehension": (
        "python",
        {"code": f"[mail.send(t) for t in ['{TYPED}']]\n[print(s) for s in ['{SAID}', '{DONE}']]"},
    ),
    "match": (
        "python",
        {
            "code": f"match mail.send('{TYPED}'):\n    case 1:\n        print('{SAID}')\n"
            f"    case _:\n        raise X('{DONE}')"
        },
    ),
    "bash script": (
        "Bash",
        {
            "command": f'#!/bin/bash\nset -euo pipefail\nlog() {{ printf \'[%s] %s\\n\' "$(date)" "$1"; }}\n'
            f"log '{SAID}'\nfor i in 1 2; do\n  echo \"{DONE} $i\" >&2\ndone\nprintf '%s' '{TYPED}' >> notes.txt",
            "description": SAID,
        },
    ),
    "here-documents": (
        "execute_bash",
        {
            "command": f"cat <<'A' <<-B > f\n# no\nA\n\t{TYPED}\n\tB\n"
            f"cat <<EOF\n{SAID}\nEOF\npython - <<P\n# {DONE}\ngo()\nP"
        },
    ),
    "a shell in a shell": (
        "exec_command",
        {"cmd": ["bash", "-lc", f"sh -c 'echo \"{SAID}\"' ; mail -s '{TYPED}' ann # {DONE}"]},
    ),
    "PowerShell": (
        "powershell",
        {"command": f'Write-Host "{SAID} $env:USER" -ForegroundColor Green\n# {DONE}\nSet-Content a.txt "{TYPED}"'},
    ),
    "cmd of Windows": ("run_command", {"command": f"rem {SAID}\r\necho {DONE}\r\necho {TYPED}> a.txt"}),
    "script for a page": (
        "browser_evaluate",
        {
            "function": f"async () => {{ /* {DONE} */ const el = document.querySelector('#a');\n"
            f"  el.value = '{TYPED}';\n"
            f"  return el ? `{SAID} ${{el.value}}` : 'none of it' }}"
        },
    ),
    "Playwright": (
        "playwright_execute",
        {"script": f"await page.fill('#a', '{TYPED}'); // {SAID}\nconsole.log('{DONE}');\nthrow new Error(`{SAID}`)"},
    ),
    "AppleScript": ("osascript", {"script": f'-- {SAID}\ntell app "Mail" to send "{TYPED}"\n(* {DONE} *)'}),
    "SQL": ("run_sql", {"code": f"-- {SAID}\nINSERT INTO t VALUES ('{TYPED}'); /* {DONE} */"}),
    "R": ("execute_r", {"code": f"# {SAID}\nwriteLines('{TYPED}', 'f')\nprint('{DONE}')"}),
}


def chat(tool: str, arguments: dict[str, Any], output: str) -> list[dict[str, Any]]:
    call = {"id": "c1", "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
    return [
        {"role": "user", "content": "Write to Ann"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": output},
        {"role": "assistant", "content": "It is sent."},
    ]


@pytest.mark.parametrize(("tool", "arguments"), CODE.values(), ids=CODE)
def test_a_log_shows_what_code_writes_and_not_what_it_says(
    tool: str, arguments: dict[str, Any], tmp_path: Path
) -> None:
    output = f"{SAID}\n{SHOWN}\n{DONE}\n"
    run = the_run(write_json(tmp_path / "chat.json", chat(tool, arguments, output)))
    shown = repr((run.task, run.trace))
    assert SAID not in shown
    assert DONE not in shown
    assert TYPED in shown
    assert SHOWN in shown
    assert {one.where.partition(".")[0] for one in run.stripped} >= {"messages[1]", "messages[2]"}


@pytest.mark.parametrize(("tool", "arguments"), CODE.values(), ids=CODE)
def test_other_words_in_code_leave_the_trace_as_it_is(tool: str, arguments: dict[str, Any], tmp_path: Path) -> None:
    traces = list[Trace]()
    for at, (said, done) in enumerate(((SAID, DONE), ("nothing came of it", "什么都没有写成"))):
        told = json.loads(
            json.dumps(arguments).replace(SAID, said).replace(json.dumps(DONE)[1:-1], json.dumps(done)[1:-1])
        )
        told = json.loads(json.dumps(told).replace(str(DONE.encode())[2:-1].replace("\\", "\\\\"), done))
        log = write_json(tmp_path / f"{at}.json", chat(tool, told, f"{said}\n{SHOWN}\n{done}\n"))
        traces.append(the_run(log).trace)
    assert traces[0] == traces[1]
