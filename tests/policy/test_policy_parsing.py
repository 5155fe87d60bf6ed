"""A badly written policy is one error with source, line and key."""

import policy_samples
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.decision import Mark
from tracewitness.findings.labels import Claim, Disposition, FieldName, TaskClass, TraceState
from tracewitness.policy.documents import LIMIT
from tracewitness.policy.domain import Axis
from tracewitness.policy.parsing import PolicyError, parse_policy
from tracewitness.policy.toml_lines import lines_of_keys

GOOD = """# line 1
name = "house"
version = "3"
summary = "For a test."
closed_world = true
standing_goals = false

[required]
create_edit = ["final_support", "action"]
delete = ["action"]
configure = "action"
send = [
  "action", # a comment with [brackets]
  "target",
]
query = ["action"]
other = ["action"]

[tolerated]
send = ["target"]

[[row]]
id = "first"
claim = ["UNCLEAR", "SUCCESS"]
trace_state = "COMPLETED"
disposition = "PASS"
mark = "underclaim"
reason = "A reason."

[[row]]
id = "rest"
disposition = "REVIEW"
reason = '''
claim = "not a key"
'''
"""


def test_a_good_text_is_read_whole_and_lists_are_put_in_the_order_of_their_vocabulary() -> None:
    policy = parse_policy(GOOD, "house.toml")
    assert (policy.name, policy.version, policy.closed_world, policy.standing_goals) == ("house", "3", True, False)
    assert policy.class_rule(TaskClass.CREATE_EDIT).required == (FieldName.ACTION, FieldName.FINAL_SUPPORT)
    assert policy.class_rule(TaskClass.SEND).tolerated == (FieldName.TARGET,)
    first, rest = policy.rows
    assert {condition.axis: condition.values for condition in first.conditions} == {
        Axis.CLAIM: (Claim.SUCCESS, Claim.UNCLEAR),
        Axis.TRACE_STATE: (TraceState.COMPLETED,),
    }
    assert (first.disposition, first.mark) == (Disposition.PASS, Mark.UNDERCLAIM)
    assert (rest.conditions, rest.mark) == ((), None)
    assert policy.row(rest.id) is rest


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "part"),
    [
        ('name = "house"', "nom = 1", 2, "nom", "unknown key"),
        ('name = "house"', "name = 7", 2, "name", "must be a text"),
        ('name = "house"', 'name = "two words"', 2, "name", "identifier"),
        ('name = "house"\n', "", 1, "name", "missing"),
        ('version = "3"', 'version = ""', 3, "version", "empty"),
        ("closed_world = true", 'closed_world = "yes"', 5, "closed_world", "true or false"),
        ('delete = ["action"]\n', "", 8, "required.delete", "missing"),
        ('delete = ["action"]', "delete = []", 10, "required.delete", "at least one"),
        ('delete = ["action"]', 'delete = ["action", "action"]', 10, "required.delete", "twice"),
        ('  "target",', '  "targte",', 12, "required.send", "'targte' is not one of: action, target"),
        ('delete = ["action"]', 'erase = ["action"]', 10, "required.erase", "unknown key"),
        ('send = ["target"]', 'send = ["commitment"]', 20, "tolerated.send", "not among the required"),
        ('send = ["target"]', 'delete = ["action"]', 20, "tolerated.delete", "at least one required field"),
        ('"UNCLEAR", "SUCCESS"', '"UNCLEAR", "success"', 24, "row[1].claim", "'success' is not one of"),
        ('trace_state = "COMPLETED"', 'state = "COMPLETED"', 25, "row[1].state", "unknown key"),
        ('disposition = "REVIEW"', 'disposition = "BLOCK"', 32, "row[2].disposition", "PASS, REVIEW, FLAG"),
        ('disposition = "REVIEW"\n', "", 30, "row[2].disposition", "missing"),
        ('mark = "underclaim"', 'mark = "good"', 27, "row[1].mark", "not one of"),
        ('reason = "A reason."\n', "", 22, "row[1].reason", "missing"),
        ('id = "rest"', 'id = "first"', 31, "row[2].id", "taken"),
        ('id = "rest"', "id = [1]", 31, "row[2].id", "must be a text"),
        ("[tolerated]", "[tolerated", 19, "", "not valid TOML"),
        ('id = "rest"', 'id = "rest', 31, "", "not valid TOML"),
        ("claim = \"not a key\"\n'''", "", 34, "", "not valid TOML"),
    ],
)
def test_every_mistake_is_told_with_line_and_key(old: str, new: str, line: int, key: str, part: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(PolicyError) as caught:
        parse_policy(GOOD.replace(old, new), "house.toml")
    error = caught.value
    assert (error.source, error.line, error.key) == ("house.toml", line, key)
    assert part in error.message
    assert str(error).startswith(f"house.toml:{line}: ") and "\n" not in str(error)


@pytest.mark.parametrize("rows", ["row = []", "row = 3", "row = [1]", ""])
def test_a_policy_without_rows_is_badly_written(rows: str) -> None:
    head = GOOD[: GOOD.index("[required]")] + rows + "\n" + GOOD[GOOD.index("[required]") : GOOD.index("[[row]]")]
    with pytest.raises(PolicyError) as caught:
        parse_policy(head, "house.toml")
    assert caught.value.key == "row"


def test_a_table_cannot_even_name_the_report_where_the_trace_state_is_decided() -> None:
    for where in ("[required]\nclaim = 'SUCCESS'", "[tolerated]\nbasis = 'performed'"):
        section = where.split("\n")[0]
        with pytest.raises(PolicyError, match="unknown key"):
            parse_policy(GOOD.replace(section, where), "house.toml")
    with pytest.raises(PolicyError, match="standing_goals: must be true or false"):
        parse_policy(GOOD.replace("standing_goals = false", "standing_goals = {claim = 'SUCCESS'}"), "house.toml")


def test_hostile_texts_are_refused_in_one_line() -> None:
    for text in ("x = " + "[" * 100_000, "#" * (LIMIT + 1), 'na\x1b[31mme = "x"', "\x00", 'name = "\\u001b[2J"'):
        with pytest.raises(PolicyError) as caught:
            parse_policy(text, "bad.toml")
        assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)
        assert len(str(caught.value)) < 400


