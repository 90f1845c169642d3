"""Writes the pages of a release into its reports/ folder."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from outputs.reports.arrivals import arrivals_page
from outputs.reports.board_page import board_page, release_board
from outputs.reports.clinician import About, clinician_page
from outputs.reports.participant import participant_page
from outputs.reports.publication import has_participant_page, held_because, write_holds
from outputs.reports.release_rows import ReleaseRows
from schemas.settings import Settings

OFF_PAGES = ("withdrawn", "excluded")


def write_reports(release: Path, settings: Settings, results_to: Mapping[str, str]) -> None:
    """Write reports/index.html, the coordinator's page of each participant (what arrived, what is missing)
    and, in a full release, the clinician's and participants' own pages.

    ``reports/held.json`` says whose own page is due but held, and why (outputs/reports/publication.py).
    Everything comes from the release folder's run.json and tables/, so that the pages can be made again from
    the release alone. ``results_to`` (participants.csv) is not published: participant_id -> participant,
    clinician or none; an id that is missing counts as none. Withdrawn and excluded people have no page.
    """
    run = json.loads((release / "run.json").read_bytes())
    about = About(settings.study, date.fromisoformat(run["as_of"]), run["edition"], settings.windows.main)
    rows = ReleaseRows(release)
    reports = release / "reports"
    reports.mkdir(exist_ok=True)
    _write_arrivals(reports, rows, about)
    if run["kind"] == "full":
        _write_people(reports, rows, about, results_to, require_sign_off=settings.reports.require_sign_off)
    board = release_board(release, rows, settings, run)
    (reports / "index.html").write_text(board_page(board), encoding="utf-8")


def _write_arrivals(reports: Path, rows: ReleaseRows, about: About) -> None:
    (reports / "coordinator").mkdir(exist_ok=True)
    for person in rows.participants.iter_rows(named=True):
        if person["status"] not in OFF_PAGES:
            path = reports / "coordinator" / f"{person['participant_id']}.html"
            path.write_text(arrivals_page(rows, person, about), encoding="utf-8")


def _write_people(
    reports: Path, rows: ReleaseRows, about: About, results_to: Mapping[str, str], *, require_sign_off: bool
) -> None:
    for folder in ("clinician", "participant"):
        (reports / folder).mkdir(exist_ok=True)
    holds: dict[str, str] = {}
    for person in rows.participants.iter_rows(named=True):
        if person["status"] in OFF_PAGES:
            continue
        name = f"{person['participant_id']}.html"
        held = held_because(rows, person, results_to, require_sign_off=require_sign_off)
        if held is not None:
            holds[person["participant_id"]] = held
        page = clinician_page(rows, person, about, held)
        (reports / "clinician" / name).write_text(page, encoding="utf-8")
        if has_participant_page(rows, person, results_to, require_sign_off=require_sign_off):
            page = participant_page(rows, person, about)
            (reports / "participant" / name).write_text(page, encoding="utf-8")
    write_holds(reports, holds)
