"""Reports whose results can't be used as they stand: undated, in sentences, impossible."""

from dataclasses import replace
from decimal import Decimal

from synthetic.labs.files import lab_file, suffixed
from synthetic.labs.ink import Ink
from synthetic.labs.layouts import LAYOUTS
from synthetic.labs.pdf import lab_pdf
from synthetic.labs.printing import Result, Style
from synthetic.labs.report import Report
from synthetic.labs.results import judged
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person

SENTENCES, SENTENCE_LEADING = 6, 16.0
ABSURD = {"glucose": 57, "creatinine": 88, "sodium": 10}


def no_collection_date(report: Report, _: Person) -> LabFile:
    """Received and reported, but nowhere when it was taken."""
    file = lab_file(replace(report, collected=None, file_name=suffixed(report, "undated")))
    return replace(file, verdict="set_aside", reason="no_collection_date", identity=None)


def prose(report: Report, _: Person) -> LabFile:
    """A letter that tells the first results in sentences: no table to read."""
    told = [result for result in report.results if result.value is not None][:SENTENCES]
    letter = replace(report, results=tuple(told), file_name=suffixed(report, "letter"))

    def tell(ink: Ink, _: int) -> None:
        for number, result in enumerate(told):
            ink.text(54, 160 + SENTENCE_LEADING * number, 9, _sentence(result))

    content = lab_pdf(replace(letter, results=()), decorate=tell)
    return replace(
        lab_file(letter), content=content, verdict="set_aside", reason="layout_unknown", identity=None
    )


def absurd_values(report: Report, _: Person) -> LabFile:
    """Glucose, creatinine and sodium beyond what lives: those rows are for review, the rest is good."""
    style = LAYOUTS[report.layout].style
    results = tuple(_absurd(result, style) for result in report.results)
    return lab_file(replace(report, results=results, file_name=suffixed(report, "absurd")))


def _absurd(result: Result, style: Style) -> Result:
    factor = ABSURD.get(result.line.key or "")
    if factor is None or result.value is None:
        return result
    value = result.value * Decimal(factor)
    printed = replace(result, value=value, raw_value=style.number(value), doubt="implausible")
    return judged(printed, style)


def _sentence(result: Result) -> str:
    name = result.line.name.capitalize()
    return f"{name} came back as {result.raw_value} {result.line.unit or ''}, which we talked about."
