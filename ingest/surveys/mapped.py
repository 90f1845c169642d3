"""Qualtrics, Google Forms and plain tables, by the mapping of study.toml, as a raw export."""

from collections.abc import Iterator, Sequence

from ingest.surveys.cells import Column, compose
from ingest.surveys.dictionary import Column as FieldColumn
from ingest.surveys.dictionary import Dictionary, Field, checkbox_column, plain_text
from ingest.surveys.export import Sheet
from ingest.surveys.titles import Titled, titled
from ingest.surveys.words import box, iso_day, raw_cells, ticks
from schemas.errors import PhaError
from schemas.settings import SurveyFile

Target = Field | FieldColumn


def mapped_dictionary(
    sheet: Sheet, file: SurveyFile, dictionaries: Sequence[Dictionary]
) -> Dictionary | None:
    """The dictionary that has most of the mapped fields and titles."""
    names = {*file.columns.values(), *(_question(title) for title in sheet.header)}
    fitting = [d for d in dictionaries if d.fields]
    return max(fitting, key=lambda d: len(names & set(_targets(d))), default=None)


def raw_of_mapped(sheet: Sheet, file: SurveyFile, dictionary: Dictionary) -> Sheet:
    """The file as if it had been exported raw: fields of the dictionary, then what is mapped to none.

    Raises PhaError survey_unreadable where the mapping does not fit the file or the dictionary.
    """
    table = titled(sheet, file.form)
    fields = list(_fields(table, file, dictionary))
    columns = [Column(dictionary.record_id, table.cells(file.participant))]
    if file.event is not None:
        columns.append(Column("redcap_event_name", table.cells(file.event)))
    if file.answered is not None:
        columns += _stamps(_moments(table, file), fields, dictionary)
    used = {file.participant, file.event, file.answered}
    return compose(
        [*columns, *fields, *_others(table, file, dictionary, used)], len(table.rows), table.previews
    )


def _targets(dictionary: Dictionary) -> dict[str, Target]:
    """What a column may be mapped to: a field, one box of a field, and each by a label no other field has."""
    labels = [field.label for field in dictionary.fields]
    by_label: dict[str, Target] = {
        field.label: field for field in dictionary.fields if field.label and labels.count(field.label) == 1
    }
    by_column: dict[str, Target] = {c.name: c for c in dictionary.columns() if c.field.kind == "checkbox"}
    return by_label | by_column | {field.name: field for field in dictionary.fields}


def _question(title: str) -> str:
    """A title without HTML; of a grid's column, ``Question [row]``, the row."""
    title = plain_text(title)
    return title[title.rindex("[") + 1 : -1] if title.endswith("]") and "[" in title else title


def _target(names: Sequence[str], file: SurveyFile, targets: dict[str, Target]) -> Target | None:
    """The field of a column: as mapped, else the one that is named or labelled like it."""
    for name in names:
        if name in file.columns:
            target = targets.get(file.columns[name])
            if target is None:
                raise PhaError("survey_unreadable", problem="study.toml maps to a field the dictionary lacks")
            return target
    candidates = [plain_text(names[-1]), _question(names[-1])]
    return next((targets[each] for each in candidates if each in targets), None)


def _fields(table: Titled, file: SurveyFile, dictionary: Dictionary) -> Iterator[Column]:
    if lost := set(file.columns) - {name for names in table.names for name in names}:
        problem = f"columns that study.toml maps and the file lacks: {len(lost)}"
        raise PhaError("survey_unreadable", problem=problem)
    targets = _targets(dictionary)
    for place, names in enumerate(table.names):
        target = _target(names, file, targets)
        if target is not None and target != dictionary.fields[0]:
            cells = tuple(_answered(row[place], file) for row in table.rows)
            yield from _columns(target, cells, file)


def _answered(cell: str, file: SurveyFile) -> str:
    return "" if file.unanswered and cell.strip() == file.unanswered else cell


def _columns(target: Target, cells: tuple[str, ...], file: SurveyFile) -> Iterator[Column]:
    if isinstance(target, FieldColumn):
        yield Column(target.name, box(target.code, target.choice, cells))
    elif target.kind == "checkbox":
        for code, ticked in ticks(target, cells, file.answers).items():
            yield Column(checkbox_column(target.name, code), ticked)
    else:
        yield Column(target.name, raw_cells(target, cells, file.dates, file.answers))


def _others(
    table: Titled, file: SurveyFile, dictionary: Dictionary, used: set[str | None]
) -> Iterator[Column]:
    """Columns that are no field, under names that no field has."""
    targets = _targets(dictionary)
    for place, names in enumerate(table.names):
        if _target(names, file, targets) is None and not used & set(names):
            yield Column(f"column {place + 1}", tuple(row[place] for row in table.rows))


def _moments(table: Titled, file: SurveyFile) -> list[str]:
    """When each row was answered; raises PhaError survey_unreadable for no date in the told order."""
    found = [iso_day(cell, file.dates) if cell.strip() else "" for cell in table.cells(file.answered or "")]
    if None in found:
        raise PhaError("survey_unreadable", problem="when it was answered is no date in the order of dates")
    return [moment or "" for moment in found]


def _stamps(moments: Sequence[str], fields: Sequence[Column], dictionary: Dictionary) -> Iterator[Column]:
    """A time stamp a form, in rows where one of its questions is answered; an unticked box is no answer."""
    form_of = {c.name: (c.field.form, c.field.kind) for c in dictionary.columns()}
    for form in dictionary.forms:
        own = [(c.cells, form_of[c.name][1] == "checkbox") for c in fields if form_of[c.name][0] == form]
        yield Column(
            f"{form}_timestamp",
            tuple(
                moment if any(_filled(cells[row], boxes) for cells, boxes in own) else ""
                for row, moment in enumerate(moments)
            ),
        )


def _filled(cell: str, boxes: bool) -> bool:
    return bool(cell.strip()) and not (boxes and cell == "0")
