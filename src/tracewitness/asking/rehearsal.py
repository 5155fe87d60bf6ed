"""A model that is only rehearsed: it answers nothing, costs nothing, and counts what the questions would cost.

Every question gets the smallest answer that its schema allows. Equal answers settle every vote at the earliest, so what
is counted is the least that an audit costs; the most is known from the full number of runs.
"""

import json
from dataclasses import dataclass
from typing import Any, cast

from tracewitness.asking.budget import Tariff
from tracewitness.asking.port import Answer, Question


@dataclass(slots=True)
class Foreseen:
    """What the rehearsed questions would cost.

    Attributes:
        calls: How many there were.
        input_tokens: Their tokens.
        most_output_tokens: The most tokens of their answers.
        least_microusd: What the questions alone cost, in millionths of a US dollar; 0 where no price is known.
        most_microusd: What they cost with the longest answers.
        kept: Answers that are kept already, so that their questions are not among the calls.
    """

    calls: int = 0
    input_tokens: int = 0
    most_output_tokens: int = 0
    least_microusd: int = 0
    most_microusd: int = 0
    kept: int = 0

    def add(self, question: Question, tariff: Tariff) -> None:
        """Count a question."""
        asked, answered = tariff.most_tokens(question)
        self.calls += 1
        self.input_tokens += asked
        self.most_output_tokens += answered
        if tariff.price is not None:
            self.least_microusd += tariff.price.microusd(asked, 0)
            self.most_microusd += tariff.price.microusd(asked, answered)


class RehearsalAsker:
    """Stands in for a model that is not asked.

    Args:
        model: The name of the model.
        parameters: Its parameters.
        tariff: How the cost of a question is told.
        foreseen: Where it is counted; several models may share it.
    """

    def __init__(self, model: str, parameters: str, tariff: Tariff, foreseen: Foreseen) -> None:
        self._model = model
        self._parameters = parameters
        self._tariff = tariff
        self._foreseen = foreseen

    @property
    def model(self) -> str:
        """Return the name of the model."""
        return self._model

    @property
    def parameters(self) -> str:
        """Return the parameters of the model."""
        return self._parameters

    async def ask(self, question: Question) -> Answer:
        """Count a question, and give the smallest answer that its schema allows."""
        self._foreseen.add(question, self._tariff)
        value = cast(dict[str, Any], smallest(json.loads(question.schema)))
        return Answer(json.dumps(value), value, self._model, parameters=self._parameters, microusd=0)


def smallest(schema: dict[str, Any]) -> Any:
    """Return the smallest value that fits a schema of the kind that readers ask for."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        return {name: smallest(each) for name, each in schema.get("properties", {}).items()}
    plain: dict[str, Any] = {"array": [], "string": "", "integer": 0, "number": 0, "boolean": False}
    return plain.get(str(kind))
