"""The board: live, frozen, as status.json and as text in a terminal."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from made_pages import LAST, PEOPLE, attention_row, frame, made_tables, settings, write_release
from page_parser import Page

from outputs.board import status_lines, write_board
from outputs.board_state import BoardState, Held, Progress, Run, live_board
from outputs.reports import write_reports
from schemas.errors import PhaError
from schemas.settings import Settings

NOW = datetime(2026, 7, 1, 2, 10, tzinfo=UTC)
HELD = Held("2026-06-30-full-fff", "The release was held back: keys are not unique.", "Read the checks.")
RUNNING = Run(
    "running", NOW - timedelta(minutes=5), (Progress("fitbit", 3, 1, 12), Progress("labs", 0, 0, 12))
)
FAILED = Run("failed", NOW, what="The disk is full.", next_step="Free space.")


def released(out: Path, tables: dict[str, list[dict[str, Any]]] | None = None) -> Path:
    folder = out / "releases" / f"{LAST}-full-0123456789ab"
    folder.mkdir(parents=True)
    write_release(folder, made_tables() if tables is None else tables)
    write_reports(folder, settings(), {"P001": "participant", "P003": "participant"})
    (out / "latest").symlink_to(folder.relative_to(out))
    return folder


def shown(out: Path, state: BoardState) -> Page:
    write_board(out, state)
    page = Page((out / "index.html").read_text(encoding="utf-8"))
    page.check_form()
    return page


def first_line(page: Page) -> str:
    """The first words below the study's name."""
    return page.words.partition("Made-up people")[2].partition("Who needs attention")[0].strip()


def test_before_the_first_release_the_board_says_so_and_shows_the_run(tmp_path: Path) -> None:
    page = shown(tmp_path, live_board(tmp_path, settings(), NOW, run=RUNNING))
    assert first_line(page) == "No release yet."
    assert "The run that is going on" in page.words
    assert "No participant yet." in page.words
    bars = [attrs for tag, attrs in page.elements if tag == "progress"]
    assert [(bar["value"], bar["max"]) for bar in bars] == [("4", "12"), ("0", "12")]


def test_the_first_line_says_which_release_how_old_and_that_nothing_is_held(tmp_path: Path) -> None:
    released(tmp_path)
    line = first_line(shown(tmp_path, live_board(tmp_path, settings(), NOW)))
    assert line == (
        "Shown: release 2026-06-28-full-0123456789ab, as of 28 Jun 2026, published 29 Jun 2026, 06:10, "
        "44 hours before this page was written. No newer work is held."
    )


@pytest.mark.parametrize(
    ("held", "run", "said"),
    [
        (
            (HELD,),
            None,
            "Newer work is held: The release was held back: keys are not unique. Read the checks.",
        ),
        ((), FAILED, "The last run failed: The disk is full. Free space."),
    ],
)
def test_the_first_line_says_what_is_held_and_why(
    tmp_path: Path, held: tuple[Held, ...], run: Run | None, said: str
) -> None:
    released(tmp_path)
    line = first_line(shown(tmp_path, live_board(tmp_path, settings(), NOW, held=held, run=run)))
    assert line.endswith(said)
    assert line.startswith("Shown: release 2026-06-28-full"), "the last good release stays on show"


def test_alerts_stand_before_all_else_and_lead_to_the_page(tmp_path: Path) -> None:
    released(tmp_path)
    page = shown(tmp_path, live_board(tmp_path, settings(), NOW))
    assert page.words.index("critical limits (potassium)") < page.words.index("For the coordinator")
    links = page.all("href")
    assert "latest/reports/clinician/P001.html" in links
    assert "latest/reports/participant/P003.html" in links
    assert "latest/reports/participant/P001.html" not in links, "held while the alert waits"
    assert "Participant page held until the alert is acknowledged or the text is signed off" in page.words
    assert "latest/reports/participant/P002.html" not in links
    for link in links:
        assert link.startswith("#") or (tmp_path / link).is_file()


def test_limits_are_red_until_a_clinician_set_them(tmp_path: Path) -> None:
    red = shown(tmp_path, live_board(tmp_path, settings(), NOW))
    assert "No clinician has set the alert limits yet" in red.words
    assert "potassium at or below 2.5 or at or above 6.5" in red.words
    own = settings().model_dump() | {"alerts": {"set_by": "Dr Vos", "set_on": date(2026, 5, 1)}}
    calm = shown(tmp_path, live_board(tmp_path, Settings.model_validate(own), NOW))
    assert "No clinician has set" not in calm.words
    assert "Alert limits set by Dr Vos on 1 May 2026" in calm.words


