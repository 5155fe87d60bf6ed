import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracewitness.values.redaction import Secret, counted, cut_out, find_secrets, redact
from tracewitness.values.secret_patterns import SecretKind

ROOT = Path(__file__).parents[2]
KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75u\nq83kfjGHdkfj39fkd\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.SflKxwRJSMeKKF2QT4fw"

SECRETS = [
    ("token", "sk-proj-Abc123Def456Ghi789Jkl012", "the key is {} today"),
    ("token", "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a", "{}"),
    ("token", "github_pat_11ABCDEFG0123456789_abcdefg", "push with {}"),
    ("token", "AKIA" + "IOSFODNN7EXAMPLE", "aws: {};"),
    ("token", "xoxb-123456789012-abcDEF", "slack {}"),
    ("token", "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "maps?key {}"),
    ("token", JWT, "session {}."),
    ("token", "abcdef1234567890abcd", "Authorization: Bearer {}"),
    ("token", "abcdef1234567890abcd", '{{"Authorization": "Bearer {}"}}'),
    ("token", "dXNlcjpwYXNz", "curl -H 'Authorization: Basic {}'"),
    ("credentials", "dXNlcjpwYXNzd29yZA==", "sent Basic {} to it"),
    ("token", "s3cr3tvalue", "https://app.test/cb?a=1&access_token={}&b=2"),
    ("token", "QWERTYUI", "GET /v1?api_key={}"),
    ("token", "qwer1234tyui", "api_key: {}"),
    ("token", "qwer1234tyui", '"client_secret": "{}"'),
    ("credentials", "bob:hunter2", "https://{}@host.test/x"),
    ("password", "hunter2", "password={}&user=bob"),
    ("password", "correct horse", '{{"password": "{}", "b": 2}}'),
    ("password", "hunter2", '{{\\"password\\": \\"{}\\"}}'),
    ("password", "hunter2", "field Password = '{}'"),
    ("password", "hunter2", "Passwort: {}"),
    ("password", "hello1234", "- Password: `{}`, then sign in"),
    ("password", "Password.123", "the shop's password is `{}` (not another)"),
    ("password", "letmein", "password='{}'"),
    ("password", "hunter2", "密码：{}"),
    ("password", "Secr3t!", "The password is '{}'."),
    ("password", "tr0ub4dor", "I set the password to {} now"),
    ("password", "hunter2", "<input type='password' value='{}'>"),
    ("password", "hunter2", '<node text="{}" class="EditText" password="true" />'),
    ("cookie", "sid=38afes7a8; theme=dark", "Cookie: {}\nHost: app.test"),
    ("cookie", "sid=38afes7a8; Path=/", '{{"Set-Cookie": "{}"}}'),
    (
        "private-key",
        KEY.split("-----")[2].strip(),
        "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
    ),
    ("code", "483920", "Your verification code is {}."),
    ("code", "483920", "{} is your login code"),
    ("code", "483920", "验证码：{}"),
    ("code", "483 920", "OTP: {}"),
]

HARMLESS = [
    "Write to bob@example.com and anna.b@mail.example.de",
    "order 483920 of 2026-03-01, total 1,234.50, phone 555-0142",
    "Basic information about the Bearer of good news",
    "Password: Change",
    "Password: At least 8 characters",
    'node password="false" token="" secret=null',
    'password="<secret:login_password>" token=<secret:api>',
    "password=${DB_PASSWORD} password=**** password: required",
    "Forgot password? Reset token sent. The password is required.",
    "sk-loading-spinner wide sk-toggle-2",
    "Cookie: we use them. Cookies: Accept",
    "Authorization: approved by the team",
    "https://app.test:8080/a@b?page=2&sort=token",
    "promo code 483920, code 1234, PIN area 110001",
    "1,200 tokens used; token_count=1234567890; token: 2026-03-01T10:00",
    "Passwords last changed: 12/03/2026",
    'password = ACCOUNTS["shop"] password=get_password(user) password = os.environ["DB"]',
    "session_id=35cc6c90-b657-4819-b66c-c931c03ad569",
]


@pytest.mark.parametrize(("kind", "secret", "around"), SECRETS)
def test_a_secret_is_replaced_and_what_stands_around_it_is_kept(kind: str, secret: str, around: str) -> None:
    found = redact(around.format(secret))
    assert found.text == around.format(f"[redacted:{kind}]")
    assert found.counts == {SecretKind(kind): 1}


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_text_and_placeholders_are_left_as_they_are(text: str) -> None:
    assert redact(text).text == text


PIECES = st.one_of(
    st.sampled_from([around.format(secret) for _, secret, around in SECRETS]),
    st.sampled_from(HARMLESS),
    st.sampled_from(
        ["password", "=", ": ", '"', "'", "\\", "token", "Cookie:", "[redacted:token]", "://", "@", "\n", " "]
    ),
    st.text(max_size=8),
)


@given(st.lists(PIECES, max_size=8).map(" ".join))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text
    assert sum(once.counts.values()) == len(find_secrets(text))


@given(st.lists(PIECES, max_size=6).map("".join), st.sampled_from(SECRETS), st.sampled_from(["\n", "\n\n"]))
def test_a_secret_on_a_line_of_its_own_is_found_whatever_else_stands_there(
    before: str, planted: tuple[str, str, str], gap: str
) -> None:
    kind, secret, around = planted
    if "BEGIN" in before or kind == "private-key":
        return
    text = before.replace(secret, "") + gap + around.format(secret)
    assert secret not in redact(text).text


@given(st.text(max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_of_a_secret_that_a_piece_cuts_no_character_remains(text: str, first: int, second: int) -> None:
    whole = f"{text}\nkey {'AKIA' + 'IOSFODNN7EXAMPLE'} end"
    start, end = sorted((min(first, len(whole)), max(len(whole) - second, 0)))
    if start > end:
        return
    (secret,) = [one for one in find_secrets(whole) if whole[one.start : one.end] == "AKIA" + "IOSFODNN7EXAMPLE"]
    piece = cut_out(whole[start:end], [secret], start).text
    kept = whole[start : max(secret.start, start)] + whole[min(secret.end, end) : end]
    assert piece.replace("[redacted:token]", "") == (kept if secret.start < end and start < secret.end else piece)


def test_known_passwords_are_replaced_wherever_they_stand() -> None:
    assert redact("it says xK9!pq here", ["xK9!pq"]).text == "it says [redacted:password] here"
    assert redact("on", ["on"]).text == "on"  # too short to be told from a word


def test_secrets_that_overlap_are_one() -> None:
    assert redact(f"Cookie: a=1; token={JWT}").counts == {SecretKind.COOKIE: 1}
    assert find_secrets("abc") == ()
    assert find_secrets("password=abcd")[0] == Secret(9, 13, SecretKind.PASSWORD)


def test_the_notice_counts_by_kind() -> None:
    counts = {SecretKind.PASSWORD: 1, SecretKind.TOKEN: 2, SecretKind.PRIVATE_KEY: 2, SecretKind.CREDENTIALS: 2}
    assert counted(counts) == "redacted: 2 tokens, 1 password, 2 private keys, 2 credentials"
    assert counted({}) is None


HOSTILE = [
    "sk-", "eyJ.", "password:", "password=' ", "cookie:a=", "://a:", "bearer ", "authorization:bearer ", "token=",
    "type=password ", 'text="a" password="true" ', "verification code is ", "-----BEGIN PRIVATE KEY-----", "?token=",
    "password\\\\", "1234 is your ", "_", "password is ", "api_token", "Cookie: \"",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_the_work_is_linear(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        best = 9.0
        for _ in range(3):
            started = time.perf_counter()
            redact(text)
            best = min(best, time.perf_counter() - started)
        return best

    small, large = seconds(20_000), seconds(160_000)
    assert large < 30 * small + 0.05  # eight times the text; quadratic work would take sixty-four times as long


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _strings(each)
    elif isinstance(value, dict):
        for each in cast("dict[str, Any]", value).values():
            yield from _strings(each)


@pytest.mark.parametrize("folder", ["examples", "tests/cases"])
def test_nothing_is_redacted_in_the_runs_of_this_repository(folder: str) -> None:
    texts = 0
    for path in sorted((ROOT / folder).rglob("*.json*")):
        for text in _strings(json.loads(path.read_text(encoding="utf-8"))) if path.suffix == ".json" else ():
            texts += 1
            assert redact(text).text == text, path
    for path in sorted((ROOT / folder).rglob("*.xml")):
        assert redact(path.read_text(encoding="utf-8")).text == path.read_text(encoding="utf-8"), path
    assert texts > 20
