"""What a call is one of, by its name and by which arguments it has: an act, an end, a note, a word to somebody.

Names alone do not tell. ``stop`` ends a run or stops an oven, ``answer`` gives the result or takes a phone call. The
arguments tell: what is acted on stands under other keys than what is said. Only the keys decide, never the words under
them, so that other words of an agent change nothing.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from tracewitness.intake.delegating import delegates
from tracewitness.intake.finishing import FINISH_KINDS, bare, is_finish_like, only_says, own_name
from tracewitness.intake.own_words import explains, is_narrating
from tracewitness.intake.spoken_names import asks_by_name, ends_by_name, ends_by_name_alone, tells_by_name

ANSWERS = (
    "text",
    "message",
    "answer",
    "content",
    "data",
    "result",
    "response",
    "final_answer",
    "output",
    "outputs",
    "reason",
    "summary",
    "conclusion",
)
"""Arguments in which a call that ends a run says how it ended."""
FLAGS = ("success", "status", "goal_status", "succeeded", "is_success", "completed", "task_completed")
"""Arguments in which it declares whether it succeeded."""
SAYING = frozenset({*ANSWERS, *FLAGS})
"""Arguments with which a call that may end the run speaks, also where it ends nothing: it is refused, say."""

_SAYS = frozenset(
    {
        *map(bare, SAYING),
        *map(
            bare,
            "nachricht antwort ergebnis mensaje respuesta resultado réponse résultat 消息 内容 答案 结果 回答 "
            "报告 总结 原因 状态 結果 報告 要約 "
            "メッセージ 결과 답변 메시지 요약 보고 результат ответ отчёт итог".split(),
        ),
        *map(
            bare,
            (
                "final",
                "input",
                "value",
                "mensaje",
                "mensagem",
                "messaggio",
                "сообщение",
                "task_complete",
                "summary_text",
                "title",
                "confidence",
                "commit_message",
            ),
        ),
    }
)
_ADDRESSES = frozenset(
    map(
        bare,
        (
            "to recipient recipients user user_id username channel channel_id chat chat_id thread thread_id contact "
            "conversation_id email phone phone_number call call_id room "
            "element target selector ref bid index id ids device entity form button item order job process service app "
            "application window tab node session timer alarm game vm container path file coordinate x y"
        ).split(),
    )
)
_MAY_END = frozenset(
    map(
        bare,
        (
            "end finish_run return return_result conclude finalize completion report report_back close reply_to_user "
            "tell_user output final beenden fertig abschließen terminar finalizar terminer répondre concluir "
            "完成 结束 结束任务 完成任务 回答 终止 завершить 完了 終了 완료 종료 "
            "提交报告 提交答案 提交结果 报告结果 汇报结果 任务完成 "
            "タスク完了 結果報告 回答提出 결과보고 작업완료 답변제출"
        ).split(),
    )
)
"""Names by which agents end a run, where they say something and name nothing that they act on."""
_MAY_SPEAK = frozenset(
    map(
        bare,
        (
            "say speak reply send_message log analyze set_status "
            "responder contestar antworten rispondere ответить 回复 答复 返信 답장"
        ).split(),
    )
)
"""Names by which agents speak, where they say something and name nobody and nothing."""
_ASKED = _SAYS | frozenset(
    map(
        bare,
        (
            "question questions prompt query request options choices context urgency timeout description frage "
            "optionen pregunta opciones"
        ).split(),
    )
)
"""What a person is asked or told stands under these."""
_IDENTIFIER = re.compile(r"(?:^id|_id|Id|ID)s?$")


class Role(StrEnum):
    """What a call is one of."""

    ACTS = "acts"
    ENDS = "ends"
    """It ends the run, or tries to: all that it carries is said."""
    MAY_END = "may end"
    """It ends the run or acts; what came before and after it decides."""
    UNDECIDED = "undecided"
    """It is called like an end and addresses somebody or something: nothing of it is shown, and that it was done is."""
    SPEAKS = "speaks"
    NOTES = "notes"
    DELEGATES = "delegates"


def role_of(name: str, arguments: Mapping[str, Any], kinds: frozenset[str] = FINISH_KINDS) -> Role:
    """Return what a call is one of.

    Args:
        name: The tool.
        arguments: Its arguments; nothing but their keys counts, and whether they hold several values.
        kinds: The kinds by which agents end a run.
    """
    if delegates(name, arguments):
        return Role.DELEGATES
    if is_narrating(name) or (asks_by_name(name) and _only_speaks(arguments, _ASKED)):
        return Role.NOTES
    if only_says(name, kinds):
        return Role.UNDECIDED if _is_addressed(arguments) else Role.ENDS
    if is_finish_like(name, kinds):
        return Role.ACTS if _acts_on_something(arguments) else Role.MAY_END
    if not arguments:
        return Role.ENDS if ends_by_name_alone(name) else Role.ACTS
    if ends_by_name(name) and all(explains(key) or bare(key) in _SAYS or tells_by_name(key) for key in arguments):
        return Role.ENDS
    if _only_speaks(arguments):
        if own_name(name) in _MAY_END:
            return Role.ENDS
        if own_name(name) in _MAY_SPEAK:
            return Role.SPEAKS
    return Role.ACTS


def _is_addressed(arguments: Mapping[str, Any]) -> bool:
    """Tell whether arguments name somebody or something besides what is said."""
    return any(_addresses(key) for key in arguments)


def _addresses(key: str) -> bool:
    return bare(key) in _ADDRESSES or _IDENTIFIER.search(key) is not None


def _acts_on_something(arguments: Mapping[str, Any]) -> bool:
    """Tell whether arguments name what is acted on and leave no place for words."""
    keys = [key for key in arguments if not explains(key)]
    return bool(keys) and all(_addresses(key) and _is_short(arguments[key]) for key in keys)


def _is_short(value: Any) -> bool:
    """Tell the name of a thing from a sentence."""
    return not isinstance(value, str) or (len(value) <= 80 and len(value.split()) <= 8)


def _only_speaks(arguments: Mapping[str, Any], said: frozenset[str] = _SAYS) -> bool:
    keys = [key for key in arguments if not explains(key)]
    return all(bare(key) in said for key in keys)
