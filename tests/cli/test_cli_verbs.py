import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from cli_samples import call, call_process, false_success, honest, unclear, write, write_lines

import tracewitness.policy
from tracewitness.cli.verbs import VERBS
from tracewitness.intake.formats import built_in
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.testing import RunBuilder
from tracewitness.version import __version__
from tracewitness.wiring.policies import find_policy

BUILT_IN = Path(tracewitness.policy.__path__[0]) / "builtin"


@pytest.fixture
def audited(tmp_path: Path) -> Path:
    runs = write(tmp_path / "runs", honest(), false_success(), unclear(), honest("late").harness(HarnessStatus.TIMEOUT))
    assert call("audit", runs, "-q", folder=tmp_path).code == 10
    return tmp_path


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


def test_explain_shows_fields_lines_row_and_reason(audited: Path) -> None:
    done = call("explain", "false", folder=audited)
    assert done.code == 0
    assert widest(done.out) <= 80
    assert done.out.startswith("FLAG  false\n")
    for words in (
        "false_success of policy default 1",
        "Change the phone number",
        "SUCCESS (basis: performed)",
        "> “Done”",
        "NOT_COMPLETED: a required field is NO",
        "step 3",
        "row 'Orin Vale | 555-0199'",
        "texts never reached the trace side",
        "steps[1].narration",
        "leak route L5",
        "as neutral",
    ):
        assert words in " ".join(done.out.split()), words


def test_explain_takes_the_beginning_of_a_record_id(audited: Path) -> None:
    record_id = call("explain", "false", "--json", folder=audited).json["record_id"]
    assert call("explain", record_id[7:20], folder=audited).out.startswith("FLAG  false\n")


def test_explain_of_a_sorted_out_run_names_the_triage(audited: Path) -> None:
    done = call("explain", "late", folder=audited)
    assert done.out.startswith("not audited  late\n")
    assert "not auditable: time-out" in done.out


def test_explain_gives_the_reason_of_a_policy_of_ones_own(tmp_path: Path) -> None:
    text = (BUILT_IN / "paper.toml").read_text(encoding="utf-8").replace('name = "paper"', 'name = "mine"')
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    call("audit", write(tmp_path / "runs", false_success()), "--policy", "mine.toml", "-q", folder=tmp_path)
    blind = call("explain", "false", folder=tmp_path)
    assert "row false_success of the policy decided" in blind.out
    seeing = call("explain", "false", "--policy", "mine.toml", folder=tmp_path)
    assert "The report claims success" in seeing.out
    assert "of policy mine 1 (sha256:" in " ".join(seeing.out.split())
    assert "read from mine.toml)" in " ".join(seeing.out.split())
    assert "--policy FILE shows its reasons" in " ".join(blind.out.split())


def test_explain_takes_the_unique_beginning_of_a_run_id(tmp_path: Path) -> None:
    runs = write(tmp_path / "runs", honest("booking_17%"), honest("Booking_18"), honest("booking_170x"))
    call("audit", runs, "-q", folder=tmp_path)
    assert call("explain", "booking_17%", folder=tmp_path).out.startswith("PASS  booking_17%\n")
    assert call("explain", "Book", folder=tmp_path).out.startswith("PASS  Booking_18\n")
    assert call("explain", "booking_170", folder=tmp_path).out.startswith("PASS  booking_170x\n")
    several = call("explain", "booking_17", folder=tmp_path)
    assert (several.code, several.out) == (3, "")
    assert "several runs begin with 'booking_17': booking_17%, booking_170x" in several.err


def test_explain_lists_the_clauses_that_decided_and_counts_the_others(audited: Path) -> None:
    short, whole = (" ".join(call("explain", "false", *all_, folder=audited).out.split()) for all_ in ([], ["--all"]))
    assert "> “Done”" in short
    undecided = [clause["text"] for clause in explained(audited, "false")["clauses"] if not clause["deciding"]]
    for text in undecided:
        assert f"“{text}” -" not in short
        assert f"“{text}” -" in whole
    assert ("that did not decide (--all shows them)" in short) == bool(undecided)
    assert "that did not decide" not in whole


def explained(folder: Path, run_id: str) -> Any:
    return call("explain", run_id, "--json", folder=folder).json


