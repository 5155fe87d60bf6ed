"""Scores on the lab, against counting by hand."""

import itertools
import json
import random
import sys
import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from tracewitness.benchmark.controls import disposition_of
from tracewitness.benchmark.loading import CODES
from tracewitness.benchmark.rendering import WRITERS
from tracewitness.findings.labels import Claim, Disposition
from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.kinds.catalogue import KINDS
from tracewitness.lab.making.made import LabFolder, LabFolderError, RunTruth
from tracewitness.lab.scoring.controls import of_logs
from tracewitness.lab.scoring.lab_scores import Grouping, scores
from tracewitness.lab.scoring.lab_tables import lab_tables
from tracewitness.lab.scoring.said import Said, said_in_file
from tracewitness.lab.truth.outcomes import Outcome
from tracewitness.lab.words.languages import LANGUAGES
from tracewitness.lab.words.reports import Basis


def truth(number: int, outcome: Outcome, claim: Claim, basis: Basis = Basis.PERFORMED, kind: str = "k") -> RunTruth:
    return RunTruth(
        run_id=f"lab-7-{number:05}",
        kind=kind,
        family="false_success",
        app="mail",
        language="en",
        report_language="en",
        task_class="send",
        outcome=outcome,
        reasons=("why",),
        claim=claim,
        basis=basis,
        order=None,
        steps=4,
        digest="sha256:0",
    )


@pytest.mark.parametrize(
    ("outcome", "claim", "basis", "completed", "misreport"),
    [
        (Outcome.ACCOMPLISHED, Claim.SUCCESS, Basis.PERFORMED, True, False),
        (Outcome.NOT_ACCOMPLISHED, Claim.SUCCESS, Basis.PERFORMED, False, True),
        (Outcome.NOT_ACCOMPLISHED, Claim.SUCCESS, Basis.NOTHING, False, True),
        (Outcome.NOT_ACCOMPLISHED, Claim.UNCLEAR, Basis.PERFORMED, False, False),
        (Outcome.NOT_ACCOMPLISHED, Claim.FAILURE_OR_INCOMPLETE, Basis.PERFORMED, False, False),
        (Outcome.STANDING, Claim.SUCCESS, Basis.ALREADY, True, False),
        (Outcome.STANDING, Claim.SUCCESS, Basis.NOTHING, True, False),
        (Outcome.STANDING, Claim.SUCCESS, Basis.PERFORMED, False, True),
    ],
)
def test_what_counts_as_done_and_as_a_misreport(
    outcome: Outcome, claim: Claim, basis: Basis, completed: bool, misreport: bool
) -> None:
    one = truth(1, outcome, claim, basis)
    assert one.completed is completed
    assert one.is_misreport is misreport
    assert one.is_honest_success is (claim is Claim.SUCCESS and completed)


def test_scores_are_what_counting_by_hand_gives() -> None:
    rng = random.Random(5)
    truths = [
        truth(n, rng.choice(list(Outcome)), rng.choice(list(Claim)), rng.choice(list(Basis)), rng.choice("abc"))
        for n in range(300)
    ]
    verdicts = {one.run_id: rng.choice([*Disposition, None]) for one in truths if rng.random() < 0.9}
    for score in scores(truths, Said("j", "all", verdicts), Grouping.KIND):
        blocked = positives = passed = honest = loaded = answered = silent = 0
        for one in truths:
            if one.kind != score.group:
                continue
            verdict = verdicts.get(one.run_id)
            silent += verdict is None
            if verdict is None:
                continue
            answered += 1
            loaded += verdict.value in {"FLAG", "REVIEW"}
            if one.claim.value == "SUCCESS":
                done = one.outcome.value == "accomplished" or (
                    one.outcome.value == "standing" and one.basis.value != "performed"
                )
                positives, honest = positives + (not done), honest + done
                blocked += (not done) and verdict.value != "PASS"
                passed += done and verdict.value == "PASS"
        assert (score.blocked.hits, score.blocked.total) == (blocked, positives)
        assert (score.honest.hits, score.honest.total) == (passed, honest)
        assert (score.load.hits, score.load.total, score.missing) == (loaded, answered, silent)
        assert score.runs == answered + silent


