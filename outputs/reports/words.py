"""Days, windows, groups and counts in words. Numbers and units are worded by outputs/rendering.py."""

from datetime import date, datetime

NO_VALUE = "—"
SEVERITIES = ("critical", "high", "medium", "low", "info")
WINDOW_WORDS = {"whole": "the whole time", "newest": "newest"}
SEX_WORDS = {"female": "women", "male": "men", "intersex": "intersex people", "all": "people"}
SEX_OF_ONE = {"female": "woman", "male": "man", "intersex": "intersex", "unknown": "sex not registered"}
# Not strftime: its month names follow the locale of the machine.
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day(value: date | None) -> str:
    """28 Jun 2026."""
    return f"{value.day} {MONTHS[value.month - 1]} {value.year}" if value is not None else NO_VALUE


def window(name: str | None) -> str:
    """last_30_days is "last 30 days"."""
    return WINDOW_WORDS.get(name or "", (name or "").replace("_", " "))


def measure(label: str) -> str:
    """The name of a metric where its value is shown as a time of day: "Bedtime"."""
    return label.removesuffix(", in minutes from midnight")


def plain(name: str | None) -> str:
    """A word of a table for people: not_arrived is "not arrived"."""
    return (name or "").replace("_", " ")


def group(sex: str | None, age_group: str | None) -> str:
    """Who the others are: women aged 35–44."""
    people = SEX_WORDS.get(sex or "all", "people")
    return people if age_group in (None, "all") else f"{people} aged {age_group.replace('-', '–')}"


def counted(count: int, one: str, many: str | None = None) -> str:
    """1 report, 2 reports."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def moment(value: datetime) -> str:
    """28 Jun 2026, 02:10, on the clock of its own zone."""
    return f"{day(value.date())}, {value:%H:%M}"


def age(since: datetime, until: datetime) -> str:
    """How long ago: minutes, hours, then whole days."""
    minutes = max(int((until - since).total_seconds() // 60), 0)
    if minutes < 60:
        return counted(minutes, "minute")
    if minutes < 48 * 60:
        return counted(minutes // 60, "hour")
    return counted(minutes // (24 * 60), "day")
