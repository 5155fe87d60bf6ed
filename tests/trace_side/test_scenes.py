from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from screens import only, scene

from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.scene import Role
from tracewitness.trace_side.scenes import read_scene, read_scenes
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step, Trace

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
_ROLE_WORDS = st.sampled_from(
    [
        ("button", Role.BUTTON),
        ("Schaltfläche", Role.BUTTON),
        ("bouton", Role.BUTTON),
        ("botón", Role.BUTTON),
        ("botão", Role.BUTTON),
        ("按钮", Role.BUTTON),
        ("ボタン", Role.BUTTON),
        ("버튼", Role.BUTTON),
        ("row", Role.ROW),
        ("Zeile", Role.ROW),
        ("行", Role.ROW),
        ("dialog", Role.DIALOG),
        ("对话框", Role.DIALOG),
        ("toast", Role.TOAST),
        ("aviso", Role.TOAST),
        ("トースト", Role.TOAST),
        ("heading", Role.HEADING),
        ("tab", Role.TAB),
    ]
)
_NAMES = (
    st.text(alphabet="abcxyzÄéß商品登録확인 .!-", min_size=1, max_size=20)
    .map(lambda t: " ".join(t.split()))
    .filter(bool)
)
_QUOTES = st.sampled_from(["''", '""', "「」", "«»", "“”"])


@given(st.lists(st.tuples(_ROLE_WORDS, _NAMES, _QUOTES), min_size=1, max_size=8))
@settings(max_examples=80, deadline=None)
def test_every_labelled_line_gives_its_element_with_its_source_line(
    lines: list[tuple[tuple[str, Role], str, str]],
) -> None:
    text = "\n".join(f"  {word} {quotes[0]}{name}{quotes[1]}" for (word, _), name, quotes in lines)
    found = scene(text).elements
    assert [(e.role, e.name) for e in found] == [(role, name) for (_, role), name, _ in lines]
    assert all(e.line in text for e in found)


@given(st.text(max_size=400))
@settings(max_examples=150, deadline=None)
def test_no_text_is_too_odd_to_read_and_no_word_gets_lost(text: str) -> None:
    found = read_scene(Step(1, Action("look"), after=Observation(text=text)), StepPart.AFTER)
    assert (found is None) == (not text.strip())


@given(st.lists(st.text(alphabet="abc äöü商登록.'\"[]()=<>:|-*1", min_size=1, max_size=30), min_size=1, max_size=6))
@settings(max_examples=150, deadline=None)
def test_every_line_of_a_text_stands_in_some_element(lines: list[str]) -> None:
    written = [line for line in lines if line.strip()]
    found = scene("x\n" + "\n".join(written)).elements
    kept = "\n".join(element.line for element in found)
    for line in written:
        assert line.strip() in kept or line.strip().startswith(("- /", "...", "["))


@given(st.binary(max_size=300).map(lambda raw: "<hierarchy>" + raw.decode("latin-1")))
@settings(max_examples=60, deadline=None)
def test_broken_xml_is_unreadable_and_harms_nothing(dump: str) -> None:
    found = scene(ui_tree=dump)
    assert found.unreadable or found.elements == ()


