"""The tables of docs/exports.md, written from the declarations of kinds and measures."""

from collections.abc import Iterable, Sequence

from ingest.fitbit.kinds import KINDS
from ingest.fitbit.measures import MEASURES, Measure
from schemas.daily_summary import DailySummary
from schemas.table import unit_of

BEGIN, END = "<!-- {name}: generated from the declarations -->", "<!-- end of {name} -->"
_CLOCKS = {
    "utc": "UTC",
    "local": "local",
    "day": "day label",
    "disputed": "judged by file",
    "stated": "UTC and its offset",
    "log": "of its sleep log",
}


def with_declared(page: str) -> str:
    """A page with the tables of kinds and measures between their marks renewed."""
    for name, rows in (("kinds", _kinds()), ("measures", _measures())):
        begin, end = BEGIN.format(name=name), END.format(name=name)
        before, _, rest = page.partition(begin)
        page = f"{before}{begin}\n\n{_table(rows)}\n\n{end}{rest.partition(end)[2]}"
    return page


def _kinds() -> Iterable[Sequence[str]]:
    yield "kind", "files", "clock", "rows are for"
    for kind in KINDS:
        # A bar would end the cell.
        files = kind.file.shown.replace("|", "` or `")
        yield f"`{kind.name}`", f"`{files}`", _CLOCKS[kind.clock], f"`{kind.table}`"


def _measures() -> Iterable[Sequence[str]]:
    yield "columns", "unit", "sources, best first", "agree within"
    for measure in MEASURES:
        columns = ", ".join(f"`{column}`" for column in measure.columns)
        compared = len(measure.sources) > 1 and measure.tolerance is not None
        agree = f"{measure.tolerance:g}" if compared else ""
        yield columns, _unit(measure), _sources(measure), agree


def _unit(measure: Measure) -> str:
    return unit_of(DailySummary.columns()[measure.name]) or ""


def _sources(measure: Measure) -> str:
    return "; ".join(
        f"`{source.kind}`" + (f" (`{source.method}`)" if source.method else "") for source in measure.sources
    )


def _table(rows: Iterable[Sequence[str]]) -> str:
    head, *body = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([head, "|" + "---|" * (head.count(" | ") + 1), *body])
