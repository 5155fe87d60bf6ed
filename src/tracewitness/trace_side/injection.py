"""Text in a trace that addresses a judge or grader. It is reported with its place and never followed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from tracewitness.findings.labels import StepPart
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import load_text
from tracewitness.trace_side.trace import Step, Trace

QUOTE_LIMIT = 200
"""Longest quote handed on, in characters."""

_LINE_LIMIT = 4000
_KEPT_LENGTH = 400
_STEMS = (
    *("grader", "judge", "evaluator", "auditor", "assessor", "rater", "verifier", "reviewer", "scorer", "evaluation"),
    *("previous", "prior", "above", "earlier", "preceding", "system", "this run", "the run", "that run", "this task"),
    *(
        "the task",
        "this tra",
        "the tra",
        "this att",
        "the att",
        "output",
        "answer",
        "return",
        "respond",
        "reply",
        "emit",
    ),
    *("print", "episode", "llm", "gutachter", "prüfer", "bewert", "prüfmodell", "auswerter", "juror", "ki-", "richter"),
    *(
        "anweisung",
        "instru",
        "vorgaben",
        "befehle",
        "regeln",
        "lauf",
        "versuch",
        "vorgang",
        "antworte",
        "gib ",
        "geben",
    ),
    *("évaluat", "correcteur", "juge", "examinateur", "auditeur", "vérificateur", "consigne", "règle", "directive"),
    *("exécution", "tâche", "session", "parcours", "répond", "affiche", "renvoie", "renvoyez", "evaluador", "juez"),
    *("jueces", "calificador", "revisor", "indicacion", "reglas", "órdenes", "ejecución", "tarea", "traza", "intento"),
    *("responde", "responda", "devuelv", "imprim", "escrib", "avaliador", "juiz", "juíz", "corretor", "verificador"),
    *("regras", "ordens", "orientaç", "indicaç", "execução", "tarefa", "trilha", "sessão", "tentativa", "devolva"),
    *("escreva", "评", "裁判", "打分", "审", "指令", "指示", "提示", "规则", "要求", "运行", "任务", "轨迹", "执行"),
    *("输出", "回答", "返回", "回复", "採点", "評価", "審査", "判定", "監査", "命令", "ルール", "プロンプト", "実行"),
    *("タスク", "ラン", "試行", "軌跡", "出力", "返答", "채점", "평가", "심사", "판정", "감사", "지시", "명령", "규칙"),
    *("프롬프트", "지침", "실행", "작업", "시도", "기록", "출력", "응답", "반환"),
)
_ASCII_STEMS = tuple(stem for stem in _STEMS if stem.isascii())
_BEFORE_QUOTE = "'\"([{<>|*-:,.;“„«「 "


@dataclass(frozen=True, slots=True)
class JudgeAddressed:
    """A place where a text addresses a judge: the citation is ``(step, part)`` with the quote."""

    step: int
    part: StepPart
    quote: str


def find_judge_addressed(trace: Trace) -> tuple[JudgeAddressed, ...]:
    """Return the places in a trace where a text addresses a judge or dictates a verdict, each text once, in order.

    It looks into what the environment showed, its errors, and what the agent typed, in eight languages.
    """
    found: dict[str, JudgeAddressed] = {}
    for step in trace.steps:
        for part, text in _texts(step):
            for quote in lines_to_judges(text):
                found.setdefault(quote, JudgeAddressed(step.index, part, quote))
    return tuple(found.values())


def _texts(step: Step) -> Iterator[tuple[StepPart, str]]:
    for part, observation in ((StepPart.BEFORE, step.before), (StepPart.AFTER, step.after)):
        if observation is not None:
            yield from ((part, text) for text in (observation.text, observation.ui_tree) if text)
    yield from ((StepPart.ACTION, text) for text in (step.action.text, step.action.raw) if text)
    if step.error:
        yield StepPart.ERROR, step.error


@lru_cache(maxsize=2048)
def lines_to_judges(text: str) -> tuple[str, ...]:
    """Return the parts of a text, at most 200 characters each, that address a judge."""
    quotes = (_quote_once(line) if len(line) <= _KEPT_LENGTH else _quote_in(line) for line in text.split("\n"))
    return tuple(quote for quote in quotes if quote is not None)


@lru_cache(maxsize=16384)
def _quote_once(line: str) -> str | None:
    return _quote_in(line)


def _quote_in(line: str) -> str | None:
    """Return the part of a line that addresses a judge, None for most lines."""
    folded = comparable(line)
    if not _holds_any(folded, _ASCII_STEMS if line.isascii() else _STEMS):
        return None
    found = _pattern().search(folded[:_LINE_LIMIT])
    return line[found.start() : found.start() + QUOTE_LIMIT].strip().lstrip(_BEFORE_QUOTE) if found else None


def _holds_any(text: str, stems: tuple[str, ...]) -> bool:
    for stem in stems:  # any() takes twice as long, and nearly every line of every screen comes here
        if stem in text:
            return True
    return False


@cache
def _pattern() -> re.Pattern[str]:
    place = files("tracewitness.trace_side").joinpath("data", "judge_words.tsv")
    lexicon = load_text(place.read_text(encoding="utf-8"), "trace_side/data/judge_words.tsv")
    return re.compile("|".join(f"(?:{entry.pattern.removeprefix('re:')})" for entry in lexicon.entries))
