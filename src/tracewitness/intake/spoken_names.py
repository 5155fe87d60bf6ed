"""Names that people give to tools with which an agent ends or turns to a person: put together of words that say so.

Frameworks let their users add tools of their own, so there is no list of ``report_success``, ``finish_with_data`` and
``get_human_help``. A name counts only where every word of it belongs here, and ``roles`` asks of the arguments that
they only speak: ``report_issue`` and ``get_user`` are acts.
"""

import re
from functools import lru_cache

_BREAKS = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_WORDS = re.compile(r"[^\W\d_]+")
_NAME_SPACE = re.compile(r"[.:/]|__")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FILLING = _listed(
    "the a an my your it is as to for of in with and up from by agent final loop und mit der die das el la los las con "
    "y le les et avec il lo e o com "
    "user users benutzer nutzer usuario utilisateur utente usuário"
)
_ENDING = _listed(
    "report reports finish finished complete completed conclude finalize end return declare announce signal wrap "
    "melden melde beenden beende abschließen abschliessen fertig reportar informar terminar terminada finalizar "
    "concluir terminer conclure rapporter signaler terminare завершить сообщить afronden zakończ"
)
_WORK = _listed("task tasks run work conversation aufgabe tarea tâche tache compito tarefa задачу taak")
_VERDICTS = _listed(
    "success successful failure failed completion done outcome erfolg éxito exito fracaso succès échec sucesso"
)
_RESULTS = _listed(
    "answer answers result results outcome outcomes conclusion antwort ergebnis ergebnisse respuesta resultado "
    "resultados réponse résultat résultats risultato risposta результат ответ resultaat"
)
_TOLD = (
    _VERDICTS
    | _RESULTS
    | _listed("error data output outputs summary response status message reason fehler resumen résumé riepilogo resumo")
)
_OUTCOMES = _TOLD | _WORK
_HANDING = _listed("submit deliver provide give present return entregar enviar abgeben übermitteln fournir consegnare")
_SPEAKING = _listed("report text details findings explanation bericht informe rapport отчёт отчет nachricht mensaje")
_ASKED_FOR = _listed("status data output outputs summary error")
"""What a tool may give back as well, whose name has these words."""
_PERSONS = _listed(
    "human humans user users person people operator supervisor expert mensch menschen benutzer nutzer usuario humano "
    "persona utilisateur humain utente umano usuário человека пользователя gebruiker"
)
_ASKING = _listed(
    "ask asks request wait consult prompt help input confirm confirmation approval approve intervention question "
    "questions assistance feedback notify inform tell clarification clarify decision escalate "
    "frage fragen hilfe bestätigung preguntar pregunta pedir ayuda confirmación demander demande aide "
    "chiedere chiedi aiuto perguntar ajuda спросить помощь vraag"
)
_FETCHING = _listed("get need seek call contact hole holen obtener obtenir")


@lru_cache(maxsize=4096)
def words_of(name: str) -> frozenset[str]:
    """Return the words of a tool's own name, in whatever way it puts them together."""
    own = _NAME_SPACE.split(name[:200])[-1]
    return frozenset(word.casefold() for word in _WORDS.findall(_BREAKS.sub(" ", own)))


def ends_by_name(name: str) -> bool:
    """Tell whether a name says, and says nothing else, than that the agent ends or tells how it went."""
    words = words_of(name)
    if not _HANDING.isdisjoint(words) and not _RESULTS.isdisjoint(words):
        return words <= _HANDING | _RESULTS | _FILLING
    outcome = "to" in words or not _OUTCOMES.isdisjoint(words)
    return outcome and not _ENDING.isdisjoint(words) and words <= _ENDING | _OUTCOMES | _FILLING


def ends_by_name_alone(name: str) -> bool:
    """Tell whether a name says so much that nothing need be said: that the work is over, or how it went."""
    words = words_of(name)
    return ends_by_name(name) and not (_WORK | _VERDICTS).isdisjoint(words) and _ASKED_FOR.isdisjoint(words)


def tells_by_name(key: str) -> bool:
    """Tell whether the name of an argument says, and says nothing else, than that it tells how a run went."""
    words = words_of(key)
    told = _TOLD | _SPEAKING
    return not told.isdisjoint(words) and words <= told | _WORK | _ENDING | _FILLING


def asks_by_name(name: str) -> bool:
    """Tell whether a name says, and says nothing else, than that the agent turns to a person."""
    words = words_of(name)
    known = words <= _PERSONS | _ASKING | _FETCHING | _FILLING
    return known and not _PERSONS.isdisjoint(words) and not _ASKING.isdisjoint(words)