@pytest.mark.parametrize(
    ("line", "role", "name", "value"),
    [
        ("field Phone = '555-0142'", Role.FIELD, "Phone", "555-0142"),
        ("field Name 'Ada Brook'", Role.FIELD, "Name", "Ada Brook"),
        ("field Name ''", Role.FIELD, "Name", ""),
        ("field 'Code from your phone'", Role.FIELD, "Code from your phone", None),
        ("Feld Titel ''", Role.FIELD, "Titel", ""),
        ("宛先 'a@b.test'", Role.FIELD, "宛先", "a@b.test"),
        ("下拉框 '界面语言' = '简体中文'", Role.CHOICE, "界面语言", "简体中文"),
        ("lista Impressora = 'Epson'", Role.CHOICE, "Impressora", "Epson"),
        ("editor 'Approved'", Role.FIELD, "editor", "Approved"),
        ("row 'Orin Vale | 555-0199'", Role.ROW, "Orin Vale", "Orin Vale | 555-0199"),
        ("attachments (1) 'contract.pdf 2.1 MB'", Role.GROUP, "attachments (1)", "contract.pdf 2.1 MB"),
        ("mail 'Crane' from site@quay.test", Role.ROW, "Crane", "Crane from site@quay.test"),
        ('POST /api/x -> 500 {"error":1}', Role.NETWORK, "POST /api/x", "500"),
        ("runner: repetition guard hit", Role.RUNNER, "repetition guard hit", None),
        ("executor: limite de 6 passos", Role.RUNNER, "limite de 6 passos", None),
        ("widget 'Foo'", Role.OTHER, "Foo", None),
        ("Straße: Lindenweg 40", Role.TEXT, "Straße", "Lindenweg 40"),
        ("状態：未払い", Role.TEXT, "状態", "未払い"),
        ("Nos équipes sont à pied d'œuvre", Role.TEXT, "Nos équipes sont à pied d'œuvre", None),
        ("captcha 'Select all bridges'", Role.CAPTCHA, "Select all bridges", None),
        ("empty_state 'Nothing yet.'", Role.EMPTY_STATE, "Nothing yet.", None),
    ],
)
def test_plain_notation(line: str, role: Role, name: str, value: str | None) -> None:
    found = scene(f"page 'P'\n  {line}").elements[1]
    assert (found.role, found.name, found.value) == (role, name, value)
    assert found.line == line


@pytest.mark.parametrize(
    ("line", "on", "enabled"),
    [
        ("switch 'Wi-Fi' [on]", True, True),
        ("Schalter 'WLAN' [aus]", False, True),
        ("开关 '通知' [开]", True, True),
        ("スイッチ「通知」 [オフ]", False, True),
        ("스위치 '알림' [켜짐]", True, True),
        ("interrupteur 'Son' [désactivé]", False, True),
        ("interruptor 'Modo' [activado]", True, True),
        ("라디오 '문자' [선택 안 됨]", False, True),
        ("复选框 'A' [未选]", False, True),
        ("button 'Helpful' [not pressed]", False, True),
        ("button 'Save' (disabled)", None, False),
        ("botão 'Imprimir' (desativado)", None, False),
        ("bouton 'Payer' (désactivé)", None, False),
        ("按钮 '提交' （不可用）", None, False),
        ("button 'Keep' (default)", None, True),
        ('开关 "备份" checked=false', False, True),
        ('Switch "Saver" value=1', True, True),
    ],
)
def test_marks_behind_an_element(line: str, on: bool | None, enabled: bool) -> None:
    found = scene(f"page 'P'\n  {line}").elements[1]
    assert (found.on, found.enabled) == (on, enabled)


def test_several_elements_on_one_line() -> None:
    found = scene(
        "screen 'Net'\n  switch 'Wi-Fi' [on]  label 'Connected: attic'\n"
        "  review by 'pebble' button 'Helpful (4)' [pressed]"
    )
    assert [(e.role, e.name, e.on) for e in found.elements[1:]] == [
        (Role.SWITCH, "Wi-Fi", True),
        (Role.TEXT, "Connected: attic", None),
        (Role.ROW, "pebble", None),
        (Role.BUTTON, "Helpful (4)", True),
    ]


def test_sheet_cells() -> None:
    found = scene("sheet 'Rentals'\n  A2 Roamly  C2 ''\n  C2 59  C3 64  C4 61")
    assert [(e.name, e.value) for e in found.elements if e.role is Role.CELL] == [
        ("A2", "Roamly"),
        ("C2", ""),
        ("C2", "59"),
        ("C3", "64"),
        ("C4", "61"),
    ]


