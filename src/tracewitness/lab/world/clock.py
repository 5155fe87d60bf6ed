"""The clock of a world: it starts on a seeded day, and goes on by one minute with every change."""

import random
from dataclasses import dataclass
from datetime import date, datetime, timedelta


@dataclass(slots=True)
class Clock:
    """What time it is in a world; the machine's clock never comes in."""

    now: datetime

    @classmethod
    def drawn(cls, rng: random.Random) -> "Clock":
        """Return a clock at a random working hour of 2031 or 2032."""
        day = date(2031, 1, 1) + timedelta(days=rng.randrange(700))
        return cls(datetime(day.year, day.month, day.day, rng.randrange(8, 18), rng.randrange(60)))

    def tick(self) -> None:
        """Let a minute go by."""
        self.now += timedelta(minutes=1)

    @property
    def today(self) -> str:
        """The date, as it is stored."""
        return self.now.date().isoformat()

    @property
    def stamp(self) -> str:
        """The moment, as it is stored."""
        return self.now.isoformat(timespec="minutes")

    def day(self, ahead: int) -> str:
        """Return the date of a day some days ahead (or before)."""
        return (self.now.date() + timedelta(days=ahead)).isoformat()

    def ago(self, minutes: int) -> str:
        """Return the moment some minutes ago."""
        return (self.now - timedelta(minutes=minutes)).isoformat(timespec="minutes")