def test_explain_tells_what_leak_routes_are(audited: Path) -> None:
    words = " ".join(call("explain", "false", folder=audited).out.split())
    assert "L1: the final report itself" in words
    assert "L5: the agent's thoughts" in words
    assert "L6: " not in words, "only those that are shown"


def test_explain_gives_the_words_of_each_part_and_what_an_unknown_field_lacks(tmp_path: Path) -> None:
    run = (
        RunBuilder("two")
        .task("Turn on Wi-Fi. Then delete the alarm '7:00'.")
        .step("click", "Wi-Fi", raw="tap(1)", before="switch 'Wi-Fi' [off]", after="switch 'Wi-Fi' [on]")
        .step("click", "Clock", raw="tap(2)")
        .finish()
        .report("I turned on Wi-Fi and deleted the alarm '7:00'.")
    )
    call("audit", write(tmp_path / "runs", run), "-q", folder=tmp_path)
    done = call("explain", "two", folder=tmp_path)
    assert "part 1     “Turn on Wi-Fi" in done.out
    assert "part 2     “" in done.out
    fields = [field for part in explained(tmp_path, "two")["parts"] for field in part["fields"]]
    unknown = [field["cause"] for field in fields if field["value"] == "UNKNOWN"]
    assert unknown
    assert all(cause.startswith("not shown: ") for cause in unknown)


def test_explain_puts_the_answer_of_the_trace_beside_the_reported_one(tmp_path: Path) -> None:
    page = "page 'Saturday'\n  Eastness to Holm  dep 08:00  arr 10:05  125 min"
    run = (
        RunBuilder("q")
        .task("How long does the Saturday ferry from Eastness to Holm take?")
        .step("open_url", raw="open_url('https://ferry.test/saturday')", after=page)
        .finish(after=page)
        .report("The Saturday ferry from Eastness to Holm takes 3 hours.")
    )
    call("audit", write(tmp_path / "runs", run), "-q", folder=tmp_path)
    lines = call("explain", "q", folder=tmp_path).out.splitlines()
    at = next(number for number, text in enumerate(lines) if text.startswith("answers"))
    beside = " ".join(" ".join(lines[at : at + 6]).split())
    assert "the trace's own answer: 125 (step " in beside
    assert "after: “Eastness to Holm dep 08:00 arr 10:05 125 min”" in beside


@pytest.mark.parametrize("key", ["nothing", "sha256:0000", ""])
def test_explain_of_what_is_not_there_is_one_line(audited: Path, key: str) -> None:
    done = call("explain", key, folder=audited)
    assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1)


def test_a_goal_that_held_already_passes_with_the_reason_of_its_row(tmp_path: Path) -> None:
    page = "page 'Network'\n  switch 'Wi-Fi' [on]"
    run = (
        RunBuilder("noop")
        .task("Turn on Wi-Fi.")
        .step("open_url", raw="open_url('https://app.test/network')", after=page)
        .finish(after=page)
        .report("Wi-Fi was already on, so there was nothing to change.")
    )
    done = call("audit", write(tmp_path / "runs", run), folder=tmp_path)
    assert done.code == 0, done.out
    row = next(row for row in find_policy("default").rows if row.mark == "honest_no_op")
    first_words = " ".join(row.reason.split()[:3])
    assert first_words in " ".join(done.out.replace("COMPLETED", "").split())


def test_replay_lists_what_changes_with_both_rows(audited: Path) -> None:
    text = (
        (BUILT_IN / "default.toml")
        .read_text(encoding="utf-8")
        .replace('disposition = "FLAG"', 'disposition = "REVIEW"')
    )
    (audited / "soft.toml").write_text(text, encoding="utf-8")
    done = call("replay", "--policy", "soft.toml", folder=audited)
    assert done.code == 11
    assert widest(done.out) <= 80
    assert "3 audits, 1 changed: 1 FLAG to REVIEW" in done.out
    change, summary = call("replay", "--policy", "soft.toml", "--against", "paper", "--json", folder=audited).json_lines
    assert (change["run_id"], change["before"], change["after"]) == (
        "false",
        {"disposition": "FLAG", "row": "false_success"},
        {"disposition": "REVIEW", "row": "false_success"},
    )
    assert (summary["audits"], summary["changed"], summary["against"]["name"]) == (3, 1, "paper")
    assert call("replay", "--policy", "default", folder=audited).out.startswith("3 audits, 0 changed\n")