def test_console_and_network_blocks_lend_their_role_to_what_stands_beneath() -> None:
    found = scene("page 'X'\nconsole\n  error 'Unhandled rejection: 500'\nred\n  PATCH /api/p -> 503 {}")
    assert [(e.role, e.name) for e in found.elements[2:]] == [
        (Role.CONSOLE, "Unhandled rejection: 500"),
        (Role.NETWORK, ""),
        (Role.NETWORK, "PATCH /api/p"),
    ]


def test_browser_use_list() -> None:
    found = scene(
        "[Start of page]\nDrafts (4)\n*[11]<input type=text name=name value=Halden Rope Co. required=true />\n"
        "[12]<input type=email name=email aria-invalid=true />\n"
        "[3]<input type=checkbox aria-label=Select all checked=true />\n"
        "[15]<button aria-label=Save supplier disabled=true />\n\tSave supplier\n"
        "*[20]<div role=dialog />\n\tDelete 4 drafts?\n"
        "[7]<a />\n\tBrandt Chain\n[End of page]"
    )
    told = [(e.role, e.name, e.value, e.on, e.enabled) for e in found.elements]
    assert told == [
        (Role.TEXT, "Drafts (4)", None, None, True),
        (Role.FIELD, "name", "Halden Rope Co.", None, True),
        (Role.FIELD, "email", "", None, True),
        (Role.SWITCH, "Select all", None, True, True),
        (Role.BUTTON, "Save supplier", None, None, False),
        (Role.DIALOG, "Delete 4 drafts?", None, None, True),
        (Role.LINK, "Brandt Chain", None, None, True),
    ]
    assert found.elements[2].invalid


def test_accessibility_tree() -> None:
    found = scene(
        "RootWebArea 'Abwesenheit', focused\n\t[5] checkbox 'Notiz aktiv', focused, checked='true'\n"
        "\t[7] textbox 'Von' value='01.08.2025'\n\t[8] textbox 'Bis' value='', required=True, invalid='true'\n"
        "\t[9] alert 'Bitte korrigieren.'\n\t[12] button 'Speichern', disabled=True\n\tStaticText \"Hilfe\""
    )
    assert found.title == "Abwesenheit"
    assert only(found, "Notiz aktiv").on is True
    assert only(found, "Von").value == "01.08.2025"
    assert (only(found, "Bis").value, only(found, "Bis").invalid) == ("", True)
    assert only(found, "Bitte korrigieren.").role is Role.ERROR
    assert only(found, "Speichern").enabled is False
    assert only(found, "Hilfe").role is Role.TEXT


def test_playwright_yaml() -> None:
    found = scene(
        '- heading "Wallet" [level=1]\n- list "Cards":\n  - listitem: Visa ending in 8820\n'
        '    - button "Remove" [disabled] [ref=e14]\n'
        '- checkbox "News" [checked]\n- checkbox "Ads"\n- textbox "Name" [active]: Ada\n'
        '- textbox "Mail":\n- text: 3 cards\n'
        '- alert: Something went wrong (409).\n- link "Back":\n  - /url: /home'
    )
    assert only(found, "Visa ending in 8820").role is Role.ROW
    assert only(found, "Remove").enabled is False
    assert (only(found, "News").on, only(found, "Ads").on) == (True, False)
    assert (only(found, "Name").value, only(found, "Mail").value) == ("Ada", "")
    assert only(found, "Something went wrong (409).").role is Role.ERROR
    assert not any("/home" in e.name for e in found.elements)


def test_androidworld_list() -> None:
    found = scene(
        'UI element 0: {"text": "Inès", "is_clickable": true}\n'
        'UI element 1: {"text": "", "hint_text": "Message", "is_editable": true}\n'
        "UI element 2: UIElement(text='Wi-Fi', content_description=None, "
        "class_name='android.widget.Switch', is_checked=True)"
    )
    assert only(found, "Message").value == ""
    assert only(found, "Wi-Fi").on is True
    assert not found.partial


