"""Of the words in code that an agent runs, those that are only said are taken out, and what is written stays."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from timing import processor_seconds
from tracewitness.intake.code.arguments import bare_arguments
from tracewitness.intake.code.languages import bare_text
from tracewitness.intake.code.printed import without_printed

SAID = "the order was placed and all is well"

PYTHON_SAID = {
    "comment": "# {0}\nclick(1)",
    "comment behind code": "click(1)  # {0}",
    "docstring": "def go():\n    '''{0}'''\n    click(1)\ngo()",
    "class docstring": "class A:\n    '''{0}'''\n    x = 1\nclick(A.x)",
    "text alone": "click(1)\n'{0}'",
    "text with a value alone": "click(1)\nf'{0} {{n}}'",
    "print": "print('{0}')\nclick(1)",
    "print of a value": "print('{0}', rows)",
    "f-string": "print(f'{0} {{rows}}')",
    "format": "print('{0} {{}}'.format(rows))",
    "percent": "print('{0} %s' % rows)",
    "join": "print(' '.join(['{0}', rows]))",
    "upper": "print('{0}'.upper(), rows)",
    "concatenated": "print('{0}' + str(rows))",
    "json": "print(json.dumps({{'status': '{0}', 'n': rows}}))",
    "stdout": "sys.stdout.write('{0}')",
    "stderr": "print('{0}', file=sys.stderr)",
    "logging": "import logging\nlogging.warning('{0} %s', rows)",
    "own logger": "self.logger.info('{0}')\nclick(1)",
    "raise": "raise ValueError('{0}')",
    "raise a text with a value": "raise RuntimeError(f'{0} {{rows}}')",
    "assert": "assert ok, '{0}'",
    "exit": "import sys\nsys.exit('{0}')",
    "in a branch": "if rows:\n    print('{0}')\nelse:\n    click(1)",
    "in a handler": "try:\n    click(1)\nexcept Exception as e:\n    print('{0}', e)",
    "variable": "text = '{0}'\nprint(text)",
    "variable by way of another": "a = '{0}'\nb = a + rows\nprint(b)",
    "added to a variable": "out = ''\nout += '{0}'\nprint(out)",
    "list": "lines = []\nlines.append('{0}')\nprint(lines)",
    "dict": "found = {{}}\nfound['note'] = '{0}'\nprint(found)",
    "loop": "for line in ['{0}', 'b']:\n    print(line)",
    "unpacked": "a, b = '{0}', 3\nprint(a)\nclick(b)",
    "walrus": "print(a := '{0}')",
    "own function": "def tell(m):\n    print(m)\ntell('{0}')\nclick(1)",
    "own function by keyword": "def tell(m, n=1):\n    print(m)\ntell(m='{0}')",
    "result of a function": "def go():\n    click(1)\n    return '{0}'\ngo()",
    "result that is printed": "def go():\n    if ok:\n        return '{0}'\n    return rows\nprint(go())",
    "lambda": "tell = lambda: '{0}'\nprint(tell())",
    "explaining variable": "thought = '{0}'\nclick(1)",
    "annotation": "x: '{0}' = 3\nclick(x)",
    "bytes": "text = b'{0}'\nprint(text)",
    "final answer": "final_answer('{0}')",
    "dialog": "pyautogui.alert('{0}')",
    "end": "computer.terminate(status='success', answer='{0}')",
    "description of a click": "pyautogui.click(1, 2, description='{0}')",
    "shell": "import os\nos.system('echo \"{0}\"; ls')",
    "page": "page.evaluate('() => {{ console.log(\"{0}\"); go() }}')",
    "awaited": "await page.click('#a')\nprint('{0}')",
    "magic": "!pip install x\nprint('{0}')",
    "shell of a notebook": "!echo '{0}'\nclick(1)",
    "cell of a shell": "%%bash\necho '{0}'\nls",
    "Python 2": "print '{0}'\nclick(1)",
    "prose ahead": "I will go on, {0}\nclick(1)",
    "never closed": "click(1)\nprint('{0}'",
    "line ends of Windows": "if ok:\r\n    print('{0}')\r\n    click(1)",
    "indented": "    # {0}\n    click(1)",
    "one line": "click(1); print('{0}'); click(2)",
}
SHELL_SAID = {
    "comment": "# {0}\nls",
    "comment behind": "ls # {0}",
    "echo": "echo '{0}'",
    "echo of words": "echo {0}",
    "echo -e": 'echo -e "\\n{0}"',
    "printf": "printf '%s\\n' '{0}'",
    "to the errors": "echo '{0}' >&2",
    "thrown away": "echo '{0}' > /dev/null",
    "in a list": "ls && echo '{0}' || echo '{0}'",
    "with a value": 'echo "{0} $(cat f) $HOME"',
    "inside a value": 'echo "$(echo {0}; cat f)"',
    "printed by cat": "echo '{0}' | cat",
    "here-document that is printed": "cat <<'EOF'\n{0}\nEOF\nls",
    "here-document that nothing reads": ": <<'X'\n{0}\nX\nls",
    "in a branch": "if grep -q x f; then echo '{0}'; else exit 1; fi",
    "in a loop": "for f in a b; do echo '{0}' $f; done",
    "in a case": "case x in a) echo '{0}';; esac",
    "variable": "MSG='{0}'; echo $MSG",
    "own function": "log() {{ echo \"$1\"; }}\nlog '{0}'\nls",
    "shell in a shell": "bash -lc 'echo \"{0}\"; ls'",
    "python in a shell": "python3 -c \"print('{0}')\"",
    "python in a here-document": "python3 - <<'EOF'\n# {0}\nopen('f').read()\nEOF",
    "node in a shell": "node -e \"console.log('{0}')\"",
    "never closed": "echo '{0}",
    "line ends of Windows": "ls\r\n# {0}\r\npwd",
    "PowerShell": 'Get-ChildItem; Write-Host "{0}"',
    "PowerShell comment": "<# {0} #>\nGet-Item x",
    "PowerShell error": "Get-Item x\nthrow '{0}'",
}
JAVASCRIPT_SAID = {
    "comment": "// {0}\ngo()",
    "block": "/* {0} */ go()",
    "console": "console.log('{0}', a.b)",
    "template": "console.log(`{0} ${{a.b}} x`)",
    "dialog": 'alert("{0}")',
    "error": "throw new Error('{0}')",
    "returned": "() => {{ go(); return '{0}'; }}",
    "returned in a branch": "(() => {{ if (!a) return '{0}'; return a.textContent }})()",
    "returned in an object": "() => {{ return {{ok: true, message: '{0}', t: a.textContent}} }}",
    "arrow": "() => '{0}'",
    "alone": "go(); '{0}'",
    "variable": "const m = '{0}';\nconsole.log(m);",
    "by a condition": "return a ? '{0}' : a.textContent",
}
PYTHON_WRITTEN = {
    "typed": "type(text='{0}')",
    "typed by way of a variable": "text = '{0}'\nprint(text)\ntype(text)",
    "typed by way of two": "a = '{0}'\nb = f'{{a}} x'\nprint(a)\ntype(b)",
    "typed by a function": "def fill(t):\n    print(t)\n    type(t)\nfill('{0}')",
    "typed by default": "def fill(a, t='{0}'):\n    type(t)\nfill(1)",
    "typed in a loop": "for line in ['{0}', 'b']:\n    type(line)",
    "returned and typed": "def body():\n    return '{0}'\ntype(body())",
    "file": "with open('a', 'w') as f:\n    f.write('{0}')\nprint('x')",
    "print into a file": "print('{0}', file=open('a', 'w'))",
    "sheet": "ws = book.active\nws['A1'] = '{0}'\nbook.save('x')",
    "row of a sheet": "ws = book.active\nws.append(['{0}'])\nbook.save('x')",
    "cell": "cell.value = '{0}'",
    "notes of a contact": "contact.notes = '{0}'\ncontact.save()",
    "request": "requests.post(url, json={{'note': '{0}'}})",
    "SQL": "db.execute(\"INSERT INTO t VALUES ('{0}')\")\nprint('x')",
    "list that is stored": "rows = []\nrows.append('{0}')\njson.dump(rows, f)",
    "class": "class Form:\n    text = '{0}'\ntype(Form.text)",
    "compared": "if page.title() == '{0}':\n    click(1)",
    "expected": "want = '{0}'\nif want in page.text:\n    click(1)",
    "read and printed": "print(open('{0}').read())",
    "column": "print(rows['{0}'])",
    "input of another language": "input(5, '{0}')",
    "for a later cell": "body = '{0}'",
    "by its name": "text = '{0}'\nexec('type(text)')",
}
SHELL_WRITTEN = {
    "file": "echo '{0}' > f",
    "appended": "echo '{0}' >> f",
    "tee": "echo '{0}' | tee f",
    "group": "{{ echo '{0}'; ls; }} > f",
    "subshell": "(echo '{0}') > f",
    "loop": "for f in a; do echo '{0}'; done > f",
    "case in a group": "{{ case x in a) echo '{0}';; esac; }} > f",
    "function": "head() {{ echo '{0}'; }}\nhead > f",
    "all of it": "exec > f\necho '{0}'",
    "value of a command": "x=$(echo '{0}'); mail $x",
    "variable": 'MSG="{0}"; echo $MSG > f; echo $MSG',
    "here-document": "cat <<EOF > f\n{0}\n\n# x\nEOF",
    "here-document with tabs": "cat > f <<-EOF\n\t{0}\n\tEOF",
    "commit": "git commit -m '{0}'",
    "request": 'curl -d \'{{"note": "{0}"}}\' http://x/#a',
    "python in a shell": "python3 -c \"open('f','w').write('{0}')\"",
    "PowerShell": "Write-Output '{0}' > f; Get-Item f",
    "PowerShell content": "Set-Content f '{0}'",
}
JAVASCRIPT_WRITTEN = {
    "value": "a.value = '{0}'; go()",
    "filled": "await page.fill('#a', '{0}'); console.log('x')",
    "request": "fetch('http://x//y', {{body: JSON.stringify({{note: '{0}'}})}})",
    "variable": "const m = '{0}'; fill(m); console.log(m)",
    "selector": "console.log(document.querySelector('{0}').innerText)",
    "compared": "return a.textContent === f('{0}')",
    "inner function": "els.map(e => {{ return '{0}' + e.id }}).forEach(fill)",
}


def _cases(table: dict[str, dict[str, str]]) -> list[object]:
    return [
        pytest.param(language, code, id=f"{language} {name}")
        for language, codes in table.items()
        for name, code in codes.items()
    ]


ALL_SAID = _cases({"python": PYTHON_SAID, "shell": SHELL_SAID, "javascript": JAVASCRIPT_SAID})
ALL_WRITTEN = _cases({"python": PYTHON_WRITTEN, "shell": SHELL_WRITTEN, "javascript": JAVASCRIPT_WRITTEN})


@pytest.mark.parametrize(("language", "code"), ALL_SAID)
def test_what_is_only_said_is_taken_out_and_kept_as_words(language: str, code: str) -> None:
    bare = bare_text(code.format(SAID), language)
    assert SAID.split()[1] not in bare.text
    assert SAID in "\n".join(bare.words)


@pytest.mark.parametrize(("language", "code"), ALL_SAID)
def test_what_is_left_does_not_depend_on_the_words(language: str, code: str) -> None:
    assert (
        bare_text(code.format(SAID), language).text
        == bare_text(code.format("nothing came of it, sadly"), language).text
    )


@pytest.mark.parametrize(("language", "code"), ALL_WRITTEN)
def test_what_is_written_stays(language: str, code: str) -> None:
    assert SAID in bare_text(code.format(SAID), language).text


PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n", exclude_categories=["Cs"]), min_size=1)
SPACES = st.sampled_from(["", " ", "  ", "\t"])


@given(PLAIN, SPACES, SPACES, st.sampled_from(["print", "log.info", "raise ValueError", "sys.exit", "warnings.warn"]))
@example("'\"\\", "", " ", "print")
def test_python_says_nothing_however_it_is_written(words: str, before: str, after: str, says: str) -> None:
    canary, written = f"{words} zqcanary", f"{words} zqtyped"
    code = f"if ok:\n  {says}({before}{canary!r}{after})\n  # {'zqcanary'}{after}\n\n  type({before}{written!r})"
    bare = bare_text(code, "python")
    assert "zqcanary" not in bare.text
    assert repr(written) in bare.text


@given(
    st.text(st.characters(codec="ascii", exclude_characters="'\0\r")),
    st.sampled_from(["python", "shell", "javascript"]),
)
@example("$(", "shell")
@example("<<E\n", "shell")
@example("`${`${", "javascript")
def test_any_text_is_read_and_one_without_words_is_the_same(text: str, language: str) -> None:
    bare = bare_text(text, language)
    assert bare.words or bare.text == text


@given(st.text(st.characters(codec="ascii", exclude_characters="'\0\r\\")), SPACES)
def test_what_a_shell_writes_into_a_file_stays(words: str, space: str) -> None:
    told = bare_text(f"echo '{words}'{space}> f # zqcanary\necho 'zqcanary {words}'", "shell")
    assert f"'{words}'{space}> f" in told.text
    assert "zqcanary" not in told.text


@pytest.mark.parametrize("language", ["python", "shell", "javascript", "powershell", "any"])
@pytest.mark.parametrize(
    "piece",
    ["# a\n", "echo 'a b'\n", "a='b'\n", "(", "$(", "{", "`", "${", "'", '"', "<<E\n", "print('a');", "f(", "`${"],
)
def test_code_is_read_in_a_time_that_grows_with_its_length(language: str, piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece)) + str(length)
        return processor_seconds(lambda: bare_text(text, language))

    assert seconds(160_000) < 12 * max(seconds(40_000), 0.05)


@pytest.mark.parametrize(
    ("tool", "arguments", "shown"),
    [
        ("python", {"code": f"print('{SAID}')\nclick(1)"}, {"code": "click(1)"}),
        ("ipython", {"command": f"# {SAID}\nls()"}, {"command": "ls()"}),
        ("Bash", {"command": f"ls # {SAID}"}, {"command": "ls"}),
        ("exec_command", {"cmd": f"ls; echo {SAID}"}, {"cmd": "ls; echo"}),
        ("shell", {"command": ["bash", "-lc", f"ls # {SAID}"]}, {"command": ["bash", "-lc", "ls"]}),
        ("shell", {"command": ["echo", SAID]}, {"command": ["echo"]}),
        ("run", {"language": "bash", "code": f"# {SAID}\nls"}, {"language": "bash", "code": "ls"}),
        ("execute", {"code": [f"# {SAID}\n", "click(1)\n"]}, {"code": ["click(1)"]}),
        ("browser_evaluate", {"function": f"() => '{SAID}'"}, {"function": "() => ''"}),
        ("mcp__x__run", {"args": {"script": f"// {SAID}\ngo()"}}, {"args": {"script": "\ngo()"}}),
    ],
)
def test_code_is_known_by_tool_and_argument(tool: str, arguments: dict[str, object], shown: dict[str, object]) -> None:
    bare, said = bare_arguments(tool, arguments)
    assert bare == shown
    assert SAID in "\n".join(word for _, words in said for word in words)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write_file", {"path": "a.py", "content": f"# {SAID}"}),
        ("create_script", {"path": "a.py", "code": f"# {SAID}"}),
        ("NotebookEdit", {"notebook_path": "a", "source_code": f"# {SAID}"}),
        ("str_replace_editor", {"command": "create", "path": "a", "file_text": f"# {SAID}"}),
        ("send_message", {"text": f"# {SAID}"}),
        ("apply_coupon", {"code": f"it is {SAID}"}),
        ("post", {"command": f"/invite #{SAID}"}),
    ],
)
def test_what_is_no_code_or_is_written_somewhere_stays(tool: str, arguments: dict[str, object]) -> None:
    assert bare_arguments(tool, arguments) == (arguments, ())


@pytest.mark.parametrize("printed", [SAID, SAID.upper(), json.dumps({"stdout": f"{SAID}\n", "code": 0}), f"1 {SAID} 2"])
def test_what_was_printed_is_taken_out_of_the_answer(printed: str) -> None:
    told = without_printed(f"first\n{printed}\nlast 42", [SAID])
    assert "placed" not in told.lower()
    assert told.startswith("first\n")
    assert told.endswith("last 42")


def test_a_short_word_is_taken_out_where_it_is_the_whole_line() -> None:
    assert without_printed("Done\nDone: 3 files\n", ["Done"]) == "Done: 3 files"
    assert without_printed("Done\n\nDone: 3 files\n", []) == "Done\n\nDone: 3 files\n"


def test_the_values_in_a_printed_text_stay() -> None:
    assert without_printed("The order 42 was placed at last", ["The order {} was placed at last"]) == " 42 "


def test_an_answer_with_more_texts_than_can_be_looked_for_is_left_out() -> None:
    assert without_printed("x" * 100_000, [f"text number {at} of many" for at in range(3_000)]) == ""
