"""Who can be signed in to a world's app."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Account:
    """One account.

    Attributes:
        key: Its name among the app's accounts, which is the owner of its rows.
        name: The person, as pages show.
        email: The person's address.
    """

    key: str
    name: str
    email: str
