"""The world of one run, filled with rows."""

import random

from tracewitness.lab.apps.spec import App
from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.faults import Circumstances
from tracewitness.lab.world.population import populate


class World(BareWorld):
    """Everything that the app of one run knows."""

    @classmethod
    def create(cls, app: App, language: str, rng: random.Random, circumstances: Circumstances | None = None) -> "World":
        """Return a world filled with rows.

        Args:
            app: The app.
            language: One of the languages of the lab.
            rng: Every choice comes from it.
            circumstances: What is not as usual; may also be set later, until the site shows the world.
        """
        world = cls(app, language, rng, circumstances or Circumstances())
        populate(world, rng)
        return world