def test_what_waits_is_grouped_by_role_with_what_to_do_and_what_to_send(tmp_path: Path) -> None:
    released(tmp_path)
    words = shown(tmp_path, live_board(tmp_path, settings(), NOW)).words
    coordinator = words.partition("For the coordinator")[2].partition("Participants")[0]
    for text in (
        "high The archive is cut off.",
        "Ask for the export again.",
        "Words to send",
        "Please send it",
    ):
        assert text in coordinator
    assert coordinator.index("cut off") < coordinator.index("20 days behind"), "worst first"
    assert "The study" in coordinator
    assert "Not checked." not in coordinator, "acknowledged matters are settled"
    assert "Not checked. acknowledged" in words


def test_participants_are_sorted_by_what_waits_and_show_their_data(tmp_path: Path) -> None:
    released(tmp_path)
    page = shown(tmp_path, live_board(tmp_path, settings(), NOW))
    assert [i.removeprefix("person-") for i in page.all("id") if i.startswith("person-")] == list(PEOPLE)
    row = page.words.partition("Pages P003")[2].partition("P004")[0]
    assert row.startswith(" North 1 8 Jun 2026 20 days 84 % yes yes verified what arrived clinician")


def test_a_runs_own_frames_go_before_those_of_the_release(tmp_path: Path) -> None:
    released(tmp_path)
    newer = frame(
        "attention", [attention_row(9, code="zip_encrypted", what="Locked.", participant_id="P002")]
    )
    page = shown(tmp_path, live_board(tmp_path, settings(), NOW, attention=newer, run=RUNNING))
    assert "Locked." in page.words
    assert "critical limits (potassium)" not in page.words
    assert "No alert waits." in page.words


def test_withdrawn_and_excluded_people_are_counted_but_not_named(tmp_path: Path) -> None:
    tables = made_tables()
    tables["participants"][3]["status"] = "withdrawn"
    tables["attention"] = [row for row in tables["attention"] if row["participant_id"] != "P004"]
    released(tmp_path, tables)
    page = shown(tmp_path, live_board(tmp_path, settings(), NOW))
    assert "P004" not in page.words
    assert "withdrawn or excluded1" in page.words
    assert "enrolled3" in page.words


def test_the_frozen_board_knows_no_clock_and_links_within_its_release(tmp_path: Path) -> None:
    folder = released(tmp_path)
    page = Page((folder / "reports" / "index.html").read_text(encoding="utf-8"))
    page.check_form()
    assert first_line(page) == "Release 2026-06-28-full-0123456789ab, as of 28 Jun 2026."
    links = [link for link in page.all("href") if not link.startswith("#")]
    assert "clinician/P004.html" in links
    assert all((folder / "reports" / link).is_file() for link in links)
    assert "Written" not in page.words


def test_no_value_of_a_participant_reaches_the_board_or_its_status(tmp_path: Path) -> None:
    released(tmp_path)
    page = shown(tmp_path, live_board(tmp_path, settings(), NOW))
    for text in ("6.8", "61.3", "8,412", "PHQ"):
        assert text not in page.words
        assert text not in (tmp_path / "status.json").read_text()


def test_status_json_is_plain_and_complete(tmp_path: Path) -> None:
    released(tmp_path)
    write_board(tmp_path, live_board(tmp_path, settings(), NOW, held=(HELD,), run=RUNNING))
    status = json.loads((tmp_path / "status.json").read_text())
    assert status["shown"]["name"] == "2026-06-28-full-0123456789ab"
    assert status["held"][0]["name"] == HELD.name
    assert status["run"]["stages"][0] == {"stage": "fitbit", "done": 3, "failed": 1, "total": 12}
    assert list(status["counts"]) == [
        "enrolled",
        "with data",
        "wearable",
        "labs",
        "surveys",
        "summaries",
        "withdrawn or excluded",
    ]
    assert [line["participant_id"] for line in status["people"]] == list(PEOPLE)