def test_ui_dump_names_a_switch_by_the_title_of_its_row() -> None:
    row = (
        '<node class="android.widget.LinearLayout" clickable="true"><node class="android.widget.RelativeLayout">'
        '<node class="android.widget.TextView" text="{title}" resource-id="android:id/title"/>'
        '<node class="android.widget.TextView" text="Off for now"/></node><node class="android.widget.LinearLayout">'
        '<node class="a.Switch" text="{own}" checkable="true" checked="{on}" resource-id="android:id/switch"/>'
        "</node></node>"
    )
    dump = (
        "<?xml version='1.0' encoding='UTF-8'?><hierarchy>"
        + row.format(title="Dark theme", own="", on="true")
        + row.format(title="Night &amp; light", own="OFF", on="false")
        + "</hierarchy>"
    )
    found = scene(ui_tree=dump)
    assert [(e.name, e.on) for e in found.elements if e.on is not None] == [
        ("Dark theme", True),
        ("Night & light", False),
    ]


def test_two_switches_in_one_node_borrow_no_name() -> None:
    switch = '<node class="android.widget.Switch" checkable="true" checked="true" resource-id="s{}"/>'
    found = scene(
        ui_tree=f'<hierarchy><node><node text="Title"/>{switch.format(1)}{switch.format(2)}</node></hierarchy>'
    )
    assert [e.name for e in found.elements if e.on is not None] == ["", ""]


@pytest.mark.parametrize(
    "dump",
    [
        "<hierarchy><node text='a'></hierarchy>",
        "<?xml version='1.0'?><!DOCTYPE lolz [<!ENTITY lol 'lol'>]><hierarchy><node text='&lol;'/></hierarchy>",
        "<hierarchy>" + "<node>" * 1500 + "</node>" * 1500 + "</hierarchy>",
        "<hierarchy>" + "<node text='x'/>" * 20_001 + "</hierarchy>",
    ],
    ids=["broken", "entities", "deep", "many"],
)
def test_hostile_dumps_are_marked(dump: str) -> None:
    assert scene(ui_tree=dump).unreadable


def test_json_result() -> None:
    found = scene(
        '{"ok": false, "error": "smtp_timeout", '
        '"queue": [{"file": "a.mov", "state": "done"}], "emails": [], "wifi": true}'
    )
    assert only(found, "error").role is Role.ERROR
    assert only(found, "ok").role is Role.ERROR
    assert only(found, "a.mov").value == "file: a.mov, state: done"
    assert only(found, "emails").role is Role.EMPTY_STATE
    assert only(found, "wifi").on is True
    assert scene('TOOL: {"status": "sent"}').elements[0].value == "sent"


def test_json_nested_beyond_reason_is_marked_and_harms_nothing() -> None:
    assert scene('{"a":' * 900 + "1" + "}" * 900).unreadable
    assert scene("[" * 500 + "]" * 500).unreadable


def test_html_fragment() -> None:
    found = scene(
        "<div><h1>Orders</h1><script>alert('no')</script><p>Two <b>open</b> orders &amp; one draft</p>"
        "<input type='checkbox' aria-label='Paid' checked><button disabled>Pay</button></div>"
    )
    assert [(e.role, e.name) for e in found.elements] == [
        (Role.HEADING, "Orders"),
        (Role.TEXT, "Two open orders & one draft"),
        (Role.SWITCH, "Paid"),
        (Role.BUTTON, "Pay"),
    ]
    assert found.elements[3].enabled is False


def test_html_comments_are_left_out_and_an_endless_one_is_marked() -> None:
    assert [e.name for e in scene("<p>One <!-- <b>two</b> --> three</p>").elements] == ["One three"]
    assert scene("<p>One</p>" + "<!--" * 50_000).unreadable


