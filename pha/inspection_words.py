"""What an inspection found, in plain words: first what it is, what looks wrong, what to do and to ask."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from ingest.inspection.found import Fault, FilesLook, Inspection, ReportLook, StudyLook, SurveyLook
from pha.export_words import MEASURES, best_sign, covered, export_details, export_head, from_to
from pha.terminal import counted, size_of, wrapped

# Shorter gaps are everyday life; an export made later than that after its newest day was not synced.
LONG_GAP_DAYS = 7
LATE_SYNC = timedelta(days=3)
_SURVEY_FORMS = {
    "redcap_csv": "a REDCap export with raw values",
    "redcap_labels": "a REDCap export with labels",
    "redcap_dictionary": "a REDCap data dictionary",
    "redcap_events": "a REDCap list of events",
    "qualtrics_csv": "a Qualtrics export",
    "google_forms_csv": "answers of Google Forms",
    "table_csv": "a table of answers",
    "repeat": "a copy of another survey file here",
}
_WHOSE = {
    "matched": "This participant's: name or birth date agree with participants.csv.",
    "unchecked": "Nobody can check whose it is: no profile in it, or no name or birth date in the registry.",
    "identity_mismatch": "Another person's: a run uses nothing of it.",
}


def lines_of(found: Inspection) -> Iterator[str]:
    """The lines to print, without colours."""
    if found.kind == "nothing":
        yield "There is nothing here. Next: look whether the upload or the unpacking went wrong."
    elif found.study:
        yield from _study(found, found.study)
    elif found.kind == "people":
        yield from _people(found)
    else:
        yield from _one(found.looks[0])


def _one(look: FilesLook) -> Iterator[str]:
    yield from _heads(look)
    yield from _faults(look.faults)
    yield from _questions([*questions(look)])
    if not any(fault.is_wrong for fault in look.faults):
        yield from wrapped(f"Nothing looks wrong. Next: {_next_step(look)}")
    if look.exports:
        yield from export_details(look)


def _heads(look: FilesLook) -> Iterator[str]:
    """What was sent, a line each, and whose it is."""
    for number, export in enumerate(look.exports, 1):
        name = f"Export {number} of {len(look.exports)}" if len(look.exports) > 1 else "Export"
        yield from wrapped(f"{name}: {export_head(export)}{_marked(export.codes)}")
        if export.members:
            yield from wrapped(f"  {_whose(export.identity, has_profile=export.has_profile)}")
    if look.exports:
        yield f"Days: {covered(look)}"
    for number, report in enumerate(look.reports, 1):
        name = f"Lab report {number} of {len(look.reports)}" if len(look.reports) > 1 else "Lab report"
        yield from wrapped(f"{name}, {size_of(report.bytes)}: {_report(report)}{_marked(report.codes)}")
    for survey in look.surveys:
        yield from wrapped(f"Survey file, {size_of(survey.bytes)}: {_survey(survey)}")
    if max(len(look.exports), len(look.reports)) > 1:
        yield "(Numbers: reports in the order of their names, exports from the oldest to the newest.)"


def _whose(identity: str | None, *, has_profile: bool) -> str:
    if identity is not None:
        return _WHOSE[identity]
    if has_profile:
        return "It has a profile. Whose it is, is checked once it lies in a participant's folder of a study."
    return "It has no profile: nobody can check whose it is."


def _report(report: ReportLook) -> str:
    if report.pages is None:
        if report.codes:
            return "not read"
        return "a scan or photograph: a run recognises its characters, and you compare them with the page"
    days = f"{counted(report.collection_days, 'day')} of collection printed"
    results = f"{counted(report.results or 0, 'result')} read, {report.in_doubt} in doubt"
    kind = "" if report.is_text else ", without text"
    return f"{counted(report.pages, 'page')}{kind}, {days}, {results}"


def _marked(codes: Sequence[str]) -> str:
    """The codes that stand below with their text."""
    return f" [{', '.join(codes)}]" if codes else ""


def _survey(survey: SurveyLook) -> str:
    what = _SURVEY_FORMS.get(survey.form, "answers that can't be read as they are")
    if survey.fields:
        return f"{what} of {counted(survey.fields, 'field')}"
    if not survey.answers:
        return f"{what}, {counted(survey.rows, 'row')}"
    days = (
        f" of {from_to((survey.first_day, survey.last_day))}" if survey.first_day and survey.last_day else ""
    )
    people = f"{counted(survey.records, 'record')}, {counted(survey.answers, 'answer')}{days}"
    scored = [name for name, is_scored in survey.instruments.items() if is_scored]
    others = [name.replace("_", " ") for name, is_scored in survey.instruments.items() if not is_scored]
    told = [f"scored: {', '.join(scored)}"] if scored else []
    told += [f"answers only: {', '.join(others)}"] if others else []
    return "; ".join([f"{what}: {people}", *told])


def _faults(faults: Sequence[Fault]) -> Iterator[str]:
    for head, wrong in (("WHAT LOOKS WRONG", True), ("Worth knowing", False)):
        told = [fault for fault in faults if fault.is_wrong == wrong]
        if told:
            yield head
        for fault in told:
            times = f" ({fault.times} times)" if fault.times > 1 else ""
            yield from wrapped(f"  {fault.what}{times} ({fault.code})")
            yield from wrapped(f"    next: {fault.next_step}")


def questions(look: FilesLook) -> Iterator[str]:
    """Words to send to the participant: of what is wrong, of long gaps, of a device that was not synced."""
    yield from dict.fromkeys(fault.message for fault in look.faults if fault.message)
    name = best_sign(look)
    if name is None:
        return
    span = look.days[name]
    for first, last in span.gaps:
        if (last - first).days + 1 >= LONG_GAP_DAYS:
            yield (
                f"From {first} to {last} we have no {MEASURES[name]} of you. Did you wear your device then, "
                "and has it been synced since?"
            )
    made = max((export.made_at.date() for export in look.exports if export.made_at), default=None)
    if made and made - span.last > LATE_SYNC:
        yield (
            f"Your export of {made} holds data up to {span.last} only. Could you open the app, let the "
            "device sync, and export again?"
        )


def _questions(asked: Sequence[str]) -> Iterator[str]:
    if asked:
        yield "What to ask the participant (words to send)"
    for question in asked:
        yield from wrapped(f"  “{question}”")


def _next_step(look: FilesLook) -> str:
    if look.owner:
        return "pha check STUDY, then pha run STUDY."
    places = [
        name
        for name, is_there in (
            ("fitbit/<id>/", look.exports),
            ("labs/<id>/", look.reports),
            ("surveys/", look.surveys),
        )
        if is_there
    ]
    return f"put it into {' and '.join(places)} of the study and run."


def _people(found: Inspection) -> Iterator[str]:
    """A line or two a folder; the folder itself tells all."""
    wrong = sum(any(fault.is_wrong for fault in look.faults) for look in found.looks)
    verdict = f"Something looks wrong in {wrong}." if wrong else "Nothing looks wrong in any of them."
    yield f"{counted(len(found.looks), 'folder')} of different people, in the order of their names. {verdict}"
    yield from _faults(found.faults)
    for number, look in enumerate(found.looks, 1):
        yield from wrapped(f"{look.owner or f'Folder {number}'}: {_in_short(look)}")
        for fault in look.faults:
            if fault.is_wrong:
                yield from wrapped(f"  {fault.what} ({fault.code})")
                yield from wrapped(f"    next: {fault.next_step}")
    yield "Next: pha inspect on a folder tells days, gaps, clocks, and what to ask."


def _in_short(look: FilesLook) -> str:
    told = [f"{counted(len(look.exports), 'export')}, {covered(look)}"] if look.exports else []
    if look.reports:
        results = sum(report.results or 0 for report in look.reports)
        told.append(f"{counted(len(look.reports), 'lab report')}, {counted(results, 'result')}")
    told += [_survey(survey) for survey in look.surveys]
    return "; ".join(told) or "nothing in it"


def _study(found: Inspection, study: StudyLook) -> Iterator[str]:
    people = counted(study.participants, "participant")
    yield f"A study folder: {people} registered, {size_of(study.bytes)} sent."
    yield from _faults(found.faults)
    for source, name in (("fitbit", "Exports"), ("labs", "Lab reports")):
        stray = study.stray[source]
        nobody = f"; {counted(stray, 'folder')} of nobody registered" if stray else ""
        files = counted(study.files[source], "file")
        yield f"{name}: {files} of {study.folders[source]} of {study.participants} participants{nobody}"
    for look in found.looks:
        yield from _heads(look)
        yield from _faults(look.faults)
    if not study.files["surveys"]:
        yield "Surveys: none"
    yield "Next: pha check STUDY looks at every file; pha inspect STUDY/fitbit/<id> tells all of one person."
