"""When the specimen of a reading was taken: by its column, its table's title, its page or its section."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.labs.dates import Order, PrintedDate, timed
from ingest.labs.heading import Collection, PageHead, ReportHead, report_head, reports_in
from ingest.labs.lines import Line
from ingest.labs.reading import Reading


@dataclass(frozen=True, slots=True, repr=False)
class Part:
    """What holds for a page: the head of its report, and when and from which specimen its results are.

    ``pages`` are those of its report, from 0, and ``moments`` the different collections printed on them;
    ``opening`` is how far down its first page the first of them stands. ``collections`` are the page's own,
    ``collected`` too, or the report's where the page has none.
    """

    head: ReportHead
    pages: range
    moments: tuple[PrintedDate, ...]
    opening: float
    collections: tuple[Collection, ...]
    collected: tuple[PrintedDate, ...]
    specimen_id: str | None
    birth: PrintedDate | None


def parts_of(lines: Sequence[Sequence[Line]], heads: Sequence[PageHead]) -> list[Part]:
    """The report each page belongs to; several reports may be bound in one file."""
    parts: list[Part] = []
    for pages in reports_in(heads):
        own = [heads[n] for n in pages]
        everywhere = timed(dict.fromkeys(day for page in own for day in page.collected))
        specimen = next((page.specimen_id for page in own if page.specimen_id), None)
        opening = min((c.top for c in own[0].collections), default=float("inf"))
        head = report_head([lines[n] for n in pages])
        parts += [
            Part(
                head,
                pages,
                everywhere,
                opening,
                tuple(replace(c, when=_with_time(c.when, everywhere)) for c in page.collections),
                timed(_with_time(day, everywhere) for day in page.collected) or everywhere,
                page.specimen_id or specimen,
                page.birth,
            )
            for page in own
        ]
    return parts


def _with_time(day: PrintedDate, moments: Sequence[PrintedDate]) -> PrintedDate:
    """A date without a time has the one time that its report gives for that day."""
    same = [m for m in moments if replace(m, at=None) == day]
    return same[0] if len(same) == 1 else day


def drawn_at(
    reading: Reading, part: Part, of_report: Sequence[Reading], order: Order | None
) -> PrintedDate | None:
    """The moment, or None where it is not clear which one is meant.

    ``of_report``: the readings of its report. A moment in the title of a table counts where it is one of the
    collections of the report; one of a day that the report tells nowhere else leaves it open.
    """
    if reading.drawn is not None:
        return reading.drawn
    if reading.titled is not None and not _is_birth(reading.titled, part, order):
        return _by_title(reading.titled, part, order)
    if len(part.moments) <= 1:
        return next(iter(part.collected), None)
    if any(r.titled is not None for r in of_report) or _are_below(part, of_report):
        return None
    return _by_section(reading, part, [r for r in of_report if r.page == reading.page])


def _is_birth(moment: PrintedDate, part: Part, order: Order | None) -> bool:
    """Whether the day behind a title is that of birth: a line of name and birth date above the table."""
    return part.birth is not None and part.birth.day(order) == moment.day(order)


def _by_title(titled: PrintedDate, part: Part, order: Order | None) -> PrintedDate | None:
    same_day = [m for m in part.moments if m.day(order) is not None and m.day(order) == titled.day(order)]
    exact = [m for m in same_day if m.at == titled.at] or same_day
    if exact:
        return exact[0] if len(exact) == 1 else None
    others = (part.head.received, part.head.reported)
    told = any(m is not None and m.day(order) == titled.day(order) for m in others)
    return part.moments[0] if told and len(part.moments) == 1 else None


def _are_below(part: Part, of_report: Sequence[Reading]) -> bool:
    """Whether results of the first page stand above its first moment: it closes a section, opens none."""
    first = [r for r in of_report if r.page - 1 == part.pages.start]
    return any(r.box[1] < part.opening for r in first)


def _by_section(reading: Reading, part: Part, on_page: Sequence[Reading]) -> PrintedDate | None:
    """A section begins with its moment and goes on up to the next.

    Several moments without a result between them leave open which one is meant.
    """
    above = [c for c in part.collections if c.top <= reading.box[1]]
    if not above:
        return None
    last = max(c.top for c in above)
    begins = max((r.box[1] for r in on_page if r.box[1] < last), default=float("-inf"))
    moments = {c.when for c in above if c.top > begins}
    return next(iter(moments)) if len(moments) == 1 else None
