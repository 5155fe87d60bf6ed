"""Arguments of actions: which say what was done in the browser, and which are the agent's own words.

Of the actions that browser-use comes with, the arguments that act are known, and only those are kept. Other actions
(tools of the user) are calls as in any conversation: ends and words to somebody keep none, and the others all but those
in which the agent explains itself.
"""

from collections.abc import Mapping
from typing import Any

from tracewitness.intake.calls import Call, own_arguments
from tracewitness.intake.code.arguments import bare_arguments
from tracewitness.intake.finishing import FINISH_KINDS, only_says
from tracewitness.intake.formats.browser_use.history import Json
from tracewitness.intake.own_words import Hidden, explained, is_narrating, size_of, without_explanations
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.quoting import texts_in, worth_quoting
from tracewitness.intake.roles import Role, role_of

FILE_WRITES = frozenset({"write_file", "append_file", "replace_file", "replace_file_str", "edit_file"})
_FILE_KEYS = "file_name file path filename"
_CLICK = "index xpath selector coordinate_x coordinate_y x y button num_clicks new_tab while_holding_ctrl"
_TAB = "page_id tab_id index url"
_PAGES = "down num_pages pages amount direction index frame_element_index x y value"
_CHOICE = "index xpath text option value"
_EXTRACT = "url extract_links start_from_char extract_images"

_ACTING: Mapping[str, frozenset[str]] = {
    name: frozenset(keys.split())
    for names, keys in (
        ("go_to_url navigate open_tab open_new_tab", "url new_tab"),
        ("search search_google", "query engine"),
        ("click click_element click_element_by_index", _CLICK),
        ("input input_text", "index xpath selector text clear press_enter"),
        ("send_keys", "keys"),
        ("switch switch_tab close close_tab", _TAB),
        ("go_back go_forward refresh reload", ""),
        ("wait", "seconds value"),
        ("scroll scroll_down scroll_up", _PAGES),
        ("scroll_to_text find_text", "text value"),
        ("select_dropdown select_dropdown_option", _CHOICE),
        ("dropdown_options get_dropdown_options", "index xpath"),
        ("upload_file", "index path file_path file_name"),
        ("evaluate execute_javascript", "code script"),
        ("screenshot save_as_pdf read_file read_long_content", _FILE_KEYS),
        ("extract extract_content extract_page_content extract_structured_data", _EXTRACT),
        (" ".join(sorted(FILE_WRITES)), _FILE_KEYS),
    )
    for name in names.split()
}
"""By action the arguments that act. ``wait`` has a reason and ``extract`` a query: those are the agent's words."""


def sort_arguments(
    name: str, arguments: Json, *, final: bool, kinds: frozenset[str] = FINISH_KINDS
) -> tuple[Json, tuple[Hidden, ...]]:
    """Return the arguments the trace may hold, and what was hidden.

    Args:
        name: The action.
        arguments: Its arguments.
        final: Whether the action ends the run, so that its arguments are the report.
        kinds: The actions by which agents end; ahead of the end too, such a one speaks and acts on no page.
    """
    if final:
        hidden = (_hidden(name, key, value, Plane.REPORT) for key, value in arguments.items())
        return {}, tuple(hidden)
    kept, lost = _sorted(name, arguments, kinds)
    return kept, tuple(_hidden(name, place, value, Plane.NARRATION) for place, value in lost)


def role(name: str, arguments: Json, kinds: frozenset[str] = FINISH_KINDS) -> Role:
    """Return what an action is one of; of those that browser-use comes with, it is known."""
    known = name in _ACTING and not is_narrating(name) and not only_says(name, kinds)
    return Role.ACTS if known else role_of(name, arguments, kinds)


def said_in(name: str, arguments: Json, kinds: frozenset[str] = FINISH_KINDS) -> tuple[str, ...]:
    """Return the words of an action that are kept from the trace and would be no chance in its result."""
    kept, lost = _sorted(name, arguments, kinds)
    return worth_quoting((text for _, value in lost for text in texts_in(value)), texts_in(kept))


def _sorted(name: str, arguments: Json, kinds: frozenset[str]) -> tuple[Json, list[tuple[str, Any]]]:
    """Return the arguments that act, and place and value of those in which the agent speaks."""
    acting = None if is_narrating(name) or only_says(name, kinds) else _ACTING.get(name)
    if acting is None:
        return own_arguments(Call(name, arguments), kinds)
    kept = {key: value for key, value in arguments.items() if key in acting}
    lost = [(key, value) for key, value in arguments.items() if key not in kept]
    for key, value in kept.items():
        lost += [(f"{key}.{place}", held) for place, held in explained(value)]
    executed, said = bare_arguments(name, {key: without_explanations(value) for key, value in kept.items()})
    return executed, [*lost, *((place, "\n".join(words)) for place, words in said)]


def _hidden(name: str, key: str, value: Any, plane: Plane) -> Hidden:
    route = LeakRoute.FINISH_ARGUMENTS if plane is Plane.REPORT else _route(name)
    return Hidden(f"{name}.{key}", plane, route, size_of(value))


def _route(name: str) -> LeakRoute:
    return LeakRoute.CARRIED_MEMORY if name in FILE_WRITES or is_narrating(name) else LeakRoute.THOUGHTS
