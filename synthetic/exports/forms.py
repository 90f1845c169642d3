"""Every form an export can have, and one way to write it."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from synthetic.exports import monthly_csv
from synthetic.exports.fitabase import files as fitabase
from synthetic.exports.health_api import pages as health_api
from synthetic.exports.members import Member, Request, write_loose
from synthetic.exports.takeout.generations import GENERATIONS
from synthetic.exports.takeout.write import write_takeout
from synthetic.exports.web_api import answers as web_api
from synthetic.life.recording import Recording

Writer = Callable[[Recording, Request, Path], list[str]]


def _loose(members: Callable[[Recording, Request], Iterator[Member]]) -> Writer:
    """A writer of files that lie there as they are, in no archive."""
    return lambda recording, request, folder: write_loose(members(recording, request), folder)


FORMS: Mapping[str, Writer] = {
    **dict.fromkeys(GENERATIONS, write_takeout),
    "fitabase": _loose(fitabase.batch),
    "fitabase_merged": _loose(fitabase.merged_of_one),
    "monthly_csv": _loose(monthly_csv.members),
    "web_api": _loose(web_api.members),
    "health_api": _loose(health_api.members),
}


def write_export(
    recording: Recording,
    form: str,
    folder: Path,
    requested_utc: datetime,
    sampling_seconds: int = 60,
    language: str = "en_US",
) -> list[str]:
    """Write an export of ``form`` (a key of FORMS) into ``folder``; returns the names of the files written.

    requested_utc: when it was asked for, aware. sampling_seconds: finest step of heart rate. language: of the
    account or the call, with its region. Bytes depend on the recording and these alone.
    """
    request = Request(requested_utc, form, sampling_seconds, language)
    return FORMS[form](recording, request, folder)