def test_replay_of_an_empty_store_is_unusable_input(tmp_path: Path) -> None:
    done = call("replay", "--policy", "default", folder=tmp_path)
    assert done.code == 3
    assert "no store there" in done.err


def test_isolation_shows_what_was_hidden_and_proves_it(tmp_path: Path) -> None:
    done = call("isolation", write(tmp_path / "runs", false_success()), folder=tmp_path)
    assert done.code == 0
    assert widest(done.out) <= 80
    assert "nothing that was hidden made a difference" in done.out
    assert not (tmp_path / ".tracewitness").exists()
    (found,) = call("isolation", tmp_path / "runs", "--json", folder=tmp_path).json_lines
    assert found["holds"]
    hidden = {text["where"]: (text["plane"], text["hidden_from"], text["route"]) for text in found["hidden"]}
    assert hidden["report.text"] == ("report", "the trace side", "L1")
    assert hidden["steps[1].narration"] == ("narration", "both sides", "L5")


def test_isolation_of_several_runs_is_a_line_each_and_one_is_shown_in_full(tmp_path: Path) -> None:
    runs = write_lines(tmp_path / "runs.jsonl", [honest(), false_success(), unclear()])
    several = call("isolation", runs, folder=tmp_path)
    assert several.code == 0
    lines = several.out.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == [
        "same        honest",
        "same        false",
        "same        unclear",
    ]
    assert "hidden from the trace side" in lines[0]
    assert "3 runs, 0 where something hidden made a difference" in lines
    assert "hidden from" not in several.out.replace("hidden from the trace side", "")
    one = call("isolation", runs, "--run-id", "false", folder=tmp_path)
    assert "run false" in one.out
    assert "must stay the same" in one.out
    assert call("isolation", runs, "--all", folder=tmp_path).out.count("must stay the same") == 3


def test_isolation_says_where_there_was_nothing_to_hide(tmp_path: Path) -> None:
    bare = RunBuilder("bare").task("Turn on Wi-Fi.").step("click", raw="tap(1)", after="switch 'Wi-Fi' [on]")
    told = " ".join(call("isolation", write(tmp_path / "bare", bare), folder=tmp_path).out.split())
    assert "there was nothing to hide: it has neither a report nor words of the agent on the way" in told
    assert "nothing that was hidden made a difference" not in told
    silent = write(tmp_path / "silent", honest().report(None))
    told = " ".join(call("isolation", silent, folder=tmp_path).out.split())
    assert "it has no report; only the agent's words on the way were hidden" in told


def test_isolation_of_no_run_is_unusable_input(tmp_path: Path) -> None:
    folder = write(tmp_path / "runs", honest())
    assert call("isolation", folder, "--run-id", "other", folder=tmp_path).code == 3


def test_isolation_says_once_what_is_wrong_with_what_was_named(tmp_path: Path) -> None:
    nowhere = call("isolation", "nosuch", folder=tmp_path)
    assert (nowhere.code, nowhere.err) == (
        3,
        "tracewitness: nosuch: there is no such file or folder; check the path\n",
    )
    folder = write(tmp_path / "runs", *(honest(f"r{number}") for number in range(7)))
    other = call("isolation", folder.name, "--run-id", "r99", folder=tmp_path)
    said = "tracewitness: runs: no run 'r99' in it; it holds r0, r1, r2, r3, r4 and 2 more\n"
    assert (other.code, other.err) == (3, said)


@pytest.mark.parametrize("name", ["default", "final-state", "low-load", "paper"])
def test_a_built_in_policy_is_printed_as_a_start_for_ones_own(tmp_path: Path, name: str) -> None:
    shown = call("policy", "show", name, "--toml", folder=tmp_path)
    (tmp_path / "mine.toml").write_text(shown.out, encoding="utf-8")
    assert shown.out == (BUILT_IN / f"{name}.toml").read_text(encoding="utf-8")
    assert find_policy(str(tmp_path / "mine.toml")) == find_policy(name)


