"""How the pages of a run look and behave, as far as it does not matter to what is kept."""

import random
from dataclasses import dataclass, replace
from enum import StrEnum


class ListStyle(StrEnum):
    """How rows are listed."""

    TABLE = "table"
    CARDS = "cards"
    LINES = "lines"


class Navigation(StrEnum):
    """Where the navigation is."""

    TOP = "top"
    SIDE = "side"
    MENU = "menu"


class Place(StrEnum):
    """Where a form or a question appears."""

    PAGE = "page"
    OVERLAY = "overlay"
    BROWSER = "browser"


class Saving(StrEnum):
    """How forms and deeds reach the server: by a form that is posted, or by a script that shows the outcome first."""

    POST = "post"
    FETCH = "fetch"


class ToastPlace(StrEnum):
    """Where messages appear; ``NONE``: only where one offers to undo something."""

    TOP = "top"
    BOTTOM = "bottom"
    INLINE = "inline"
    NONE = "none"


class LabelStyle(StrEnum):
    """Where the label of a field stands."""

    ABOVE = "above"
    BESIDE = "beside"
    INSIDE = "inside"


THEMES = 6
"""How many sets of colours and fonts there are."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look.

    Attributes:
        rows: How rows are listed.
        navigation: Where the navigation is.
        form: Where forms appear: on a page of their own, or over the list.
        question: Where questions appear: on a page, over it, or as the browser's own dialog.
        saving: How forms and deeds reach the server.
        toast: Where messages appear.
        labels: Where labels stand.
        theme: Colours and fonts.
        page_size: How many rows a page of a list has.
        wording: Which wording texts have.
        order: Seed of the order of the fields in a form.
        time_in_parts: Whether times are entered as hour and minute.
        dates: How long dates are written.
        prefix: What the ids of elements begin with.
    """

    rows: ListStyle = ListStyle.TABLE
    navigation: Navigation = Navigation.TOP
    form: Place = Place.PAGE
    question: Place = Place.PAGE
    saving: Saving = Saving.POST
    toast: ToastPlace = ToastPlace.TOP
    labels: LabelStyle = LabelStyle.ABOVE
    theme: int = 0
    page_size: int = 5
    wording: int = 0
    order: int = 0
    time_in_parts: bool = True
    dates: str = "medium"
    prefix: str = "x"

    @classmethod
    def drawn(cls, rng: random.Random, **fixed: object) -> "Look":
        """Return a random look.

        Args:
            rng: Every choice comes from it.
            fixed: What is not left to chance.
        """
        look = cls(
            rows=rng.choice(list(ListStyle)),
            navigation=rng.choice(list(Navigation)),
            form=rng.choice((Place.PAGE, Place.OVERLAY)),
            question=rng.choice(list(Place)),
            saving=rng.choice(list(Saving)),
            toast=rng.choices(list(ToastPlace), weights=(4, 4, 4, 1))[0],
            labels=rng.choice(list(LabelStyle)),
            theme=rng.randrange(THEMES),
            page_size=rng.randint(4, 7),
            wording=rng.randrange(3),
            order=rng.randrange(1000),
            time_in_parts=rng.random() < 0.7,
            dates=rng.choice(("medium", "long", "full")),
            prefix="".join(rng.choice("abcdefghkmnprstuvwxyz") for _ in range(3)),
        )
        return replace(look, **fixed) if fixed else look
