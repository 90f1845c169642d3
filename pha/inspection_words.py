"""What an inspection found, in plain words."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from ingest.inspection import Clock, ExportLook, Fault, Inspection, Span
from ingest.report_look import ReportLook

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
    "never_read": "never read (location, messages, account and other personal files)",
    "no_result": "of no use to the tables",
    "not_data": "readmes and what operating systems leave behind",
    "nested_archive": "archives of other products",
    "form_not_read": "with study data in a form that is not read",
    "unknown_kind": "of no kind known here",
}
_NAMED_BY = {
    "profile": "named by the profile",
    "offsets": "shown by the files' own offsets",
}


def lines_of(found: Inspection) -> Iterator[str]:
    """The lines to print, without colours."""
    for number, export in enumerate(found.exports, 1):
        yield from _export(export, number, len(found.exports))
    if found.exports:
        yield from _together(found)
    for report in found.reports:
        yield from _report(report)
    yield from _wrong(found)
    if not found.exports and not found.reports:
        yield "There is nothing here."


def _export(export: ExportLook, number: int, count: int) -> Iterator[str]:
    head = FORMS.get(export.form, export.form)
    several = f", {export.files} files" if export.files > 1 else ""
    made = f", made {export.made_at:%Y-%m-%d %H:%M} UTC" if export.made_at else ""
    yield f"Export {number} of {count}: {head}{several}, {_size(export.bytes)}{made}"
    if not export.members:
        return
    layout = GENERATIONS.get(export.generation or "", "not told by its folders")
    yield f"  Layout: {layout}"
    for part in export.parts_missing:
        yield f"  Part {part} is missing."
    read, ignored, refused = (
        sum(counts.values()) for counts in (export.read, export.ignored, export.refused)
    )
    yield f"  {_many(export.members, 'file')} in it: {read} read, {ignored} not read, {refused} refused"
    if export.read:
        yield f"  Read: {_counted(export.read)}"
    for rule, files in export.ignored.items():
        yield f"  Not read: {files} {RULES.get(rule, rule.replace('_', ' '))}"
    has = (
        "It has a profile: a run can check whose it is."
        if export.has_profile
        else "It has no profile: nobody can check whose it is."
    )
    yield f"  {has}"


def _together(found: Inspection) -> Iterator[str]:
    yield "Days" if found.days else "Days: no day with heart rate, steps or sleep"
    for sign, span in found.days.items():
        yield f"  {sign.capitalize()}: {span.first} to {span.last}, {_many(span.days, 'day')}{_gaps(span)}"
    if found.unclear_days:
        yield f"  {_many(found.unclear_days, 'day')} whose clock is unclear: their values will be set aside"
    yield "Clock"
    for clock in found.clocks:
        yield f"  {_clock(clock)}"
    for judged, files in found.clocks_judged.items():
        yield f"  {_many(files, 'file')} that write a Z, {judged.replace('_', ' ')}"
    if found.accounts > 1:
        yield f"Accounts: {found.accounts}. The newest counts from its first worn day on."
    told = "; ".join(f"{device}, added {day}" for device, day in found.devices)
    yield f"Devices: {told or 'none named'}"


def _gaps(span: Span) -> str:
    if not span.gaps:
        return ", no gap"
    shown = "; ".join(_from_to(gap) for gap in span.gaps[:GAPS_SHOWN])
    missing = sum((last - first).days + 1 for first, last in span.gaps)
    return f"; {_many(missing, 'day')} missing in {_many(len(span.gaps), 'gap')}, the longest {shown}"


def _from_to(gap: tuple[date, date]) -> str:
    return str(gap[0]) if gap[0] == gap[1] else f"{gap[0]} to {gap[1]}"


def _clock(clock: Clock) -> str:
    if clock.named_by == "nobody":
        return "No file names a zone: the one in participants.csv will count."
    since = f" from {clock.since} on" if clock.since else ""
    evidence = ", ".join(f"{count} of {source.replace('_', ' ')}" for source, count in clock.agree.items())
    agree = f"; agreed to by {evidence}" if evidence else ""
    return f"{clock.zone}{since}, {_NAMED_BY.get(clock.named_by, clock.named_by)}{agree}"


def _report(report: ReportLook) -> Iterator[str]:
    if report.code:
        yield f"Lab report, {_size(report.bytes)}: {report.what} ({report.code})"
        yield f"  next: {report.next_step}"
        return
    kind = "text" if report.is_text else "without text: a scan or photograph"
    days = _many(report.collection_days, "day") if report.collection_days else "no day"
    pages = _many(report.pages or 0, "page")
    yield f"Lab report, {_size(report.bytes)}: {pages}, {kind}, {days} of collection printed"


def _wrong(found: Inspection) -> Iterator[str]:
    if not found.faults:
        if found.exports:
            yield "Nothing looks wrong. Next: put it into the participant's folder and run."
        return
    yield "What looks wrong"
    for fault in found.faults:
        yield from _fault(fault)


def _fault(fault: Fault) -> Iterator[str]:
    times = f" ({fault.files} times)" if fault.files > 1 else ""
    yield f"  {fault.what}{times} ({fault.code})"
    yield f"    next: {fault.next_step}"


def _counted(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{kind.replace('_', ' ')} {files}" for kind, files in kinds.items())


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _size(size: int) -> str:
    units: Sequence[str] = ("B", "kB", "MB")
    value = float(size)
    for unit in units:
        if value < 1000:
            return f"{value:.0f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