def test_too_many_rows_are_refused() -> None:
    row = '[[row]]\nid = "r{}"\ndisposition = "REVIEW"\nreason = "A reason."\n'
    head = GOOD[: GOOD.index("[[row]]")]
    assert len(parse_policy(head + "".join(row.format(at) for at in range(250)), "x").rows) == 250
    with pytest.raises(PolicyError, match="at most 250 rows"):
        parse_policy(head + "".join(row.format(at) for at in range(251)), "x")


def test_a_windows_file_is_read_as_any_other() -> None:
    text = "\ufeff" + GOOD.replace("\n", "\r\n")
    with pytest.raises(PolicyError) as caught:
        parse_policy(text.replace('id = "rest"', "id = 1"), "house.toml")
    assert (caught.value.line, caught.value.key) == (31, "row[2].id")
    assert parse_policy(text, "house.toml").name == "house"


def test_the_digest_follows_the_content_and_nothing_else() -> None:
    policy = parse_policy(GOOD, "a")
    same = GOOD.replace("# line 1", "# other words").replace('["UNCLEAR", "SUCCESS"]', '["SUCCESS",\n "UNCLEAR"]')
    assert parse_policy(same, "b").digest == policy.digest
    others = [
        GOOD.replace('version = "3"', 'version = "4"'),
        GOOD.replace("closed_world = true", "closed_world = false"),
        GOOD.replace('send = ["target"]', 'send = ["action"]'),
        GOOD.replace('reason = "A reason."', 'reason = "Another."'),
        GOOD.replace('mark = "underclaim"\n', ""),
        GOOD.replace('trace_state = "COMPLETED"', 'trace_state = "UNKNOWN"'),
    ]
    assert len({parse_policy(text, "c").digest for text in others} | {policy.digest}) == len(others) + 1


names = st.sampled_from(["a", "b-c", "row", "'quo=ted'", '"dou#ble"'])
values = st.sampled_from(
    [
        "1",
        "true # [[no]]",
        '"x = [1]"',
        "'[y'",
        "[\n  1, # ]\n  '[[z]]',\n]",
        '"""\n[in]\nk = 1\n""\\""""',
        "'''\n[[in]]\n#'''",
        "{ inner = [1, 2], b = '}' }",
    ]
)


@given(st.lists(st.tuples(st.booleans(), names, values), max_size=8, unique_by=lambda item: item[1]))
@settings(max_examples=150, deadline=None)
def test_lines_are_those_on_which_the_keys_were_written(items: list[tuple[bool, str, str]]) -> None:
    text, expected, table, count = "", dict[tuple[str | int, ...], int](), tuple[str | int, ...](), -1
    for opens_table, name, value in items:
        if opens_table:
            count += 1
            table = ("t", count)
            expected[table] = text.count("\n") + 1
            text += "[[ t ]] # [x]\n"
        expected[(*table, name.strip("'\""))] = text.count("\n") + 1
        text += f"  {name} = {value}\n\n"
    assert lines_of_keys(text) == expected


def test_nested_tables_are_counted_under_their_latest_entry() -> None:
    text = "[[case]]\na = 1\n[[case.part]]\nb = 1\n[[case.part]]\nb = 2\n[case.expect]\nc = 1\n"
    text += "[[case]]\n[[case.part]]\nb = 3\n"
    lines = lines_of_keys(text)
    assert lines[("case", 0, "part", 1, "b")] == 6
    assert lines[("case", 0, "expect", "c")] == 8
    assert lines[("case", 1, "part", 0, "b")] == 11


def test_all_built_in_policies_are_well_written() -> None:
    for name in policy_samples.BUILT_IN:
        assert policy_samples.built_in(name).name == name
