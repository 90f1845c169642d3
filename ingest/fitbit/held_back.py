"""Members that may only repeat others: read where these do not tell all of their days, else left unread."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date

from ingest.archive import form_of, members
from ingest.fitbit.file_read import FileRead, Held, MemberReading, take_rows, telling_faults
from ingest.fitbit.kept_readings import KeptReadings
from ingest.fitbit.twin_files import TWIN_OF_JSON, Group, day_of_name, needless_twins
from ingest.source_file import member_id


def settle(files: Sequence[FileRead], secret: bytes, kept: KeptReadings) -> None:
    """Decide on all members held back, once all others of all files were read."""
    twins = [(held.container.group, held.name) for file in files for held in file.held]
    needless = needless_twins(_told(files), twins)
    for file in files:
        repeats = [held for held in file.held if (held.container.group, held.name) in needless]
        file.counts["ignored", TWIN_OF_JSON] += len(repeats)
        _leave_out(file, repeats, secret)
        _read_now(
            file, {h.path for h in file.held if not h.is_read} - {h.path for h in repeats}, secret, kept
        )
        file.counts = +file.counts


def _told(files: Sequence[FileRead]) -> dict[Group, set[date]]:
    """By export, the days of which the JSON was read whole."""
    told: dict[Group, set[date]] = defaultdict(set)
    for file in files:
        for container, section in file.sections.items():
            days = [day_of_name(member.name) for member in section.readings if _is_whole(member)]
            told[container.group].update(day for day in days if day is not None)
    return told


def _is_whole(member: MemberReading) -> bool:
    reading = member.reading
    whole = member.fault is None and not reading.rejected and not reading.frame.is_empty()
    return member.kind.name == "heart_rate" and whole


def _leave_out(file: FileRead, repeats: Collection[Held], secret: bytes) -> None:
    """Drop those that were read because they could not wait."""
    read = {member_id(secret, file.id, held.path) for held in repeats if held.is_read}
    for section in file.sections.values():
        for member in section.readings:
            if member.id in read:
                file.counts["read", member.kind.name] -= 1
        section.readings = [member for member in section.readings if member.id not in read]


def _read_now(file: FileRead, paths: Collection[str], secret: bytes, kept: KeptReadings) -> None:
    if not paths:
        return
    sections = {held.path: file.sections[held.container] for held in file.held if held.path in paths}
    with telling_faults(file):
        for member in members(
            file.file.path, form_of(file.file.path, file.file.relative), file.file.relative
        ):
            if member.path in sections and member.refused is None:
                take_rows(sections[member.path], member, secret, kept)