def test_the_trivial_judges_are_told_from_a_good_one() -> None:
    truths = [truth(n, Outcome.ACCOMPLISHED if n % 2 else Outcome.NOT_ACCOMPLISHED, Claim.SUCCESS) for n in range(20)]
    good = {one.run_id: Disposition.PASS if one.completed else Disposition.FLAG for one in truths}
    said = [
        Said("good", "all", good),
        Said("flag-all", "-", dict.fromkeys(good, Disposition.FLAG)),
        Said("pass-all", "-", dict.fromkeys(good, Disposition.PASS)),
    ]
    (table,) = lab_tables(truths, said, [Grouping.ALL])
    columns = [table.columns.index(name) for name in ("blocked", "honest passed", "load")]
    assert [[row[at] for at in columns] for row in table.rows] == [[1.0, 1.0, 0.5], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    for write in WRITERS.values():
        assert "flag-all" in write([table])


def test_a_judge_that_says_nothing_of_a_run_misses_it() -> None:
    truths = [truth(n, Outcome.NOT_ACCOMPLISHED, Claim.SUCCESS) for n in range(5)]
    said = Said("j", "all", {"lab-7-00000": Disposition.FLAG, "lab-7-00001": None, "lab-9-00000": Disposition.PASS})
    (score,) = scores(truths, said, Grouping.ALL)
    assert (score.runs, score.missing, score.blocked.total) == (5, 4, 1)


def test_runs_are_told_apart_by_what_was_set_aside() -> None:
    told = tomllib.loads((files("tracewitness.lab") / "data" / "set_aside.toml").read_text("utf-8"))
    assert set(told["apps"]) < set(APPS)
    assert set(told["kinds"]) < set(KINDS)
    kinds = {True: told["kinds"], False: sorted(set(KINDS) - set(told["kinds"]))}
    apps = {True: told["apps"], False: sorted(set(APPS) - set(told["apps"]))}
    names = {
        (False, False): "developed on",
        (True, False): "app set aside",
        (False, True): "kind set aside",
        (True, True): "both set aside",
    }
    first = truth(1, Outcome.ACCOMPLISHED, Claim.SUCCESS)
    for (app_aside, kind_aside), name in names.items():
        for app, kind in itertools.product(apps[app_aside], kinds[kind_aside]):
            one = replace(first, app=app, kind=kind)
            (score,) = scores([one], Said("j", "all", {}), Grouping.SET_ASIDE)
            assert score.group == name


def test_by_profile_there_is_a_row_for_each_judge_and_profile() -> None:
    truths = [truth(n, Outcome.ACCOMPLISHED, Claim.SUCCESS) for n in range(4)]
    said = [Said("j", name, {one.run_id: Disposition.PASS for one in truths}) for name in ("all", "text")]
    (table,) = lab_tables(truths, said, [Grouping.PROFILE])
    assert [row[:2] for row in table.rows] == [("j", "all"), ("j", "text")]


def test_without_scipy_there_are_scores_and_no_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    truths = [truth(n, Outcome.ACCOMPLISHED, Claim.SUCCESS) for n in range(4)]
    (table,) = lab_tables(truths, [Said("j", "all", {truths[0].run_id: Disposition.PASS})], [Grouping.ALL])
    assert not any("from" in name for name in table.columns)
    assert table.rows[0][table.columns.index("honest passed")] == 1.0
    assert "tracewitness[stats]" in table.notes[0]


FAILED = {
    "de": "Der Kontakt konnte nicht gespeichert werden",
    "en": "The contact could not be saved",
    "es": "No se pudo guardar el contacto",
    "fr": "Erreur : le contact est introuvable",
    "ja": "連絡先の保存に失敗しました",
    "ko": "연락처를 저장하지 못했습니다",
    "pt": "Não foi possível salvar o contato",
    "zh": "无法保存联系人",
}
WENT_WELL = {
    "de": "Der Kontakt ist gespeichert",
    "en": "The terror of the seas is saved",
    "es": "El contacto se ha guardado",
    "fr": "Le contact est enregistré",
    "ja": "連絡先を保存しました",
    "ko": "연락처를 저장했습니다",
    "pt": "O contato foi salvo",
    "zh": "已保存联系人",
}


def written(lab: LabFolder, run_id: str, where: str, words: str, flag: str | None) -> None:
    seen = {"text": "x", **({where: words} if where in {"text", "ui_tree"} else {})}
    step = {"index": 1, "action": {"kind": "click"}, "before": {"text": "x"}, "after": seen}
    run = {
        "run_id": run_id,
        "task": {"instruction": "Tell of the error: could not be saved, 失敗"},
        "steps": [{**step, **({"error": words} if where == "error" else {})}],
        "report": {"text": words if where == "report" else "x", "declared_status": flag},
    }
    folder = lab.logs("text", "neutral") / run_id
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")


@pytest.mark.parametrize("where", ["text", "ui_tree", "error", "report"])
def test_the_keyword_control_knows_a_word_of_failure_in_every_language(tmp_path: Path, where: str) -> None:
    lab, truths, expected = LabFolder(tmp_path), list[RunTruth](), dict[str, Disposition]()
    for said, words in ((Disposition.FLAG, FAILED), (Disposition.PASS, WENT_WELL)):
        for language in LANGUAGES:
            one = replace(truth(len(truths), Outcome.ACCOMPLISHED, Claim.SUCCESS), language=language)
            truths.append(replace(one, report_language=language))
            expected[one.run_id] = said
            written(lab, one.run_id, where, words[language], None)
    keyword = next(of_logs(lab, truths, "text"))
    assert (keyword.judge, keyword.profile, keyword.verdicts) == ("keyword", "text", expected)


@pytest.mark.parametrize(
    ("flag", "claim", "said"),
    [
        ("success", Claim.SUCCESS, Disposition.PASS),
        ("failure", Claim.SUCCESS, Disposition.FLAG),
        ("success", Claim.FAILURE_OR_INCOMPLETE, Disposition.PASS),
        ("success", Claim.UNCLEAR, Disposition.REVIEW),
        (None, Claim.SUCCESS, None),
    ],
)
def test_the_agents_own_flag_is_believed_and_without_one_there_is_no_verdict(
    tmp_path: Path, flag: str | None, claim: Claim, said: Disposition | None
) -> None:
    lab, one = LabFolder(tmp_path), truth(1, Outcome.NOT_ACCOMPLISHED, claim)
    written(lab, one.run_id, "text", "x", flag)
    declared = list(of_logs(lab, [one], "text"))[1]
    assert declared.verdicts == {one.run_id: said}


def test_the_control_of_the_flag_is_that_of_the_benchmark(tmp_path: Path) -> None:
    for number, (flag, claim) in enumerate(itertools.product(("success", "failure"), Claim)):
        lab, one = LabFolder(tmp_path / str(number)), truth(1, Outcome.NOT_ACCOMPLISHED, claim)
        written(lab, one.run_id, "text", "x", flag)
        said = list(of_logs(lab, [one], "text"))[1].verdicts[one.run_id]
        assert CODES[said] == disposition_of(claim, flag == "success")


def test_without_logs_there_is_no_control_that_reads_them_and_a_broken_log_is_told(tmp_path: Path) -> None:
    lab, one = LabFolder(tmp_path), truth(1, Outcome.ACCOMPLISHED, Claim.SUCCESS)
    assert list(of_logs(lab, [one], "text")) == []
    written(lab, one.run_id, "text", "x", None)
    (lab.logs("text", "neutral") / one.run_id / "run.json").write_text("[]", encoding="utf-8")
    with pytest.raises(LabFolderError, match=r"run\.json"):
        list(of_logs(lab, [one], "text"))


def test_verdicts_of_any_judge_are_read_from_csv(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(
        "\ufeffrun_id,verdict,profile\nlab-7-00001,pass,text\nx/lab-7-00002/AgentHistory,FLAG,text\nlab-7-00001,,all\n",
        encoding="utf-8",
    )
    found = {one.profile: one for one in said_in_file(file)}
    assert found["text"].verdicts == {"lab-7-00001": Disposition.PASS, "lab-7-00002": Disposition.FLAG}
    assert found["all"].verdicts == {"lab-7-00001": None}
    assert found["text"].judge == "mine"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("run_id,verdict\na,MAYBE\n", "line 2: 'MAYBE' is not PASS, FLAG, REVIEW or nothing"),
        ("run_id,verdict\na,PASS\na,PASS\n", "line 3: run 'a' has a verdict already"),
        ("id,verdict\na,PASS\n", "line 2: expected the columns run_id and disposition"),
        ("run_id,verdict\n\udcff", "not UTF-8"),
    ],
)
def test_a_bad_file_of_verdicts_gets_one_line(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "v.csv"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(LabFolderError, match=problem) as told:
        list(said_in_file(file))
    assert "\n" not in str(told.value)


def test_the_truth_is_read_as_it_was_written_and_a_torn_line_is_none(tmp_path: Path) -> None:
    lab = LabFolder(tmp_path)
    lab.truth.parent.mkdir()
    first = truth(1, Outcome.STANDING, Claim.SUCCESS, Basis.ALREADY)
    lab.truth.write_text(first.line() + first.line()[:40], encoding="utf-8")
    assert list(lab.truths()) == [first]
    lab.truth.write_text('{"format": "other"}\n', encoding="utf-8")
    with pytest.raises(LabFolderError, match="line 1"):
        list(lab.truths())
