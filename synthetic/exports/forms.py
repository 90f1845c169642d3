"""Every form an export can have, and one way to write it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from synthetic.exports import fitabase, health_api, monthly_csv, web_api
from synthetic.exports.members import Request, write_loose
from synthetic.exports.takeout.generations import GENERATIONS
from synthetic.exports.takeout.write import write_takeout
from synthetic.life.recording import Recording

Writer = Callable[[Recording, Request, Path], list[str]]

FORMS: Mapping[str, Writer] = {
    **dict.fromkeys(GENERATIONS, write_takeout),
    "fitabase": lambda recording, request, folder: write_loose(fitabase.batch(recording), folder),
    "monthly_csv": lambda recording, request, folder: write_loose(
        monthly_csv.members(recording, request), folder
    ),
    "health_api": lambda recording, request, folder: write_loose(health_api.members(recording), folder),
    "web_api": lambda recording, request, folder: write_loose(web_api.members(recording, request), folder),
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
