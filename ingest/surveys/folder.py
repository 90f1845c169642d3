"""The files of surveys/: dictionaries, exports, lists of events, and what cannot be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ingest.source_file import SourceFile
from ingest.surveys.dictionary import Dictionary, is_dictionary, read_dictionary
from ingest.surveys.export import Sheet, read_sheet, refuse_doubles
from schemas.errors import PhaError

_EVENT_LIST = frozenset({"event_name", "unique_event_name"})


@dataclass(slots=True)
class Folder:
    """What the files of surveys/ turned out to be."""

    forms: dict[str, str] = field(default_factory=dict[str, str])
    sheets: dict[str, Sheet] = field(default_factory=dict[str, Sheet])
    dictionaries: list[Dictionary] = field(default_factory=list[Dictionary])
    faults: dict[str, PhaError] = field(default_factory=dict[str, PhaError])


def open_folder(files: Mapping[str, SourceFile]) -> Folder:
    """Each file as dictionary, export or fault. A repeat of the same bytes is not read again."""
    folder, seen = Folder(), set[str]()
    for file_id, file in files.items():
        if file.set_aside is not None or file.sha256 in seen:
            folder.forms[file_id] = "repeat"
            continue
        seen.add(file.sha256)
        try:
            _open(folder, file_id, read_sheet(file.path))
        except PhaError as fault:
            folder.forms[file_id], folder.faults[file_id] = "unreadable", fault
    return folder


def _open(folder: Folder, file_id: str, sheet: Sheet) -> None:
    if is_dictionary(sheet.header):
        refuse_doubles(sheet)
        folder.forms[file_id] = "redcap_dictionary"
        folder.dictionaries.append(read_dictionary(sheet.records()))
    elif set(sheet.header) >= _EVENT_LIST:
        folder.forms[file_id] = "redcap_events"
    else:
        folder.forms[file_id], folder.sheets[file_id] = "survey_csv", sheet
