"""The patterns of secrets. Each starts at a fixed mark and takes a value once, so the work is linear in the text."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from tracewitness.values.secret_forms import is_basic_credentials, is_random, is_telling

_LONGEST_NODE = 2000
_LOOKED_UP = re.compile(r"[A-Za-z_][\w.]*[\[(]")


class SecretKind(StrEnum):
    """What was redacted, as it is written in its place."""

    TOKEN = "token"
    PASSWORD = "password"
    PRIVATE_KEY = "private-key"
    COOKIE = "cookie"
    CREDENTIALS = "credentials"
    CODE = "code"


def took_part(match: re.Match[str], name: str) -> bool:
    """Return whether a pattern has a group of that name and it took part in the match."""
    return name in match.re.groupindex and match.start(name) >= 0


Check = Callable[[re.Match[str], str], bool]


def _any(match: re.Match[str], value: str) -> bool:
    return True


def _random(match: re.Match[str], value: str) -> bool:
    return is_random(value)


def _basic(match: re.Match[str], value: str) -> bool:
    return is_basic_credentials(value)


def _headed(match: re.Match[str], value: str) -> bool:
    """A value after ``Authorization:`` is one by its scheme; without a scheme it must look like one."""
    return match.group("scheme") is not None or is_random(value)


def _labelled(match: re.Match[str], value: str) -> bool:
    """A value beside a word for password: any in code and data, in words for people only what looks like a password.

    Code and data write the name in small letters and put ``=`` or a quotation mark before the value. On a screen,
    ``Password: Change`` is a label and a button.
    """
    written = match.group("label")
    in_code = written.isascii() and not written[0].isupper() and " " not in written
    quoted = took_part(match, "q") or took_part(match, "s")
    if not quoted and _LOOKED_UP.match(value):
        return False
    if in_code and (quoted or match.group("joint").strip() == "="):
        return True
    return is_telling(value)


def _in_password_node(match: re.Match[str], value: str) -> bool:
    """The node of a UI dump says of itself that it is a password field."""
    end = match.string.find("<", match.end(), match.end() + _LONGEST_NODE)
    return match.string.find('password="true"', match.end(), end if end >= 0 else match.end() + _LONGEST_NODE) >= 0


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern of a secret.

    Attributes:
        kind: What it finds.
        marks: Small-letter pieces of which one must stand in a text before the pattern is tried.
        pattern: Group ``q`` is a value in quotation marks, ``u`` a bare one, ``s`` one of a form of its own.
        check: Tells whether the value that was found is a secret.
    """

    kind: SecretKind
    marks: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Check = _any


def _compiled(*pieces: str) -> re.Pattern[str]:
    return re.compile("".join(pieces), re.IGNORECASE)


_VALUE = r"""(?:\\*["“](?P<q>[^"”\r\n]{1,256})|\\*'(?P<s>[^'\r\n]{1,256})|`?(?P<u>[^\s"'`<>&;,]+))"""
_JOINT = r"""\\*["'”]?[ \t]*(?P<joint>[:=：]|=>)[ \t]*"""

_OWN_FORMS = (
    r"sk[-_][a-z0-9_-]{16,}|[rp]k_(?:live|test)_[a-z0-9]{10,}|gh[pousr]_[a-z0-9]{16,}|github_pat_[a-z0-9_]{20,}",
    r"glpat-[a-z0-9_-]{16,}|(?<![+/])(?:akia|(?-i:ASIA))[a-z0-9]{16}(?![a-z0-9+/])|xox[a-z]-[a-z0-9-]{8,}",
    r"xapp-[a-z0-9-]{16,}|aiza[a-z0-9_-]{30,}|ya29\.[a-z0-9_-]{20,}|(?:npm|hf)_[a-z0-9]{30,}|pypi-[a-z0-9_-]{40,}",
    r"sg\.[a-z0-9_-]{16,}\.[a-z0-9_-]{16,}|dop_v1_[a-f0-9]{40,}|whsec_[a-z0-9]{20,}",
)
_TOKEN_NAMES = (
    r"(?:api|access|auth|authentication|refresh|id|bearer|session|private|security|personal[ _-]access)[ _-]?token",
    r"(?:api|secret|access|secret[_-]access|session)[ _-]?key|apikey|client[ _-]?secret",
)
_URL_NAMES = r"token|auth|secret|sig|signature|sid|x-amz-(?:signature|credential|security-token)|otp"
_PASSWORD_NAMES = (
    r"pass(?:word|wd|phrase|code)|\bpwd|passwort|kennwort|mot de passe|contrase[ñn]a|senha",
    r"|密码|密碼|口令|パスワード|비밀번호|пароль",
)
PASSWORD_WORD = _compiled(*_PASSWORD_NAMES)
"""A word for password, in any of the languages."""

_CODE_NAMES = (
    r"(?:verification|security|one[- ]?time|authentication|authenticator|login|sign-in|2fa|sms)[ -]?",
    r"(?:pass)?(?:code|password|pin)|\botp(?: code)?",
    r"|(?:bestätigungs|sicherheits|verifizierungs|einmal)-?(?:code|passwort)|code de (?:vérification|sécurité)",
    r"|c[óo]digo de (?:verificación|verificação|seguridad|segurança)",
    r"|验证码|驗證碼|校验码|动态码|認証コード|確認コード|인증 ?번호|인증 ?코드",
)
_DIGITS = r"(?P<s>\d{4,8}|\d{3}[- ]\d{3})(?![\d.,:/-]?\d)"

