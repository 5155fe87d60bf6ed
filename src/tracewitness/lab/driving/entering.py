"""Enters values into fields, whatever control a field has."""

from playwright.async_api import Locator

from tracewitness.lab.driving.hands import Hands
from tracewitness.lab.driving.places import Places
from tracewitness.lab.words.formatting import DAYS

_NOON = 12


async def enter(hands: Hands, places: Places, field: str, value: str) -> None:
    """Set a field of the open form or panel.

    Args:
        hands: What carries it out.
        places: Where the control is found.
        field: The field.
        value: The value, as it is stored.

    Raises:
        PlanError: There is no such field, or it cannot be set so.
    """
    if await places.has(f"hour:{field}"):
        await _enter_time(hands, places, field, value)
    elif await places.has(f"day:{field}:{DAYS[0]}"):
        for day in DAYS:
            await _switch(hands, await places.one(f"day:{field}:{day}"), day in value.split())
    else:
        await _enter_plain(hands, await places.one(f"field:{field}"), value)


async def _enter_plain(hands: Hands, control: Locator, value: str) -> None:
    if await control.evaluate("(element) => element.tagName") == "SELECT":
        await hands.choose(control, value)
    elif await control.get_attribute("type") == "checkbox":
        await _switch(hands, control, value == "on")
    else:
        await hands.type(control, value)


async def _switch(hands: Hands, control: Locator, on: bool) -> None:
    if await control.is_checked() != on:
        await hands.press(control)


async def _enter_time(hands: Hands, places: Places, field: str, value: str) -> None:
    hour, minute = (int(part) for part in value.split(":"))
    halves = await places.has(f"half:{field}")
    await hands.choose(await places.one(f"hour:{field}"), str(hour % _NOON or _NOON) if halves else str(hour))
    await hands.choose(await places.one(f"minute:{field}"), str(minute))
    if halves:
        await hands.choose(await places.one(f"half:{field}"), "pm" if hour >= _NOON else "am")
