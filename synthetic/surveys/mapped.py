"""What a reader needs beside an export that does not carry our item names: a codebook and a mapping."""

from collections.abc import Mapping, Sequence

from synthetic.surveys.csv_text import csv_text
from synthetic.surveys.items import Form
from synthetic.surveys.redcap_dictionary import dictionary_rows

CODEBOOK_NAME = "codebook.csv"


def codebook(forms: Sequence[Form]) -> dict[str, str]:
    """The items and their codes, in the columns of a REDCap dictionary."""
    return {CODEBOOK_NAME: csv_text(dictionary_rows(forms))}


def mapping_toml(file_name: str, settings: Mapping[str, str], columns: Mapping[str, str]) -> str:
    """The piece of study.toml that tells how a file is read: ``columns`` maps its columns to items."""
    lines = [f"[surveys.files.{_quoted(file_name)}]"]
    lines += [f"{name} = {_quoted(value)}" for name, value in settings.items()]
    lines += [f"[surveys.files.{_quoted(file_name)}.columns]"]
    lines += [f"{_quoted(column)} = {_quoted(item)}" for column, item in columns.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
