"""One member's bytes read by the kinds it may be; many small ones of a kind are read in one pass."""

from collections.abc import Sequence

from ingest.archive import Content
from ingest.fitbit.csv_form import CsvForm
from ingest.fitbit.kind import Kind
from ingest.fitbit.kinds import ARCHIVE_KINDS
from ingest.fitbit.reading import FormNotRead, OtherForm, Reading, Rejected
from ingest.fitbit.unread import FORM_NOT_READ

Fault = tuple[str, dict[str, object]]
# Readings by kind, empty where the member is of none after all; and what is wrong with it.
Outcome = tuple[dict[str, Reading], Fault | None]
# From here on the passes cost less than the rows.
_SMALL_BYTES = 1 << 15


def is_small(kinds: Sequence[Kind], content: Content) -> bool:
    """Whether a member is worth reading together with others of its kind."""
    only_form = len(kinds) == 1 and isinstance(kinds[0].read, CsvForm)
    return only_form and not content.damaged and len(content.data) < _SMALL_BYTES


def read_together(kind: Kind, contents: Sequence[Content], names: Sequence[str]) -> list[Outcome]:
    """Outcomes of small members of one kind, each as if it were read alone."""
    if isinstance(kind.read, CsvForm):
        try:
            return [({kind.name: reading}, None) for reading in kind.read.read_each(contents)]
        except OtherForm:
            pass
    return [read_member([kind], content, name) for content, name in zip(contents, names, strict=True)]


def read_member(kinds: Sequence[Kind], content: Content, name: str) -> Outcome:
    """Readings by kind. A member of a sure name but of none of the forms is one rejected row."""
    first = kinds[0]
    readings: dict[str, Reading] = {}
    not_read: Fault | None = None
    for kind in kinds:
        try:
            readings[kind.name] = kind.read(content, name)
        except FormNotRead as known:
            not_read = (FORM_NOT_READ, {"form": known.form})
            continue
        except OtherForm:
            continue
        # A file of the archive is nothing else; an empty one is of its likeliest kind.
        if kind in ARCHIVE_KINDS or not content.data.strip():
            break
    if not readings:
        return unread(first, "member_unreadable", name) if first.sure_name else ({}, not_read)
    for kind, reading in readings.items():
        if reading.damaged_from is not None:
            return readings, ("member_damaged", {"kind": kind, "row": reading.damaged_from})
    return readings, None


def unread(kind: Kind, code: str, name: str, **details: object) -> Outcome:
    """The outcome of a member that can't be read at all: one rejected row of its likeliest kind."""
    empty = kind.read(Content(b""), name).frame
    reading = Reading(empty, 1, (Rejected(1, code),))
    return {kind.name: reading}, (code, {"kind": kind.name, **details})
