"""Which kind of export a file is, and the file as a raw export of its dictionary."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.surveys.dictionary import Dictionary
from ingest.surveys.export import Sheet, refuse_doubles
from ingest.surveys.labels import labelled_dictionary, raw_of_labels
from ingest.surveys.mapped import mapped_dictionary, raw_of_mapped
from schemas.errors import PhaError
from schemas.settings import SurveyFile

_FORMS = {"qualtrics": "qualtrics_csv", "google_forms": "google_forms_csv", "table": "table_csv"}


@dataclass(frozen=True, slots=True)
class Raw:
    """A file as a raw export: its form as it came, its cells by field, its dictionary."""

    form: str
    sheet: Sheet
    dictionary: Dictionary


def raw_export(sheet: Sheet, mapping: SurveyFile | None, dictionaries: Sequence[Dictionary]) -> Raw:
    """The file by its mapping, by the names of its fields, or by their labels.

    Raises PhaError survey_no_dictionary where it is none of these; survey_unreadable where it is ambiguous.
    """
    if mapping is not None:
        dictionary = mapped_dictionary(sheet, mapping, dictionaries)
        if dictionary is not None:
            return Raw(_FORMS[mapping.form], raw_of_mapped(sheet, mapping, dictionary), dictionary)
    elif (dictionary := dictionary_of(sheet, dictionaries)) is not None:
        refuse_doubles(sheet)
        return Raw("redcap_csv", sheet, dictionary)
    elif (dictionary := labelled_dictionary(sheet, dictionaries)) is not None:
        return Raw("redcap_labels", raw_of_labels(sheet, dictionary), dictionary)
    raise PhaError("survey_no_dictionary")


def dictionary_of(sheet: Sheet, dictionaries: Sequence[Dictionary]) -> Dictionary | None:
    """The dictionary that names most of an export's columns, its record id among them."""
    fitting = [d for d in dictionaries if d.fields and d.record_id in sheet.header]
    header = set(sheet.header)
    return max(fitting, key=lambda d: len(header & {c.name for c in d.columns()}), default=None)
