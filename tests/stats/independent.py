"""Independent implementations of what the statistics compute, from libraries that carry no types."""

import warnings
from collections.abc import Sequence
from importlib import import_module  # noqa: TID251
from typing import Any


def _of(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def proportion_interval(hits: int, total: int, confidence: float, method: str) -> tuple[float, float]:
    low, high = _of("statsmodels.stats.proportion", "proportion_confint")(hits, total, 1 - confidence, method)
    return float(low), float(high)


def binomial_test(hits: int, total: int) -> float:
    return float(_of("scipy.stats", "binomtest")(hits, total, 0.5).pvalue)


def holm_corrected(p_values: Sequence[float]) -> list[float]:
    return [float(p) for p in _of("statsmodels.stats.multitest", "multipletests")(p_values, method="holm")[1]]


def kappa(pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> float:
    first, second = zip(*pairs, strict=True)
    return float(_of("sklearn.metrics", "cohen_kappa_score")(first, second, labels=names))


def kappa_interval(table: list[list[int]]) -> tuple[float, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = _of("statsmodels.stats.inter_rater", "cohens_kappa")(table)
    return float(found.kappa_low), float(found.kappa_upp)


def f1_and_others(truth: Sequence[bool], predicted: Sequence[bool]) -> tuple[float, float, float]:
    """Return precision, recall and F1."""
    score = _of("sklearn.metrics", "precision_recall_fscore_support")
    precision, recall, f1, _ = score(truth, predicted, average="binary", pos_label=True, zero_division=0)
    return float(precision), float(recall), float(f1)


def rarely_more(draws: int, chance: float) -> int:
    """Return the count that so many draws, each of which comes with this chance, exceed once in a thousand times."""
    return int(_of("scipy.stats", "binom").ppf(0.999, draws, chance))
