"""Files in folders, with copies whose names differ by a figure, and some in the trash."""

import random

from tracewitness.lab.apps.files import FOLDERS
from tracewitness.lab.words.names import names_of
from tracewitness.lab.world.bare_world import BareWorld
from tracewitness.lab.world.populations.pairing import Plan, put_all

_ENDINGS = ("pdf", "docx", "png", "jpg", "xlsx", "txt")


def populate_files(world: BareWorld, rng: random.Random) -> None:
    """Fill the folders."""
    stems = rng.sample(names_of(world.language).lists["file_stems"], rng.randint(7, 10))
    endings = rng.sample(_ENDINGS, 3)
    plans: list[Plan] = []
    for pair, stem in enumerate(stems):
        ending = rng.choice(endings)
        trashed = pair >= len(stems) - 2
        for name in (
            f"{stem}.{ending}",
            rng.choice((f"{stem} (1).{ending}", f"{stem}_v2.{ending}", f"{stem}-2.{ending}")),
        ):
            state = "trash" if trashed else "kept"
            plans.append(Plan(_file(world, rng, name), state, pair))
    put_all(world, "file", plans, rng)


def _file(world: BareWorld, rng: random.Random, name: str) -> dict[str, str]:
    size = rng.randint(11, 980) * 1_000 if rng.random() < 0.5 else rng.randint(11, 96) * 100_000
    return {
        "name": name,
        "folder": rng.choice(FOLDERS[:3] if rng.random() < 0.85 else FOLDERS),
        "size": str(size),
        "changed": world.clock.ago(rng.randrange(60, 60 * 24 * 200)),
    }
