from typing import Any

import pytest

from tracewitness.intake.calls import Call
from tracewitness.intake.elements import Element
from tracewitness.intake.phone_actions import phone_action
from tracewitness.intake.ui_dump import Box
from tracewitness.intake.written_objects import written_object


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"action": "click"}', {"action": "click"}),
        (" {'action': 'click', 'coordinate': (1, 2)} ", {"action": "click", "coordinate": [1, 2]}),
        ("{'on': True, 'none': None, 'many': 1e999}", {"on": True, "none": None, "many": None}),
        ("{1: {'a'}}", {"1": "{'a'}"}),
        ("{'text': '\\ud800!'}", {"text": "\ufffd!"}),
        ("{'bytes': b'x'}", {"bytes": "b'x'"}),
        ("{'a': 1, 'a': 2}", {"a": 2}),
        ("['click']", None),
        ("{'a': open('x')}", None),
        ("{'a': 1", None),
        ("{" * 10_000, None),
        ("{'a': '" + "x" * 200_000 + "'}", None),
        ("", None),
    ],
)
def test_an_object_is_read_as_data(text: str, value: Any) -> None:
    assert written_object(text) == value


def test_a_point_is_named_by_what_it_lies_on() -> None:
    elements = [Element("page", Box(0, 0, 100, 100)), Element("Wi-Fi", Box(0, 0, 50, 50))]
    assert phone_action(Call("click", {"coordinate": [10, 10]}), elements)[0].target == "Wi-Fi"
    assert phone_action(Call("click", {"coordinate": [500, 10]}), elements)[0].target == "(500, 10)"
    assert phone_action(Call("open", {"text": "Settings"}))[0].kind == "open_app"
