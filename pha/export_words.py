"""What exports are and tell, in plain words: forms, days, clocks, devices, files read and not."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from ingest.inspection.found import Clock, ExportLook, FilesLook, JudgedClock, Span
from pha.terminal import counted, size_of, wrapped

GAPS_SHOWN = 3
FORMS = {
    "takeout_zip": "a Google Takeout archive",
    "takeout_part": "a Google Takeout archive in parts",
    "zip": "a zip archive",
    "tgz": "a tgz archive",
    "tar": "a tar archive",
    "folder": "unpacked files",
    "repeat": "a copy of another archive here",
    "unreadable": "a file that can't be read as an export",
}
GENERATIONS = {
    "A0": "fitbit.com, layout of 2018 to 2020 (A0)",
    "A1": "fitbit.com, layout of 2020 to 2026 (A1)",
    "A2": "fitbit.com, layout of early 2026 (A2)",
    "B": "Takeout, layout of 2023 and 2024 (B)",
    "C": "Takeout, layout from late 2024 on (C)",
    "D": "Takeout, layout from 2026 on (D)",
    "E": "Takeout under the name Google Health, from May 2026 on (E)",
    "F": "Takeout under the name Google Health, from October 2026 on (F)",
    "fitabase": "Fitabase, a research service",
    "google_health_api": "answers of the Google Health API",
    "lifesnaps": "the daily table of the public set LifeSnaps",
    "monthly_csv": "the monthly CSV of fitbit.com",
    "rapids": "tables of the platform RAPIDS",
    "web_api": "answers of the Web API",
}
RULES = {
    "never_read": "personal and never opened: location, messages, account and the like",
    "no_result": "study data of which nothing is published",
    "not_data": "readmes and what operating systems leave behind",
    "nested_archive": "archives of other products",
    "twin_of_json": "told by a better file of the same export",
    "form_not_read": "with study data in a form that is not read",
    "unknown_kind": "of no kind known here",
    "other_person": "of another person: nothing of it was kept",
}
# Measures in the order in which somebody asks for them; these are missed where no day has them.
MEASURES = {
    "wear_minutes": "heart rate",
    "steps": "steps",
    "sleep_minutes": "sleep",
    "resting_heart_rate": "resting heart rate",
    "heart_rate_variability": "heart rate variability",
    "respiratory_rate": "breathing rate",
    "spo2_avg": "oxygen saturation",
    "skin_temperature_variation": "skin temperature",
}
_OTHERS = {"activities": "exercises", "vo2max": "VO2max", "sleep_score": "sleep score"}
# Told of the nights whose sleep is told.
_WITH_SLEEP = {"bed_time"}
SIGNS = {
    "active_zone_minutes": "matches of active zone minutes told in both clocks",
    "calories": "matches of calories told in both clocks",
    "stated_offsets": "rows that state their offset",
    "heart_rate_files": "beginnings and ends of daily heart-rate files",
    "sleep_offsets": "sleeps that state their offset",
    "exercise_offsets": "exercises that state their offset",
    "zone_settings": "settings of the zone",
}
NAMED_BY = {
    "profile": "named by the profile",
    "settings": "named by the account's settings",
    "decision": "decided by the study",
    "registry": "named by participants.csv",
    "offsets": "shown by the files' own offsets",
    "changes": "told by when the files' own offsets changed",
}
_READ_AS = {"utc": "true: they are UTC", "local_with_false_z": "false: they are local time"}
TOLD_BY = {
    "twins": "the same values stand in a file of known clock",
    "nights": "so they fall into the nights",
    "both": "a file of known clock and the nights say so",
    "zone_is_utc": "the person lived at UTC",
    "decision": "decided by the study",
    "thin": "too few rows to tell",
    "disagree": "the tests contradict each other",
}


def export_head(export: ExportLook) -> str:
    """An export in a line, without an end."""
    several = f" ({export.files} files)" if export.files > 1 else ""
    made = f", made {export.made_at:%Y-%m-%d %H:%M} UTC" if export.made_at else ""
    return f"{FORMS.get(export.form, export.form)}{several}, {size_of(export.bytes)}{made}"


def covered(look: FilesLook) -> str:
    """First and last day of anything a device tells, and on how many of them there is heart rate or steps."""
    spans = [span for name, span in look.days.items() if name in MEASURES]
    if not spans:
        return "no day with heart rate, steps or sleep"
    first, last = min(span.first for span in spans), max(span.last for span in spans)
    whole = (last - first).days + 1
    name = best_sign(look) or ""
    return f"{first} to {last}, {MEASURES[name]} on {look.days[name].days} of {counted(whole, 'day')}"


def best_sign(look: FilesLook) -> str | None:
    """The measure that tells most days, of equal ones the first of MEASURES; None where none is told."""
    told = [name for name in MEASURES if name in look.days]
    return max(told, key=lambda name: look.days[name].days, default=None)


def export_details(look: FilesLook) -> Iterator[str]:
    """All but what is wrong: days, clocks, devices, files."""
    yield from _days(look)
    if any(export.read for export in look.exports):
        yield from _clocks(look)
    if devices := "; ".join(f"{device}, added {day}" for device, day in look.devices):
        yield from wrapped(f"Devices: {devices}")
    if look.accounts > 1:
        yield f"Accounts: {look.accounts}. The newest counts from its first worn day on."
    for number, export in enumerate(look.exports, 1):
        head = f"Export {number}" if len(look.exports) > 1 else "Files"
        yield from _files(export, head)


def _days(look: FilesLook) -> Iterator[str]:
    """Measures told of the same days stand in one line."""
    if not look.days:
        return
    yield "Days with data"
    alike: dict[Span, list[str]] = {}
    for name in sorted(look.days.keys() - _WITH_SLEEP, key=[*MEASURES, *look.days].index):
        alike.setdefault(look.days[name], []).append((MEASURES | _OTHERS).get(name) or _plain(name))
    for span, measures in alike.items():
        yield from wrapped(f"  {_capital(', '.join(measures))}: {_span(span)}")
    if never := [word for name, word in MEASURES.items() if name not in look.days]:
        yield from wrapped(f"  On no day: {', '.join(never)}")
    if look.unclear_days:
        days = counted(look.unclear_days, "day")
        yield f"  {days} to which rows of unclear clock may belong: what rests on those is left out"


def _span(span: Span) -> str:
    if span.sparse:
        return f"{counted(span.days, 'day')} between {span.first} and {span.last}"
    whole = (span.last - span.first).days + 1
    days = counted(span.days, "day") if span.days == whole else f"{span.days} of {counted(whole, 'day')}"
    return f"{from_to((span.first, span.last))}, {days}{_gaps(span)}"


def _gaps(span: Span) -> str:
    if not span.gaps:
        return ", no gap"
    shown = ", ".join(from_to(gap) for gap in span.gaps[:GAPS_SHOWN])
    more = len(span.gaps) - GAPS_SHOWN
    return f"; missing {shown}" + (f" and {counted(more, 'gap')} more" if more > 0 else "")


def from_to(days: tuple[date, date]) -> str:
    """Two days, or one."""
    return str(days[0]) if days[0] == days[1] else f"{days[0]} to {days[1]}"


def _clocks(look: FilesLook) -> Iterator[str]:
    yield "Clock"
    for clock in look.clocks:
        yield from wrapped(f"  {_clock(clock)}")
    for judged in look.clocks_judged:
        yield from wrapped(f"  {_judged(judged)}")


def _clock(clock: Clock) -> str:
    if clock.named_by == "nobody":
        return "No file names a zone: the one in participants.csv will count."
    since = f" from {clock.since} on" if clock.since else ""
    evidence = ", ".join(
        f"{count:,} {SIGNS.get(source, _plain(source))}" for source, count in clock.agree.items()
    )
    agree = f"; {evidence} agree" if evidence else "; nothing else in the files tells"
    return f"{clock.zone}{since}, {NAMED_BY.get(clock.named_by, _plain(clock.named_by))}{agree}"


def _judged(judged: JudgedClock) -> str:
    files = f"{counted(judged.files, 'file')} of {_plain(judged.kind)} mark times with a Z"
    if judged.clock == "unclear":
        return f"{files}: it could not be told whether they are UTC ({_told_by(judged)}); set aside"
    return f"{files}, which is {_READ_AS[judged.clock]} ({_told_by(judged)})"


def _told_by(judged: JudgedClock) -> str:
    return TOLD_BY.get(judged.told_by, _plain(judged.told_by))


def _files(export: ExportLook, head: str) -> Iterator[str]:
    if not export.members:
        yield f"{head}: none could be listed"
        return
    read, ignored, refused = (
        sum(counts.values()) for counts in (export.read, export.ignored, export.refused)
    )
    yield f"{head}: {export.members:,}, of which {read:,} will be read, {ignored:,} not, {refused:,} refused"
    yield f"  Layout: {GENERATIONS.get(export.generation or '', 'not told by its folders')}"
    if export.read:
        yield from wrapped(f"  Will be read: {_by_count(export.read)}")
    for rule, files in export.ignored.items():
        yield from wrapped(f"  Not read: {files:,} {RULES.get(rule, _plain(rule))}")


def _by_count(kinds: Mapping[str, int]) -> str:
    """Kinds with the number of their files, many files first."""
    ranked: Sequence[tuple[str, int]] = sorted(kinds.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{_plain(kind)} {files:,}" for kind, files in ranked)


def _plain(name: str) -> str:
    return name.replace("_", " ").removesuffix(" m").removesuffix(" kcal").removesuffix(" kg")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
