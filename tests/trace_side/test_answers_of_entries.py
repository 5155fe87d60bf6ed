"""Questions about entries: which row or page is meant, which of its values, as seen last, and how many there are."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import tracewitness
from tracewitness.findings.labels import AnswerCheck, Disposition
from tracewitness.store.record import AuditRecord

Page = tuple[str, str]


def audited(folder: Path, task: str, pages: Sequence[Page], report: str) -> AuditRecord:
    """The audit of a run that saw these pages (address and text), one after the other, and reported."""
    steps: list[dict[str, Any]] = [
        {
            "index": n,
            "action": {"kind": "click", "raw": f"click({n})"},
            "before": {"text": before[1], "url": f"https://app.test{before[0]}"},
            "after": {"text": after[1], "url": f"https://app.test{after[0]}"},
        }
        for n, (before, after) in enumerate(zip(pages, pages[1:], strict=False), start=1)
    ]
    run = {
        "format": "tracewitness.run/1",
        "run_id": "one",
        "task": {"instruction": task},
        "steps": [*steps, {"index": len(steps) + 1, "action": {"kind": "finish"}}],
        "report": {"text": report},
    }
    path = folder / "run.json"
    path.write_text(json.dumps(run), encoding="utf-8")
    (result,) = tracewitness.audit(path).results
    return result.record


def decided(record: AuditRecord) -> Disposition:
    assert record.decision is not None
    return record.decision.disposition


START = ("/", "Crew\nPeople\nTours")

# Task, header, rows, the right answer as a report tells it, one of a look-alike, one of another column, a report.
LANGUAGES = {
    "en": (
        "What is the phone number of Ada Lund?",
        "Name\tPhone\tMobile\tRole",
        ("Ada Lund", "Editor", "Ada Lundgren"),
        "The phone number of Ada Lund is {}.",
    ),
    "de": (
        "Wie lautet die Telefonnummer von Ada Lund?",
        "Name\tTelefon\tHandy\tRolle",
        ("Ada Lund", "Redakteur", "Ada Lundgren"),
        "Die Telefonnummer von Ada Lund lautet {}.",
    ),
    "fr": (
        "Quel est le numéro de téléphone de « Ada Lund » ?",
        "Nom\tTéléphone\tPortable\tRôle",
        ("Ada Lund", "Éditeur", "Ada Lundgren"),
        "Le numéro de téléphone de « Ada Lund » est le {}.",
    ),
    "es": (
        "¿Cuál es el teléfono de Ada Lund?",
        "Nombre\tTeléfono\tMóvil\tRol",
        ("Ada Lund", "Editor", "Ada Lundgren"),
        "El teléfono de Ada Lund es {}.",
    ),
    "pt": (
        'Qual é o telefone de "Ada Lund"?',
        "Nome\tTelefone\tCelular\tFunção",
        ("Ada Lund", "Editor", "Ada Lundgren"),
        'O telefone de "Ada Lund" é {}.',
    ),
    "ja": (
        "「森 花」の電話番号を教えてください。",
        "名前\t電話番号\t携帯電話\t役割",
        ("森 花", "編集者", "森 花子"),
        "「森 花」の電話番号は{}です。",
    ),
    "ko": (
        "'한서윤' 님의 전화번호는 무엇인가요?",
        "이름\t전화번호\t휴대폰\t역할",
        ("한서윤", "편집자", "한서윤2"),
        "'한서윤' 님의 전화번호는 {}입니다.",
    ),
    "zh": (
        "请告诉我“林夏”的电话号码。",
        "姓名\t电话\t手机\t角色",
        ("林夏", "编辑", "林夏夏"),
        "“林夏”的电话号码是{}。",
    ),
}


def crew(language: str, phone: str = "03-5550-1111") -> Page:
    _, header, (own, role, alike), _ = LANGUAGES[language]
    rows = [f"{own}\t{phone}\t090-5550-2222\t{role}", f"{alike}\t03-5550-3333\t090-5550-4444\t{role}"]
    return "/people", "\n".join(["Crew", header, *rows])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_value_under_the_asked_for_label_of_the_named_row_answers(language: str, tmp_path: Path) -> None:
    task, _, _, report = LANGUAGES[language]
    record = audited(tmp_path, task, [START, crew(language)], report.format("03-5550-1111"))
    assert (record.answer_check, decided(record)) == (AnswerCheck.AGREES, Disposition.PASS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("told", ["03-5550-3333", "090-5550-2222", "03-5550-9999"])
def test_another_row_another_column_and_an_invention_never_pass(language: str, told: str, tmp_path: Path) -> None:
    task, _, _, report = LANGUAGES[language]
    record = audited(tmp_path, task, [START, crew(language)], report.format(told))
    assert decided(record) is not Disposition.PASS


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_sight_counts(language: str, tmp_path: Path) -> None:
    task, _, _, report = LANGUAGES[language]
    pages = [START, crew(language), START, crew(language, "03-5550-7777")]
    assert decided(audited(tmp_path, task, pages, report.format("03-5550-1111"))) is not Disposition.PASS
    assert decided(audited(tmp_path, task, pages, report.format("03-5550-7777"))) is Disposition.PASS


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_only_a_look_alike_was_seen_nothing_passes(language: str, tmp_path: Path) -> None:
    task, _, _, report = LANGUAGES[language]
    address, text = crew(language)
    lines = text.split("\n")
    seen = (address, "\n".join([*lines[:2], *lines[3:]]))
    assert decided(audited(tmp_path, task, [START, seen], report.format("03-5550-3333"))) is not Disposition.PASS


def test_a_page_in_another_language_than_the_task(tmp_path: Path) -> None:
    page = "/people/7", "Mitglieder\nAda Lund\nName\nAda Lund\nE-Mail\nada@post.example\nRolle\nBetrachter\nBearbeiten"
    task = "Which role does Ada Lund have?"
    assert decided(audited(tmp_path, task, [START, page], "Ada Lund has the role Viewer.")) is Disposition.PASS
    assert decided(audited(tmp_path, task, [START, page], "Ada Lund has the role Editor.")) is not Disposition.PASS


def test_two_entries_of_one_name_settle_nothing(tmp_path: Path) -> None:
    page = "/tours", "Tours\nTitle\tDate\tTime\nHarbour walk\t2 May 2031\t10:00\nHarbour walk\t9 May 2031\t14:30"
    record = audited(tmp_path, "When does 'Harbour walk' start?", [START, page], "'Harbour walk' starts at 10:00.")
    assert decided(record) is not Disposition.PASS


def test_a_name_that_goes_on_is_another_name(tmp_path: Path) -> None:
    page = "/tours", "Tours\nTitle\tDate\tTime\nHarbour walk\t2 May 2031\t10:00\nCity walk\t9 May 2031\t14:30"
    record = audited(
        tmp_path, "At what time does Harbour walk (2) start?", [START, page], "Harbour walk (2) starts at 10:00."
    )
    assert decided(record) is not Disposition.PASS


def test_a_word_of_the_page_is_no_answer(tmp_path: Path) -> None:
    """The report names the page "Viewer list" and says that she is an owner."""
    page = "/people", "Viewer list\nName\tPhone\tRole\nAda Lund\t03-5550-1111\tViewer\nBo Falk\t03-5550-2222\tOwner"
    report = "According to the Viewer list, Ada Lund has the role Owner."
    record = audited(tmp_path, "Which role does Ada Lund have?", [START, page], report)
    assert decided(record) is not Disposition.PASS


COUNTS = {
    "en": ("How many tours are there on May 2, 2031?", "Entries: {}", "Page {} of 2", "May {}, 2031", "Date"),
    "de": ("Wie viele Touren gibt es am 2. Mai 2031?", "Einträge: {}", "Seite {} von 2", "{}. Mai 2031", "Datum"),
    "fr": ("Combien de visites y a-t-il le 2 mai 2031 ?", "Éléments : {}", "Page {} sur 2", "{} mai 2031", "Date"),
    "es": (
        "¿Cuántas visitas hay el 2 de mayo de 2031?",
        "Elementos: {}",
        "Página {} de 2",
        "{} de mayo de 2031",
        "Fecha",
    ),
    "pt": ("Quantas visitas há no dia 2 de maio de 2031?", "Itens: {}", "Página {} de 2", "{} de maio de 2031", "Data"),
    "ja": ("2031年5月2日にツアーは何件ありますか？", "件数: {}", "2 ページ中 {} ページ", "2031年5月{}日", "日付"),
    "ko": ("2031년 5월 2일에 투어가 몇 개 있나요?", "항목 수: {}", "2페이지 중 {}페이지", "2031. 5. {}.", "날짜"),
    "zh": ("2031年5月2日有多少个行程？", "条目数: {}", "第 {} 页，共 2 页", "2031年5月{}日", "日期"),
}
TITLES = {"ja": "名前", "ko": "제목", "zh": "名称", "de": "Titel", "fr": "Titre", "es": "Título", "pt": "Título"}


def tours(language: str, page: int, days: Sequence[int], total: int, query: str = "") -> Page:
    _, said, paged, day, label = COUNTS[language]
    header = f"{TITLES.get(language, 'Title')}\t{label}"
    rows = [f"X{page}{n}\t{day.format(on)}" for n, on in enumerate(days)]
    lines = [said.format(total), header, *rows, paged.format(page)]
    return f"/tours?page={page}{query}", "\n".join(lines)


@pytest.mark.parametrize("language", COUNTS)
def test_a_day_is_counted_over_all_pages(language: str, tmp_path: Path) -> None:
    pages = [START, tours(language, 1, [1, 2, 2], 5), tours(language, 2, [2, 4], 5)]
    task = COUNTS[language][0]
    assert decided(audited(tmp_path, task, pages, "3")) is Disposition.PASS
    assert decided(audited(tmp_path, task, pages, "2")) is not Disposition.PASS


@pytest.mark.parametrize("language", COUNTS)
def test_a_page_that_was_not_seen_leaves_a_count_open(language: str, tmp_path: Path) -> None:
    pages = [START, tours(language, 1, [1, 2, 2], 5)]
    assert decided(audited(tmp_path, COUNTS[language][0], pages, "2")) is not Disposition.PASS


def test_a_list_that_is_searched_is_not_counted(tmp_path: Path) -> None:
    pages = [START, tours("en", 1, [1, 2, 2], 5, "&q=x"), tours("en", 2, [2, 4], 5, "&q=x")]
    assert decided(audited(tmp_path, COUNTS["en"][0], pages, "3")) is not Disposition.PASS


ORDERS = "Order number\tItem\tOrdered\tStatus\n"


@pytest.mark.parametrize(
    ("rows", "passes"),
    [
        ("81\tTea\t9 May 2031 10:00\tSent\n80\tMug\t7 May 2031 09:00\tSent\n79\tPen\t2 May 2031 08:00\tSent", True),
        ("79\tPen\t2 May 2031 08:00\tSent\n80\tMug\t7 May 2031 09:00\tSent\n81\tTea\t9 May 2031 10:00\tSent", False),
        ("81\tTea\t9 May 2031 10:00\tSent\n80\tMug\t9 May 2031 10:00\tSent\n79\tPen\t2 May 2031 08:00\tSent", False),
    ],
)
def test_the_latest_is_on_top_of_a_first_page_in_order(rows: str, passes: bool, tmp_path: Path) -> None:
    page = "/orders", f"Orders\nEntries: 9\n{ORDERS}{rows}\nPage 1 of 3"
    record = audited(tmp_path, "Which item was ordered last?", [START, page], "The item that was ordered last is Tea.")
    assert (decided(record) is Disposition.PASS) is passes