RULES: tuple[Rule, ...] = (
    Rule(
        SecretKind.PRIVATE_KEY,
        ("private key-----",),
        _compiled(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?P<s>(?:[^-]|-(?!----)){1,20000})"),
    ),
    Rule(
        SecretKind.COOKIE,
        ("cookie",),
        _compiled(
            r"""\b(?:set-)?cookie\\*["']?[ \t]*[:=][ \t]*(?:\\*"(?P<q>[^"\r\n=]{1,128}=[^"\r\n]+)""",
            r"""|\\*'(?P<s>[^'\r\n=]{1,128}=[^'\r\n]+)|(?P<u>[^\s=;,"'\\]{1,128}=[^\r\n]+))""",
        ),
    ),
    Rule(
        SecretKind.TOKEN,
        ("authorization",),
        _compiled(
            r"""authorization\\*["']?[ \t]*[:=][ \t]*\\*["']?(?P<scheme>(?:bearer|basic|token|apikey|negotiate)[ \t]+"""
            r"""|(?:digest|aws4-hmac-sha256)[ \t](?P<s>[^\r\n]+))?(?P<u>[^\s"',;]+)?"""
        ),
        _headed,
    ),
    Rule(
        SecretKind.TOKEN,
        (
            "sk-",
            "sk_",
            "k_live_",
            "k_test_",
            "gh",
            "github_pat_",
            "glpat-",
            "akia",
            "asia",
            "xox",
            "xapp-",
            "aiza",
            "ya29.",
            "npm_",
        )
        + ("hf_", "pypi-", "sg.", "dop_v1_", "whsec_"),
        _compiled(r"(?<![a-z0-9])(?P<s>", "|".join(_OWN_FORMS), ")"),
        _random,
    ),
    Rule(
        SecretKind.TOKEN,
        ("eyj",),
        _compiled(r"(?<![\w-])(?P<s>eyj[a-z0-9_-]{8,}\.[a-z0-9_-]{4,}(?:\.[a-z0-9_-]+)?)"),
    ),
    Rule(SecretKind.TOKEN, ("bearer",), _compiled(r"\bbearer[ \t]+(?P<u>[a-z0-9._~+/=-]{12,})"), _random),
    Rule(SecretKind.CREDENTIALS, ("basic",), _compiled(r"\bbasic[ \t]+(?P<s>[a-z0-9+/]{8,}={0,2})"), _basic),
    Rule(
        SecretKind.CREDENTIALS,
        ("://",),
        _compiled(r"""(?<=://)(?P<s>[^\s/@:?#"'<>]{1,256}:[^\s/@?#"'<>]{1,256})(?=@)"""),
    ),
    Rule(
        SecretKind.TOKEN,
        ("token=", "key=", "auth=", "secret=", "sig=", "signature=", "sid=", "credential=", "otp="),
        _compiled("[?&#;](?:", "|".join((*_TOKEN_NAMES, _URL_NAMES)), r""")=(?P<u>[^\s&#"'<>;]+)"""),
    ),
    Rule(
        SecretKind.TOKEN,
        ("token", "key", "secret"),
        _compiled("(?:", "|".join((*_TOKEN_NAMES, r"\btoken|\bsecret")), ")", _JOINT, _VALUE),
        _random,
    ),
    Rule(
        SecretKind.PASSWORD,
        ("passw", "passp", "passc", "pwd", "kennwort", "mot de passe", "contrase", "senha", "密码", "密碼", "口令")
        + ("パスワード", "비밀번호", "пароль"),
        _compiled("(?P<label>", *_PASSWORD_NAMES, ")", _JOINT, _VALUE),
        _labelled,
    ),
    Rule(
        SecretKind.PASSWORD,
        ("passw", "passc", "passp", "kennwort"),
        _compiled(
            "(?:",
            *_PASSWORD_NAMES,
            ") (?:is|to|as|ist|auf) ",
            r"""(?:["“](?P<q>[^"”\s]{4,256})["”]|'(?P<s>[^'\s]{4,256})'|`?(?P<u>[^\s"'“`<>]{6,256}))""",
        ),
        lambda match, value: is_telling(value),
    ),
    Rule(
        SecretKind.PASSWORD,
        ("password",),
        _compiled(r"""type=["']?password["']?[^<>\r\n]{0,200}?\bvalue=["'](?P<s>[^"'<>\r\n]{1,256})"""),
    ),
    Rule(
        SecretKind.PASSWORD,
        ('password="true"',),
        _compiled(r"""\btext="(?P<q>[^"<>]{1,256})\""""),
        _in_password_node,
    ),
    Rule(
        SecretKind.CODE,
        ("code", "otp", "pin", "password", "passwort", "código", "codigo", "验证码", "驗證碼", "校验码", "动态码")
        + ("コード", "인증"),
        _compiled(
            "(?:",
            *_CODE_NAMES,
            r""")(?:[ \t]*(?:is|ist|lautet|est|es|é|是|为|為|は)?[ \t]*[:：=]?[ \t]*)["'“「]?""",
            _DIGITS,
        ),
    ),
    Rule(
        SecretKind.CODE,
        ("code", "otp", "pin", "password"),
        _compiled(r"(?<![\d.,:/-])", _DIGITS, r" is (?:your|the) (?:[a-z]{1,20} ){0,2}(?:", *_CODE_NAMES, ")"),
    ),
)
