"""How far a rater of plans can be trusted: its replies against what was planted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.ds_plan.plans import SeededPlan, seeded_plans
from evaluation.ds_plan.rubric import Reply, deduction, path_of
from evaluation.statistics import agreement, bennett_s, intraclass_correlation, resampled_interval
from schemas.errors import PhaError

Rate = Callable[[str, str], Mapping[str, Reply]]
CATEGORIES = 3  # yes, no, not asked


def rater_reliability(rate: Rate, split: str) -> dict[str, Any]:
    """How a rater agrees with what was planted: points by ICC(3,1), replies by share and Bennett's S.

    Intervals are over queries, as plans of one query are alike. Plans the rater gives no usable rating for
    are left out and counted.
    """
    plans = [one for one in seeded_plans() if one.split == split]
    rated = [_compared(one, replies) for one in plans if (replies := _rating(rate, one)) is not None]
    clusters: dict[str, list[Compared]] = {}
    for one in rated:
        clusters.setdefault(one.query, []).append(one)
    groups = list(clusters.values())
    planted = [reply for one in rated for reply in one.planted]
    found = [reply for one in rated for reply in one.found]
    return {
        "plans": len(plans),
        "unrated": len(plans) - len(rated),
        "icc_3_1": _icc(rated),
        "icc_95": resampled_interval(groups, _icc) if groups else None,
        "agreement": agreement(planted, found) if rated else None,
        "agreement_95": resampled_interval(groups, _mean_alike) if groups else None,
        "bennett_s": bennett_s(planted, found, CATEGORIES) if rated else None,
    }


@dataclass(frozen=True, slots=True)
class Compared:
    """One seeded plan as it was planted and as it was rated; a question that is not asked is a reply too."""

    query: str
    planted: tuple[str, ...]
    found: tuple[str, ...]
    points: tuple[float, float]
    alike: float


def _compared(one: SeededPlan, replies: Mapping[str, Reply]) -> Compared:
    planted, found = (tuple(path_of(given).values()) for given in (one.replies, replies))
    points = (one.lost, deduction(replies))
    return Compared(one.query, planted, found, points, agreement(planted, found))


def _icc(rated: Sequence[Compared]) -> float | None:
    return intraclass_correlation([one.points for one in rated]) if len(rated) > 1 else None


def _mean_alike(rated: Sequence[Compared]) -> float:
    """Every plan has the same questions, so the share over all replies is the mean over plans."""
    return sum(one.alike for one in rated) / len(rated)


def _rating(rate: Rate, one: SeededPlan) -> Mapping[str, Reply] | None:
    try:
        return rate(one.query, one.text)
    except PhaError as error:
        if error.code.name != "model_failed":
            raise
        return None
