"""Plain readers of the made survey exports, by csv and json alone: what each file says."""

import csv
import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

Cell = tuple[str, str, int, str]
Said = dict[Cell, str]
Sheet = list[dict[str, str]]

CHOICES = "Choices, Calculations, OR Slider Labels"
VISIBLE = {"radio", "yesno", "checkbox", "text", "slider", "calc"}


def sheet(path: Path, separator: str = ",") -> Sheet:
    return list(
        csv.DictReader(StringIO(path.read_bytes().decode("utf-8-sig"), newline=""), delimiter=separator)
    )


def rows(path: Path, separator: str = ",") -> list[list[str]]:
    text = path.read_bytes().decode("utf-8-sig")
    return list(csv.reader(StringIO(text, newline=""), delimiter=separator))


class Codebook:
    """Fields that may be told, with their codes, from the dictionary's own 18 columns."""

    def __init__(self, path: Path, separator: str = ",") -> None:
        self.all = {row["Variable / Field Name"]: row for row in sheet(path, separator)}
        self.fields = {name: row for name, row in self.all.items() if _is_told(row)}

    def codes(self, name: str) -> dict[str, str]:
        """Label -> code."""
        row = self.fields[name]
        if row["Field Type"] == "yesno":
            return {"Yes": "1", "No": "0"}
        if row["Field Type"] not in ("radio", "checkbox"):
            return {}
        parts = [part.strip().split(", ", 1) for part in row[CHOICES].split(" | ")]
        return {label: code for code, label in parts}

    def is_boxes(self, name: str) -> bool:
        return self.fields[name]["Field Type"] == "checkbox"

    def box(self, name: str, code: str) -> str:
        return f"{name}___{code.replace('-', '_')}"

    def columns(self, name: str) -> list[str]:
        return [self.box(name, code) for code in self.codes(name).values()] if self.is_boxes(name) else [name]

    def form(self, name: str) -> str:
        return self.all[name]["Form Name"]


def _is_told(row: dict[str, str]) -> bool:
    """Neither free text nor what says who it is."""
    validated = row["Field Type"] != "text" or row["Text Validation Type OR Show Slider Number"]
    return bool(row["Field Type"] in VISIBLE and not row["Identifier?"] and validated)


def redcap(data: Sheet, book: Codebook) -> Said:
    """Filled cells of opened forms; in a row of a repeat, of its form only."""
    said: Said = {}
    for row in data:
        event, instance = row.get("redcap_event_name", ""), row.get("redcap_repeat_instance") or "1"
        for name in book.fields:
            form = book.form(name)
            if row[f"{form}_complete"] == "2":
                for column in book.columns(name):
                    if row[column] and row[column] not in ("ASKU", "UNK"):
                        said[(row["record_id"], event, int(instance), column)] = row[column]
    return said


def labels(table: list[list[str]], book: Codebook) -> Said:
    """A label export, by the order of its titles."""
    header = table[0]
    said: Said = {}
    for row in table[1:]:
        place = 2
        for form in dict.fromkeys(book.form(name) for name in book.fields):
            end = header.index("Complete?", place)
            titles = dict(zip(header[place:end], row[place:end], strict=True))
            if row[end] == "Complete":
                for name in book.fields:
                    if book.form(name) == form:
                        said |= {(row[0], "", 1, c): v for c, v in _labelled(titles, book, name)}
            place = end + 1
    return said


def _labelled(titles: dict[str, str], book: Codebook, name: str) -> Iterator[tuple[str, str]]:
    label = book.fields[name]["Field Label"]
    if book.is_boxes(name):
        for choice, code in book.codes(name).items():
            yield (
                book.box(name, code),
                {"Checked": "1", "Unchecked": "0"}[titles[f"{label} (choice={choice})"]],
            )
    elif titles[label] and titles[label] not in ("Asked but unknown", "Unknown"):
        yield name, book.codes(name).get(titles[label], titles[label])


