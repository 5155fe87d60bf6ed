"""One word for one kind of action, whatever a framework calls it."""

from collections.abc import Mapping

from tracewitness.intake.finishing import bare

_NAMES: Mapping[str, str] = {
    "click": "click left_click tap touch click_element click_element_by_index click_at click_coordinates left_single "
    "mouse_click single_click click_input tap_element tap_by_index click_area",
    "double_click": "double_click doubleclick double_tap left_double dblclick",
    "triple_click": "triple_click",
    "right_click": "right_click right_single contextclick",
    "middle_click": "middle_click",
    "long_press": "long_press longpress long_tap long_press_element left_press",
    "hover": "hover mouse_move move move_to moveto mouse_hover",
    "type": "type input input_text type_text fill set_text text enter_text set_edit_text type_in keyboard_input "
    "insert_text press_sequentially write typewrite typing",
    "press_key": "press_key press key keypress hotkey keyboard_press send_keys key_press hold_key keyboard_enter "
    "press_enter button_press system_button keyboard enter",
    "scroll": "scroll wheel_mouse_input mouse_wheel scroll_page scroll_at scroll_down scroll_up",
    "swipe": "swipe swipe_element fling",
    "drag": "drag left_click_drag drag_and_drop drag_to dragto select_text drag_on_coordinates",
    "select": "select select_option select_dropdown select_dropdown_option choose_option",
    "check_box": "check check_box set_checked",
    "uncheck": "uncheck uncheck_box",
    "navigate": "navigate goto go_to_url open_url visit visit_page open_tab new_tab visit_url browser_navigate "
    "open_link",
    "navigate_back": "navigate_back go_back goback back press_back browser_back",
    "navigate_forward": "navigate_forward go_forward goforward",
    "navigate_home": "navigate_home press_home home go_home",
    "reload": "reload refresh",
    "open_app": "open_app launch start_app launch_app open_application",
    "switch_tab": "switch_tab switch tab_focus",
    "close_tab": "close_tab tab_close",
    "wait": "wait noop sleep do_nothing",
    "screenshot": "screenshot take_screenshot",
    "upload": "upload upload_file set_input_files",
}
_KINDS = {bare(name): kind for kind, names in _NAMES.items() for name in names.split()}


def kind_of(name: str) -> str:
    """Return the kind of an action by its name in a log; a name that is not known is its own kind."""
    return _KINDS.get(bare(name), name)


def is_known(name: str) -> bool:
    """Tell whether a name is one of an action on a screen."""
    return bare(name) in _KINDS
