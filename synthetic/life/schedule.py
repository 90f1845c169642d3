"""When a person's work lets them sleep: most at night, night workers in the morning after a shift."""

from datetime import date

from synthetic.people.persona import Person

NIGHT_SHIFT_WAKE_DAYS = range(1, 5)
ROTATION_WEEKS = 3
DAY_SLEEP_BED_MINUTE = 8 * 60 + 30
DAY_SLEEP_SHORTER = 50


def sleeps_by_day(person: Person, wake_date: date) -> bool:
    """Whether the main sleep of a date comes after a night shift: Tuesday to Friday, of every week for those
    who work nights, of each third for those who rotate."""
    if person.work not in ("nights", "rotating") or wake_date.weekday() not in NIGHT_SHIFT_WAKE_DAYS:
        return False
    return person.work == "nights" or wake_date.isocalendar().week % ROTATION_WEEKS == 0