def qualtrics(table: list[list[str]], book: Codebook, mapping: dict[str, str]) -> Said:
    """Current export: import ids in row 3, codes, boxes joined by commas, previews left out."""
    keys = [json.loads(cell)["ImportId"] for cell in table[2]]
    said: Said = {}
    for cells in table[3:]:
        row = dict(zip(keys, cells, strict=True))
        if row["status"] == "0":
            answers = {mapping[key]: cell for key, cell in row.items() if key in mapping}
            said |= _mapped(row["externalDataReference"], answers, book, "-99", ",")
    return said


def qualtrics_legacy(table: list[list[str]], book: Codebook, mapping: dict[str, str]) -> Said:
    """Two header rows, words, a column a box."""
    said: Said = {}
    for cells in table[2:]:
        row = dict(zip(table[0], cells, strict=True))
        answers: dict[str, str] = {}
        for key, target in mapping.items():
            name, _, code = target.partition("___")
            if not code:
                answers[name] = book.codes(name).get(row[key], row[key]) if name in book.fields else row[key]
            elif row[key]:
                answers[name] = ",".join(filter(None, [answers.get(name, ""), code.replace("_", "-")]))
            else:
                answers.setdefault(name, "")
        said |= _mapped(row["V4"], answers, book, "", ",")
    return said


def google(table: list[list[str]], book: Codebook, old_titles: dict[str, str]) -> Said:
    """Titles are labels, grids carry the row in brackets; of two rows of a person the later counts."""
    by_label = {row["Field Label"]: name for name, row in book.all.items()}
    latest: dict[str, tuple[tuple[int, ...], dict[str, str]]] = {}
    for cells in table[1:]:
        answers: dict[str, str] = {}
        for title, cell in zip(table[0], cells, strict=True):
            label = title.split(" [")[1].removesuffix("]") if title.endswith("]") else title
            name = old_titles.get(title) or by_label.get(label)
            if name is not None and not answers.get(name):
                answers[name] = _google_cell(cell, book, name)
        month, day, year, *clock = (int(part) for part in re.split(r"[/ :]", cells[0]))
        moment = (year, month, day, *clock)
        record = cells[table[0].index("What is your study id?")]
        if record not in latest or latest[record][0] < moment:
            latest[record] = moment, answers
    return {
        cell: value
        for record, (_, answers) in latest.items()
        for cell, value in _mapped(record, answers, book, "", ",").items()
    }


def _google_cell(cell: str, book: Codebook, name: str) -> str:
    validation = book.all[name]["Text Validation Type OR Show Slider Number"]
    if name not in book.fields:
        return cell
    if book.is_boxes(name):
        found: list[str] = []
        for label, code in sorted(book.codes(name).items(), key=lambda each: -len(each[0])):
            if label in cell:
                cell = cell.replace(label, "")
                found.append(code)
        assert not cell.strip(" ,")
        return ",".join(found)
    if cell and validation == "date_ymd":
        month, day, year = (int(part) for part in cell.split("/"))
        return f"{year}-{month:02d}-{day:02d}"
    if cell and validation == "time":
        hour, minute, _ = cell[:-3].split(":")
        return f"{int(hour) % 12 + 12 * cell.endswith('PM'):02d}:{minute}"
    return book.codes(name).get(cell, cell)


def plain(data: Sheet, book: Codebook, mapping: dict[str, str]) -> Said:
    """Codes in columns of other names; a box a column."""
    return {
        (row["Person"], row["Visit"], 1, target): row[title]
        for row in data
        for title, target in mapping.items()
        if target.split("___")[0] in book.fields and row[title]
    }


def _mapped(record: str, answers: dict[str, str], book: Codebook, blank: str, joint: str) -> Said:
    """Answers by field; boxes of a form without any answer were not seen."""
    filled = {name: value for name, value in answers.items() if value and value != blank}
    seen = {book.form(name) for name in filled}
    said: Said = {}
    for name in book.fields:
        if name not in answers:
            continue
        if book.is_boxes(name):
            ticked = filled.get(name, "").split(joint) if name in filled else []
            if book.form(name) in seen or answers[name] == blank != "":
                for code in book.codes(name).values():
                    said[(record, "", 1, book.box(name, code))] = str(int(code in ticked))
        elif name in filled:
            said[(record, "", 1, name)] = filled[name]
    return said
