"""Removals are told by lists: what is absent must have stood in the list, or the list must be one that would show it.

Each notion in eight languages, on lists as plain lines, which is the least that a log keeps.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import tracewitness

Step = tuple[dict[str, Any], str, list[str]]

# language: task, kind of thing, count label, control that removes, search label and control, "nothing found"
WORDS: dict[str, tuple[str, str, str, str, str, str, str]] = {
    "en": ("Delete the note 'Alpha plan'.", "Notes", "Items", "Delete", "Search", "Find", "No results."),
    "de": ("Lösche die Notiz „Alpha plan“.", "Notizen", "Einträge", "Löschen", "Suche", "Suchen", "Keine Ergebnisse."),
    "fr": ("Supprime la note « Alpha plan ».", "Notes", "Éléments", "Supprimer", "Recherche", "OK", "Aucun résultat."),
    "es": ("Elimina la nota «Alpha plan».", "Notas", "Elementos", "Eliminar", "Búsqueda", "Ir", "Sin resultados."),
    "pt": ("Exclua a nota “Alpha plan”.", "Notas", "Itens", "Excluir", "Busca", "Ir", "Sem resultados."),
    "ja": ("メモ「Alpha plan」を削除してください。", "メモ", "件数", "削除", "検索", "探す", "該当なし。"),
    "ko": ("'Alpha plan' 메모를 삭제해 주세요.", "메모", "항목 수", "삭제", "검색", "찾기", "결과가 없습니다."),
    "zh": ("请删除笔记“Alpha plan”。", "笔记", "条目数", "删除", "搜索", "查找", "无结果。"),
}
ALL_OF_THEM = {
    "en": ("Delete all alarms.", "Alarms"),
    "de": ("Lösche alle Wecker.", "Wecker"),
    "fr": ("Supprime toutes les alarmes.", "Alarmes"),
    "es": ("Borra todas las alarmas.", "Alarmas"),
    "pt": ("Exclua todos os alarmes.", "Alarmes"),
    "ja": ("アラームをすべて削除してください。", "アラーム"),
    "ko": ("모든 알람을 삭제해 주세요.", "알람"),
    "zh": ("请把闹钟全部删除。", "闹钟"),
}


def trace_state(tmp_path: Path, task: str, steps: list[Step]) -> str:
    """Return the trace state of a run of actions, each with the address and the lines seen after it."""
    told = [
        {"index": n, "action": action, "after": {"text": "\n".join(lines), "url": f"https://app.example{path}"}}
        for n, (action, path, lines) in enumerate(steps, start=1)
    ]
    run = {
        "format": "tracewitness.run/1",
        "run_id": "removal",
        "task": {"instruction": task},
        "steps": [*told, {"index": len(told) + 1, "action": {"kind": "finish"}}],
        "report": {"text": "Done.", "declared_status": "success"},
    }
    file = tmp_path / "run.json"
    file.write_text(json.dumps(run), encoding="utf-8")
    (result,) = tracewitness.audit(file).results
    assert result.record.decision is not None
    return result.record.decision.trace_state.value


def press(label: str) -> dict[str, Any]:
    return {"kind": "click", "target": label, "raw": "click(10, 10)"}


def write(label: str, text: str) -> dict[str, Any]:
    return {"kind": "type", "target": label, "text": text, "raw": f"type(10, 10, {text!r})"}


class Pages:
    """What a list of notes shows in one language."""

    def __init__(self, language: str) -> None:
        self.task, self.thing, self.count, self.remove, self.search, self.find, self.nothing = WORDS[language]

    def of(self, *titles: str, total: int | None = None, page: str = "") -> list[str]:
        head = [
            "My app",
            self.thing,
            self.thing,
            self.search,
            self.find,
            f"{self.count}: {len(titles) if total is None else total}",
        ]
        entries = [line for title in titles for line in (title, "Some words of it.", self.remove)]
        return [*head, *entries, *([page] if page else [])]

    def opened(self, *titles: str) -> Step:
        return press(self.thing), "/notes", self.of(*titles)

    def removed(self, *left: str) -> Step:
        return press(self.remove), "/notes", self.of(*left)


@pytest.mark.parametrize("language", WORDS)
def test_gone_from_the_list_that_held_it(tmp_path: Path, language: str) -> None:
    pages = Pages(language)
    steps = [pages.opened("Alpha plan", "Alpha plan (2)", "Other"), pages.removed("Alpha plan (2)", "Other")]
    assert trace_state(tmp_path, pages.task, steps) == "COMPLETED"


@pytest.mark.parametrize("language", WORDS)
def test_a_look_alike_gone_is_not_the_thing_gone(tmp_path: Path, language: str) -> None:
    pages = Pages(language)
    steps = [pages.opened("Alpha plan", "Alpha plan (2)", "Other"), pages.removed("Alpha plan", "Other")]
    assert trace_state(tmp_path, pages.task, steps) == "NOT_COMPLETED"


@pytest.mark.parametrize("language", WORDS)
def test_back_after_a_reload_is_not_gone(tmp_path: Path, language: str) -> None:
    pages = Pages(language)
    again: Step = ({"kind": "reload", "raw": "reload()"}, "/notes", pages.of("Alpha plan", "Other"))
    steps = [pages.opened("Alpha plan", "Other"), pages.removed("Other"), again]
    assert trace_state(tmp_path, pages.task, steps) == "NOT_COMPLETED"


@pytest.mark.parametrize(("sought", "standing"), [("Alpha plan", True), ("Aplha plan", False), ("Other", False)])
@pytest.mark.parametrize("language", WORDS)
def test_a_search_for_the_very_name_tells_that_there_is_none(
    tmp_path: Path, language: str, sought: str, standing: bool
) -> None:
    pages = Pages(language)
    first_page = pages.of("Beta", "Gamma", total=9, page="Page 1 of 5")
    steps: list[Step] = [
        (press(pages.thing), "/notes", first_page),
        (write(pages.search, sought), "/notes", first_page),
        (press(pages.find), f"/notes?q={sought.replace(' ', '+')}", [*pages.of(), pages.nothing]),
    ]
    assert (trace_state(tmp_path, pages.task, steps) == "COMPLETED") is standing


@pytest.mark.parametrize("language", WORDS)
def test_a_later_page_that_moved_up_proves_nothing(tmp_path: Path, language: str) -> None:
    pages = Pages(language)
    two = "Page 2 of 2"
    steps: list[Step] = [
        (press(pages.thing), "/notes", pages.of("One", "Two", total=4, page="Page 1 of 2")),
        (press("Next"), "/notes?page=2", pages.of("Alpha plan", "Four", total=4, page=two)),
        (press("Previous"), "/notes", pages.of("One", "Two", total=4, page="Page 1 of 2")),
        # Now "Alpha plan" stands on page 1, which nobody looks at.
        (press(pages.remove), "/welcome", ["My app", "Welcome"]),
        (press("Next"), "/notes?page=2", pages.of("Four", total=3, page=two)),
    ]
    assert trace_state(tmp_path, pages.task, steps) != "COMPLETED"


@pytest.mark.parametrize(("left", "state"), [((), "COMPLETED"), (("07:30",), "NOT_COMPLETED")])
@pytest.mark.parametrize("language", ALL_OF_THEM)
def test_all_of_them_are_gone_when_the_list_is_empty(
    tmp_path: Path, language: str, left: tuple[str, ...], state: str
) -> None:
    task, thing = ALL_OF_THEM[language]
    pages = Pages(language)

    def shown(*titles: str) -> list[str]:
        entries = [line for title in titles for line in (title, pages.remove)]
        return ["My app", thing, thing, f"{pages.count}: {len(titles)}", *(entries or [pages.nothing])]

    steps: list[Step] = [
        (press(thing), "/alarms", shown("06:10", "07:30")),
        (press(pages.remove), "/alarms", shown("07:30")),
        (press(pages.remove), "/alarms", shown(*left)),
    ]
    assert trace_state(tmp_path, task, steps) == state


ORDERS = {
    "en": ("Cancel my order 13984.", "Orders", "Cancel order", "Cancelled", "Shipped"),
    "de": ("Storniere meine Bestellung 13984.", "Bestellungen", "Bestellung stornieren", "Storniert", "Versandt"),
    "fr": ("Annule ma commande 13984.", "Commandes", "Annuler la commande", "Annulée", "Expédiée"),
    "es": ("Cancela mi pedido 13984.", "Pedidos", "Cancelar pedido", "Cancelado", "Enviado"),
    "pt": ("Cancele meu pedido 13984.", "Pedidos", "Cancelar pedido", "Cancelado", "Enviado"),
    "ja": ("注文13984をキャンセルしてください。", "注文", "注文を取り消す", "キャンセル済み", "発送済み"),
    "ko": ("주문 13984를 취소해 주세요.", "주문", "주문 취소", "취소됨", "발송됨"),
    "zh": ("取消订单13984。", "订单", "取消订单", "已取消", "已发货"),
}


@pytest.mark.parametrize(("own", "other"), [(True, False), (False, True)], ids=["itself", "a look-alike"])
@pytest.mark.parametrize("language", ORDERS)
def test_a_status_says_that_a_thing_is_called_off(tmp_path: Path, language: str, own: bool, other: bool) -> None:
    task, thing, control, cancelled, shipped = ORDERS[language]

    def shown(first: str, second: str) -> list[str]:
        return ["My shop", thing, thing, "13984", "Lamp", first, control, "13948", "Lamp", second, control]

    steps: list[Step] = [
        (press(thing), "/orders", shown(shipped, shipped)),
        (press(control), "/orders", shown(cancelled if own else shipped, cancelled if other else shipped)),
    ]
    state = trace_state(tmp_path, task, steps)
    # "Bestellung stornieren" is not known as a control that does something, so German only abstains.
    assert state == ("UNKNOWN" if language == "de" else "COMPLETED") if own else state != "COMPLETED"