def test_status_text_works_on_the_json_alone(tmp_path: Path) -> None:
    released(tmp_path)
    write_board(tmp_path, live_board(tmp_path, settings(), NOW, held=(HELD,), run=RUNNING))
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "status.json").write_bytes((tmp_path / "status.json").read_bytes())
    lines = status_lines(alone, NOW + timedelta(days=3))
    assert lines[0] == "Heart & Sleep (made-up people)"
    assert lines[1] == "Release 2026-06-28-full-0123456789ab, as of 2026-06-28, published 4 days ago."
    assert "HELD: 2026-06-30-full-fff: The release was held back: keys are not unique." in lines
    assert "  fitbit: 3 of 12, 1 failed" in lines
    alerts = lines.index("ALERTS (1)")
    assert lines[alerts + 1].startswith("  critical P001: A laboratory value")
    assert lines[alerts + 2].strip().startswith("-> Open the participant's clinician page")
    assert lines.index("For the coordinator (4)") > alerts
    assert "No clinician has set the alert limits yet: [alerts] set_by in study.toml." in lines


def test_all_shows_settled_matters_and_the_ids_to_decide_on(tmp_path: Path) -> None:
    released(tmp_path)
    write_board(tmp_path, live_board(tmp_path, settings(), NOW))
    few = "\n".join(status_lines(tmp_path, NOW))
    everything = "\n".join(status_lines(tmp_path, NOW, show_all=True))
    assert "[acknowledged]" not in few
    assert "Not checked. [acknowledged]" in everything
    for number in range(1, 7):
        assert f"id {number:032x}" in everything
        assert f"{number:032x}" not in few


def test_many_matters_of_one_code_are_shortened(tmp_path: Path) -> None:
    rows = [
        attention_row(
            n, code="identity_unchecked", what="Unchecked.", participant_id=f"P{n:03}", severity="low"
        )
        for n in range(1, 41)
    ]
    write_board(tmp_path, live_board(tmp_path, settings(), NOW, attention=frame("attention", rows)))
    lines = status_lines(tmp_path, NOW)
    assert "  low      identity_unchecked, 40 times: P001, P002, P003, P004, P005 and 35 more" in lines
    assert sum("P0" in line for line in lines) == 1


def test_a_quiet_study_says_that_nothing_waits(tmp_path: Path) -> None:
    write_board(tmp_path, live_board(tmp_path, settings(), NOW))
    lines = status_lines(tmp_path, NOW)
    assert lines[1] == "No release yet."
    assert lines[-1] == "Nothing needs attention."


def test_status_without_a_run_is_a_coded_fault(tmp_path: Path) -> None:
    with pytest.raises(PhaError) as fault:
        status_lines(tmp_path, NOW)
    assert fault.value.code.name == "release_missing"


def test_a_cohort_of_1165_stays_usable(tmp_path: Path) -> None:
    template = made_tables()["participants"][0]
    people = [
        template | {"participant_id": f"P{n:04}", "data_through": LAST, "days_behind": 0} for n in range(1165)
    ]
    rows = [
        attention_row(
            n, code="identity_unchecked", what="Unchecked.", participant_id=f"P{n:04}", severity="low"
        )
        for n in range(900)
    ]
    state = live_board(
        tmp_path,
        settings(),
        NOW,
        participants=frame("participants", people),
        attention=frame("attention", rows),
    )
    page = shown(tmp_path, state)
    assert len((tmp_path / "index.html").read_bytes()) < 1_600_000
    folded = [attrs for tag, attrs in page.elements if tag == "details"]
    assert any("open" not in attrs for attrs in folded)
    assert {"people-low", "people-none"} <= set(page.all("id"))
    assert "#people-none" in page.all("href")


def test_files_are_replaced_whole(tmp_path: Path) -> None:
    for _ in range(2):
        write_board(tmp_path, live_board(tmp_path, settings(), NOW))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.html", "status.json"]


def test_what_is_held_stays_told_until_a_run_ends(tmp_path: Path) -> None:
    write_board(tmp_path, live_board(tmp_path, settings(), NOW, held=(HELD,), run=Run("done", NOW)))
    for run in (RUNNING, FAILED):
        state = live_board(tmp_path, settings(), NOW, run=run)
        assert state.held == (HELD,)
        write_board(tmp_path, state)
    assert live_board(tmp_path, settings(), NOW, run=Run("done", NOW)).held == ()


def test_status_names_whose_page_is_held(tmp_path: Path) -> None:
    released(tmp_path)
    write_board(tmp_path, live_board(tmp_path, settings(), NOW))
    said = "Participant page held until the alert is acknowledged or the text is signed off: P001"
    assert said in status_lines(tmp_path, NOW)
