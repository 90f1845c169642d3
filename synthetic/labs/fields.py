"""What the templates of a layout show: the fields of a page's head and foot, and of a row."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from string import Formatter

from synthetic.labs.layouts.layout import Layout
from synthetic.labs.placing import Place
from synthetic.labs.report import Holder, Report

VIEWED_LATER = timedelta(days=1, hours=3)
STATUSES = ("preliminary", "final", "corrected", "amended")
Fields = Mapping[str, str]


def filled(template: str, fields: Fields) -> str:
    """The template with its fields; empty where it has fields and all of them are empty."""
    names = [name for _, name, _, _ in Formatter().parse(template) if name is not None]
    if names and not any(fields[name] for name in names):
        return ""
    return " ".join(template.format_map(fields).split())


def page_fields(report: Report, layout: Layout, page: int, pages: int) -> dict[str, str]:
    """Fields of head and foot; those of the holder are empty on a page that names nobody."""
    return {
        **_holder_fields(report.holder(page), report, layout),
        "specimen": report.specimen,
        "collected": _moment(report.collected, layout) if report.collected else "",
        "received": _moment(report.received, layout),
        "reported": _moment(report.reported, layout),
        "viewed": _moment(report.reported + VIEWED_LATER, layout),
        "fasting": layout.yes_no[0 if report.fasting else 1],
        "status": layout.statuses[STATUSES.index(report.status)],
        "page": str(page),
        "pages": str(pages),
    }


def row_fields(place: Place, report: Report, layout: Layout) -> dict[str, str]:
    """Fields of a row; a value stands in one of in_range and out_of_range."""
    result, interval, style = place.result, place.result.interval, layout.style
    printed = style.interval(interval) if interval is not None else ""
    ends = (None, None) if interval is None else (interval.low, interval.high)
    shown = f"{result.raw_value} {result.flag or ''}".strip()
    previous_on = f" {report.previous_on:{layout.day}}" if report.previous_on else ""
    return {
        "panel": result.line.panel,
        "name": result.line.name,
        "value": result.raw_value,
        "flag": result.flag or "",
        "unit": result.line.unit or "",
        "range": printed,
        "ranged_unit": f"{printed} {result.line.unit or ''}".strip(),
        "in_range": "" if result.flag else shown,
        "out_of_range": shown if result.flag else "",
        "previous": f"{result.previous}{previous_on}" if result.previous else "",
        "note": result.line.note or "",
        "mark": "!" if result.flag else "",
        "low": "" if ends[0] is None else style.number(ends[0]),
        "high": "" if ends[1] is None else style.number(ends[1]),
        "beside_value": place.beside.raw_value if place.beside else "",
        "beside_unit": (place.beside.line.unit or "") if place.beside else "",
    }


def _holder_fields(holder: Holder | None, report: Report, layout: Layout) -> dict[str, str]:
    if holder is None:
        return dict.fromkeys(("surname", "given", "upper_name", "born", "age", "sex", "number"), "")
    sex = layout.sexes[{"female": 0, "male": 1}.get(holder.sex, 2)]
    return {
        "surname": holder.surname,
        "given": holder.given,
        "upper_name": f"{holder.surname}, {holder.given}".upper(),
        "born": f"{holder.birth_date:{layout.day}}",
        "age": str(holder.age_on(report.drawn.date())),
        "sex": sex,
        "number": holder.number,
    }


def _moment(moment: datetime, layout: Layout) -> str:
    return f"{moment:{layout.moment if layout.timed else layout.day}}"