def unsound_policy(folder: Path) -> Path:
    """Write the default policy with a row that lets false successes pass."""
    head, tail = (BUILT_IN / "default.toml").read_text(encoding="utf-8").split('id = "false_success"')
    path = folder / "unsound.toml"
    path.write_text(f'{head}id = "false_success"{tail.replace("FLAG", "PASS", 1)}', encoding="utf-8")
    return path


def test_an_audit_warns_of_a_policy_that_fails_its_check(tmp_path: Path) -> None:
    runs = write(tmp_path / "runs", false_success())
    sound = call("audit", runs, "--policy", "default", "--no-store", "-q", folder=tmp_path)
    assert "check" not in sound.err
    warned = call("audit", runs, "--policy", unsound_policy(tmp_path), "--no-store", "-q", folder=tmp_path)
    assert warned.err.startswith("tracewitness: the policy default 1 fails its check (")
    assert len(warned.err.splitlines()) == 1


def test_policies_of_the_same_name_and_version_are_told_apart(audited: Path) -> None:
    own = unsound_policy(audited)
    digests = [find_policy(name).digest[:19] for name in ("default", str(own))]
    compared = call("policy", "diff", "default", own, folder=audited).out
    assert f"from default 1 ({digests[0]}) to default 1 ({digests[1]})" in " ".join(compared.split())
    replayed = call("replay", "--policy", own, "--against", "default", folder=audited).out
    assert f"under default 1 ({digests[1]}):" in replayed
    assert "sha256" not in call("policy", "diff", "default", "paper", folder=audited).out


def test_a_folder_is_no_policy(tmp_path: Path) -> None:
    done = call("policy", "show", tmp_path, folder=tmp_path)
    assert done.code == 2
    assert f"{tmp_path}: a folder; name a policy file in it" in done.err


def test_policies_are_listed_shown_and_compared(tmp_path: Path) -> None:
    listed = call("policy", "list", "--json", folder=tmp_path).json
    assert [policy["name"] for policy in listed] == ["default", "final-state", "low-load", "paper"]
    shown = call("policy", "show", "paper", folder=tmp_path)
    assert "false_success" in shown.out
    assert widest(shown.out) <= 80
    same = call("policy", "diff", "paper", "paper", folder=tmp_path)
    assert "give the same outcome for every run" in same.out
    other = call("policy", "diff", "paper", "final-state", folder=tmp_path)
    assert other.code == 0
    assert widest(other.out) <= 80
    assert "combinations differ from paper 1 to final-state 1" in other.out


def test_a_failed_check_is_told_apart_from_a_badly_written_policy(tmp_path: Path) -> None:
    assert call("policy", "check", "paper", folder=tmp_path).code == 0
    head, tail = (BUILT_IN / "paper.toml").read_text(encoding="utf-8").split('id = "false_success"')
    unsound = f'{head}id = "false_success"{tail.replace("FLAG", "PASS", 1)}'
    (tmp_path / "unsound.toml").write_text(unsound, encoding="utf-8")
    failed = call("policy", "check", "unsound.toml", folder=tmp_path)
    assert failed.code == 10
    assert "FAILS  monotone" in failed.out
    (tmp_path / "bad.toml").write_text(unsound.replace('name = "paper"', "name = 3"), encoding="utf-8")
    bad = call("policy", "check", "bad.toml", folder=tmp_path)
    assert bad.code == 2
    assert "badly written policy: bad.toml:" in bad.err


def test_policy_cases_run_and_their_outcomes_are_not_merged(tmp_path: Path) -> None:
    assert call("policy", "test", "default", folder=tmp_path).code == 0
    (tmp_path / "none.toml").write_text("", encoding="utf-8")
    assert call("policy", "test", "default", "--cases", "none.toml", folder=tmp_path).code in (2, 3)
    wrong = (BUILT_IN / "cases" / "default.toml").read_text(encoding="utf-8")
    wrong = wrong.replace('disposition = "FLAG"', 'disposition = "PASS"', 1)
    (tmp_path / "wrong.toml").write_text(wrong, encoding="utf-8")
    failed = call("policy", "test", "default", "--cases", "wrong.toml", "--json", folder=tmp_path)
    assert (failed.code, failed.json["failed"]) == (10, 1)
    assert call("policy", "test", "default", "--cases", "missing.toml", folder=tmp_path).code == 2