def test_bare_text_lines() -> None:
    found = scene("我的\n自动备份  已关闭\n存储空间  12.4 GB / 50 GB")
    assert (found.elements[1].name, found.elements[1].on) == ("自动备份", False)
    asked = scene("要恢复默认设置吗？\n所有开关将回到出厂状态。\n取消\n恢复")
    assert asked.elements[0].role is Role.DIALOG
    assert scene("Messages\nText message\nMenu").elements[1].role is Role.TEXT


@pytest.mark.parametrize(
    ("text", "partial"),
    [
        ("field Phone '5'", True),
        ("toast 'Saved'", True),
        ("dialog 'Sure?'\n  button 'No'", True),
        ("menu\n  item 'PDF'\n  item 'CSV'", True),
        ("page 'X'\n  row 'a'", False),
        ("list Projects (1)\n  item 'prod'", False),
        ("toast 'Saved'\nlist Projects (1)\n  item 'prod'", False),
        ("[1]<a />\n\tHome", False),
        ("Inbox\nNothing here", False),
        ('{"ok": true}', True),
        ('{"items": []}', False),
    ],
)
def test_absence_counts_only_where_the_scene_is_whole(text: str, partial: bool) -> None:
    assert scene(text).partial is partial


@pytest.mark.parametrize(
    ("text", "stale", "unchanged", "acknowledgement"),
    [
        ("screen 'Focus' (captured 40 ms after tap, animation running)\n  switch 'DND' [off]", True, False, False),
        ("Seite 'Start' (wird geladen)", True, False, False),
        ("page 'Contacts' (unchanged)", False, True, False),
        ("dialog 'Insert chart' (already open)", False, True, False),
        ("页面 '首页' （无变化）", False, True, False),
        ("page 'Shop (same day delivery)'\n  row 'a'", False, False, False),
        ("Click action completed successfully", False, False, True),
        ("Finished waiting for 1500ms. {'type': 'image', 'source': {}}", False, False, True),
        ("Clicked the wrong thing\nOrder placed", False, False, False),
    ],
)
def test_what_an_observation_says_of_itself(text: str, stale: bool, unchanged: bool, acknowledgement: bool) -> None:
    found = scene(text)
    assert (found.stale, found.unchanged, found.acknowledgement) == (stale, unchanged, acknowledgement)


def test_screenshots_alone_give_no_scene_and_a_url_alone_a_partial_one() -> None:
    steps = (
        Step(1, Action("click"), after=Observation(screenshot=Screenshot("a.png"))),
        Step(2, Action("click"), after=Observation(url="https://x.test")),
    )
    found = read_scenes(Trace(steps))
    assert [(s.step, s.url, s.elements, s.partial) for s in found] == [(2, "https://x.test", (), True)]


def test_the_same_text_is_read_once() -> None:
    assert scene("page 'Same'\n  row 'r'").elements is scene("page 'Same'\n  row 'r'").elements


def test_long_lines_cost_no_more_than_their_length() -> None:
    found = scene("page 'X'\n" + "'a" * 200_000 + "\n" + "(" * 100_000)
    assert len(found.elements) == 3


@pytest.mark.shared
def test_real_phone_dumps_are_read() -> None:
    dumps = sorted(SAMPLES.glob("appagent/tasks/*/*.xml"))
    if not dumps:
        pytest.skip("the samples are not beside this checkout")
    for dump in dumps:
        found = scene(ui_tree=dump.read_text(encoding="utf-8"))
        assert found.elements and not found.unreadable


def test_a_line_reads_the_same_beside_other_lines() -> None:
    """Lines are kept once read; what one text makes of its element must not show in the next text."""
    alone = scene("button 'Save'")
    text = "[1]<input placeholder=Name />\n  Ada\n[2]<button />\n  Save"
    first, second = scene(text), scene(text + "\n")
    assert [(e.name, e.value, e.line) for e in first.elements] == [(e.name, e.value, e.line) for e in second.elements]
    scene("page 'Form'\n  button 'Save' (disabled)\n  field Name")
    assert scene("button 'Save'").elements == alone.elements
