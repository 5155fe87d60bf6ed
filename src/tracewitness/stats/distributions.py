"""The three distributions that the statistics rest on, from SciPy, which is loaded where the first figure needs it."""

from types import ModuleType


class MissingStatisticsError(ImportError):
    """SciPy is not installed."""

    def __init__(self) -> None:
        super().__init__("figures with intervals need SciPy: pip install 'tracewitness[stats]'")


def normal_quantile(share: float) -> float:
    """Return the point below which the standard normal distribution has this share, above 0 and below 1."""
    return float(_special().ndtri(share))


def beta_quantile(share: float, first: float, second: float) -> float:
    """Return the point below which the beta distribution of two positive parameters has this share."""
    return float(_special().betaincinv(first, second, share))


def binomial_at_most(hits: int, total: int, chance: float) -> float:
    """Return the probability of at most ``hits`` out of ``total``, each of which comes with this chance."""
    return float(_special().bdtr(hits, total, chance))


def _special() -> ModuleType:
    try:
        from scipy import special  # noqa: PLC0415  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        raise MissingStatisticsError from None
    return special