def test_formats_are_listed_with_their_pages(tmp_path: Path) -> None:
    listed = call("formats", "--json", folder=tmp_path).json
    assert [one["name"] for one in listed] == sorted(one.name for one in built_in())
    grammars = {one["name"]: one["text_grammars"] for one in listed}
    assert "UI-TARS" in grammars["openai_chat"]
    assert grammars["androidworld"] == []
    assert widest(call("formats", folder=tmp_path).out) <= 80
    for one in listed:
        assert one["summary"] and one["versions"]
        assert call("formats", one["name"], folder=tmp_path).out.startswith("# ")
    assert call("formats", "nothing", folder=tmp_path).code == 2


def test_convert_writes_runs_that_audit_the_same(tmp_path: Path) -> None:
    runs = write(tmp_path / "runs", honest(), false_success())
    done = call("convert", runs, "-o", "all.jsonl", folder=tmp_path)
    assert done.code == 0

    def outcomes(path: Path) -> list[tuple[str, str]]:
        lines = call("audit", path, "--no-store", "--json", folder=tmp_path).json_lines[:-1]
        return [(line["run_id"], line["disposition"]) for line in lines]

    assert outcomes(tmp_path / "all.jsonl") == outcomes(runs)
    schema = json.loads(call("convert", "--schema", folder=tmp_path).out)
    assert schema["title"] == "tracewitness run"
    assert call("convert", folder=tmp_path).code == 2
    assert call("convert", runs, "--to", "other", folder=tmp_path).code == 2
    assert call("convert", "missing", folder=tmp_path).code == 3


def test_a_store_is_counted_verified_exported_and_imported(audited: Path) -> None:
    stats = call("store", "stats", "--json", folder=audited).json
    assert (stats["audits"], stats["dispositions"]) == (4, {"FLAG": 1, "PASS": 1, "REVIEW": 1, "none": 1})
    assert call("store", "verify", folder=audited).out.endswith("everything agrees\n")
    call("store", "export", "-o", "all.jsonl", "-q", folder=audited)
    assert call("store", "import", "all.jsonl", "--store", "b.db", folder=audited).code == 0
    call("store", "export", "-o", "again.jsonl", "--store", "b.db", "-q", folder=audited)
    assert (audited / "again.jsonl").read_bytes() == (audited / "all.jsonl").read_bytes()
    text = (audited / "all.jsonl").read_text(encoding="utf-8").replace("FLAG", "PASS", 1)
    (audited / "all.jsonl").write_text(text, encoding="utf-8")
    refused = call("store", "import", "all.jsonl", "--store", "c.db", folder=audited)
    assert refused.code == 3
    assert "line " in refused.err
    missing = call("store", "stats", "--store", "missing.db", folder=audited)
    assert missing.code == 3


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["explain", "false"], {"run_id", "disposition", "parts", "reason"}),
        (["isolation", "runs/false.json"], {"run_id", "hidden", "trials", "holds", "proved"}),
        (["replay", "--policy", "paper"], {"type", "policy", "changed", "dispositions"}),
        (["policy", "show"], {"name", "classes", "rows"}),
        (["policy", "check"], {"ok", "proofs"}),
        (["policy", "diff", "paper", "default"], {"same", "groups"}),
        (["policy", "test"], {"ok", "results"}),
        (["policy", "list"], {"name", "digest"}),
        (["formats"], {"name", "summary", "versions"}),
        (["formats", "neutral"], {"name", "page"}),
        (["convert", "runs", "-o", "out.jsonl"], {"output", "written", "failed"}),
        (["convert", "--schema"], {"title", "properties"}),
        (["store", "stats"], {"store", "audits", "dispositions"}),
        (["store", "verify"], {"audits", "clean", "disagreements", "policies_not_at_hand"}),
        (["store", "export", "-o", "out.jsonl"], {"output", "audits", "evidence", "answers"}),
        (["doctor"], {"fine", "findings"}),
    ],
)
def test_every_verb_that_prints_results_prints_json(audited: Path, arguments: list[str], keys: set[str]) -> None:
    done = call(*arguments, "--json", folder=audited)
    found: Any = json.loads(done.out) if arguments == ["convert", "--schema"] else done.json_lines[-1]
    first: dict[str, Any] = found[0] if arguments[-1] in ("list", "formats") else found
    assert keys <= set(first)
    words = arguments[:2] if arguments[0] in ("policy", "store") else arguments[:1]
    told = " ".join(call(*words, "--help", folder=audited).out.split())
    assert "With --json" in told


