"""Who an account says it is, and its devices. Names and dates of birth stay in memory."""

import csv
import io
from dataclasses import dataclass
from datetime import date

import polars as pl

from ingest.archive import Content
from ingest.fitbit.api.document import read_document, text
from ingest.fitbit.csv_rows import label_date, read_csv
from ingest.fitbit.reading import OtherForm, Reading, missing, sift
from ingest.identity import Person

PHONE = "MobileTrack"


@dataclass(frozen=True, slots=True)
class Profile:
    """The person, the account's id (empty where it is not told), its current zone."""

    account: str
    person: Person
    time_zone: str | None

    def __repr__(self) -> str:
        """Nothing of the person may reach a log."""
        return "Profile()"


def read_profile(content: Content) -> Profile | None:
    """The profile, or None where the file is empty or has only its header. Raises OtherForm.

    The account's export has it as CSV, the services answer in JSON; settings tell the zone alone.
    """
    if content.data.lstrip().startswith(b"{"):
        return _of_answer(content)
    table = csv.DictReader(io.StringIO(content.data.decode("utf-8-sig", errors="replace")))
    row = next(table, None)
    if row is None:
        return None
    if "id" not in row or "full_name" not in row:
        raise OtherForm
    cell = {name: value.strip() for name, value in row.items() if isinstance(value, str)}
    real = {name: value for name, value in cell.items() if value and value != "null"}
    return Profile(
        account=real.get("id", ""),
        person=Person(real.get("full_name"), _date(real.get("date_of_birth")), _gender(real.get("gender"))),
        time_zone=real.get("timezone"),
    )


def _of_answer(content: Content) -> Profile | None:
    document = read_document(content)
    fields = document.fields if document else {}
    user = fields.get("user")
    if not isinstance(user, dict):
        zone = text(fields.get("timeZone"))
        return Profile("", Person(), zone) if zone else None
    told = {
        name: text(user.get(name)) for name in ("encodedId", "fullName", "dateOfBirth", "gender", "timezone")
    }
    return Profile(
        account=told["encodedId"] or "",
        person=Person(told["fullName"], _date(told["dateOfBirth"]), _gender(told["gender"])),
        time_zone=told["timezone"],
    )


def read_trackers(content: Content, _name: str) -> Reading:
    """``tracker_id``, ``date`` it was added, ``device`` (its type), ``last_sync`` (UTC digits or null)."""
    rows = read_csv(content, ["tracker_id", "date_added", "device_type"], ["last_sync_date_time"])
    synced = pl.col("last_sync_date_time").str.strip_chars_end("Z")
    frame = rows.frame.select(
        "row",
        "tracker_id",
        label_date("date_added").alias("date"),
        pl.col("device_type").alias("device"),
        synced.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", strict=False, time_unit="us").alias("last_sync"),
    )
    reject = (missing("tracker_id"), missing("date"), missing("device"))
    return sift(rows.like(frame), reject)


def _date(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _gender(text: str | None) -> str | None:
    return text.lower() if text and text.lower() in ("female", "male") else None
