"""Wear: is the device worn as the protocol asks, and do its data still arrive?"""

from outputs.findings.rule import Case, Finding, Guideline, Rule, unchecked
from outputs.windows import Window, data_is_old, last_days, sufficient_days

ADHERENCE, DATA_GAP = "adherence", "data_gap"
WINDOW_DAYS = 30
NEEDED = sufficient_days(WINDOW_DAYS)

_PROTOCOL = Guideline(
    "Protocol of the WEAR-ME study: worn at least 3 of every 4 days",
    2026,
    "https://doi.org/10.1038/s41586-026-10179-2",
)


def check_adherence(case: Case) -> list[Finding]:
    """Worn days of the last 30 days."""
    if case.data_through is None:
        return [unchecked("Wear", ADHERENCE, case.last_day, "no_wearable")]
    if data_is_old(case.data_through, case.as_of):
        return [unchecked("Wear", ADHERENCE, case.last_day, "data_old")]
    window = last_days(WINDOW_DAYS, case.data_through)
    worn, unknown = worn_days(case, window), _unknown_days(case, window)
    if unknown == WINDOW_DAYS:
        return [unchecked("Wear", ADHERENCE, case.last_day, "wear_unknown")]
    needed = sufficient_days(WINDOW_DAYS - unknown)
    fired = worn < needed
    says = "fewer than" if fired else "at least"
    among = f"{WINDOW_DAYS} days" + (" (days of unknown wear left out)" if unknown else "")
    return [
        Finding(
            ADHERENCE,
            window.end,
            "fired" if fired else "normal",
            f"Worn on {worn} of the last {among}, {says} the {needed} the protocol asks for.",
            "low" if fired else "info",
            category="below protocol" if fired else "as protocol",
            next_step="Ask how wearing goes, and about skin, charging and comfort." if fired else None,
            limits={"low": needed, "unit": "days"},
            evidence=[_evidence(case, window, worn)],
        )
    ]


def worn_days(case: Case, window: Window) -> int:
    """Valid days within the window."""
    inside = case.daily["date"].is_between(window.start, window.end)
    return int(case.daily.filter(inside)["valid_day"].sum() or 0)


def _unknown_days(case: Case, window: Window) -> int:
    """Days within the window of which nobody knows whether the device was worn."""
    inside = case.daily["date"].is_between(window.start, window.end)
    return case.daily.filter(inside)["valid_day"].null_count()


def check_data_gap(case: Case) -> list[Finding]:
    """Whether the newest data are more than 14 days behind."""
    if case.data_through is None:
        return [unchecked("Arrival of data", DATA_GAP, case.last_day, "no_wearable")]
    old = data_is_old(case.data_through, case.as_of)
    statement = (
        "The newest wearable data are more than 14 days behind: nothing is said of recent days."
        if old
        else "The newest wearable data are at most 14 days behind."
    )
    return [
        Finding(
            DATA_GAP,
            case.data_through,
            "fired" if old else "normal",
            statement,
            "low" if old else "info",
            category="behind" if old else "recent",
            next_step="Ask for a sync and a new export." if old else None,
        )
    ]


def _evidence(case: Case, window: Window, worn: int) -> dict[str, object]:
    return {
        "input": "valid_day",
        "value": worn,
        "unit": "days",
        "table": "daily_summary",
        "key": {"participant_id": case.participant_id, "from": window.start, "to": window.end},
        "column": "valid_day",
    }


RULES = (
    Rule(
        ADHERENCE,
        "Wear",
        "data",
        ("valid_day",),
        f"last {WINDOW_DAYS} days",
        "none: missing days are what it is about",
        "data at most 14 days behind",
        (
            f"fewer than {NEEDED} worn days, or 3 of every 4 whose wear is known (low)",
            f"{NEEDED} or more (nothing found)",
        ),
        _PROTOCOL,
        check_adherence,
    ),
    Rule(
        DATA_GAP,
        "Arrival of data",
        "data",
        ("data_through",),
        "as-of",
        "wearable data have arrived",
        "none",
        ("more than 14 days behind (low)", "14 days or fewer (nothing found)"),
        Guideline("Rule of this software (docs/dates.md)", None),
        check_data_gap,
    ),
)