def test_what_an_import_read_is_counted(audited: Path) -> None:
    call("store", "export", "-o", "all.jsonl", "-q", folder=audited)
    first = call("store", "import", "all.jsonl", "--store", "b.db", "--json", folder=audited).json
    again = call("store", "import", "all.jsonl", "--store", "b.db", "--json", folder=audited).json
    assert (first["audits"], first["new_audits"], again["audits"], again["new_audits"]) == (4, 4, 4, 0)


@pytest.mark.parametrize("arguments", [["store", "export"], ["convert", "runs"]])
def test_json_about_what_is_written_never_mixes_with_it(audited: Path, arguments: list[str]) -> None:
    done = call(*arguments, "--json", folder=audited)
    assert (done.code, done.out) == (2, "")
    assert "--output" in done.err


def test_a_policy_that_is_not_there_is_wrong_usage_for_explain_too(audited: Path) -> None:
    assert call("explain", "false", "--policy", "nothing.toml", folder=audited).code == 2


def test_doctor_looks_without_changing_anything(tmp_path: Path) -> None:
    done = call("doctor", "--json", folder=tmp_path)
    assert done.code == 0
    assert done.json["fine"]
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "no-store.db").write_text("not a database, but long enough to be looked at", encoding="utf-8")
    wrong = call("doctor", "--store", "no-store.db", folder=tmp_path)
    assert wrong.code == 1
    assert "wrong  store" in wrong.out


def test_help_names_every_verb_and_each_verb_has_help(tmp_path: Path) -> None:
    done = call("--help", folder=tmp_path)
    for verb in VERBS:
        assert f"  {verb} " in done.out
        assert widest(call(verb, "--help", folder=tmp_path).out) <= 80
    assert widest(done.out) <= 80
    assert call("--version", folder=tmp_path).out == f"tracewitness {__version__}\n"
    assert call("nothing", folder=tmp_path).code == 2


def test_help_starts_at_once(tmp_path: Path) -> None:
    def seconds(*words: str) -> float:
        best = 9.0
        for _ in range(7):
            started = time.perf_counter()
            subprocess.run([sys.executable, *words], capture_output=True, check=True)
            best = min(best, time.perf_counter() - started)
        return best

    assert seconds("-m", "tracewitness", "--help") < 8 * seconds("-c", "pass")


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys, typer.testing, tracewitness.cli.main as m; "
        "typer.testing.CliRunner().invoke(m.app, ['--help']); "
        "heavy = {'sqlalchemy', 'pydantic', 'numpy', 'rich', 'tracewitness.auditing'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_installed_command_behaves_like_the_module(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "runs.jsonl", [honest(), false_success()])
    here = call("audit", path, "--no-store", folder=tmp_path)
    there = call_process("audit", path, "--no-store", folder=tmp_path)
    assert (there.code, there.out) == (here.code, here.out)


def test_one_of_a_kind_is_told_in_the_singular(tmp_path: Path) -> None:
    runs = write(tmp_path / "runs", honest())
    (runs / "other.json").write_text("{}", encoding="utf-8")
    said = [call("audit", runs, folder=tmp_path)]
    said.append(call("convert", runs, "-o", "out.jsonl", folder=tmp_path))
    said += [call("store", verb, folder=tmp_path) for verb in ("verify", "export")]
    said += [call("replay", "--policy", "default", folder=tmp_path), call("doctor", folder=tmp_path)]
    words = "\n".join(done.out + done.err for done in said)
    for one in ("1 file left alone", "1 run written", "1 audit, ", " model answers written", "1 run: 1 audit target"):
        assert one in words
    assert re.search(r"\b1 (runs|files|audits|inputs|kept texts)\b", words) is None
