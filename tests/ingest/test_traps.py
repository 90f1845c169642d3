"""Every planted trap: it is in the bytes, and today's readers give its right answers.

The terminal ends with the table trap | asked | got (tests/conftest.py). Each trap is planted and read once.
"""

import json

import pytest
from fitbit_files import check_table, table
from trap_answers import Read, asked, read, wrong
from trap_bytes import LOOKS, Sent

from schemas.errors import CODES
from synthetic.traps.answers import Problems, ReportVerdict, Rows, TablesEqual, Verdict, as_json
from synthetic.traps.catalogue import TRAPS
from tests.planted_traps import PlantedTraps

pytestmark = pytest.mark.slow

# One of each kind in every run, none that takes long; the proofs go through all of them.
OF_EVERY_RUN = {
    "utc_beside_local",
    "false_z_of_2025",
    "sleeps_in_false_utc",
    "dst_autumn_south",
    "two_watches_and_a_phone",
    "not_worn",
    "padded_future",
    "oxygen_of_fifty",
    "days_as_instants",
    "repeated_minutes",
    "nights_told_twice",
    "overlapping_exports",
    "split_export",
    "cut_archive",
    "bomb",
    "german_account",
    "cut_member",
    "same_bytes_in_two_folders",
    "outside_the_consent",
    "form_fitabase",
    "form_monthly_csv",
    "report_encrypted",
}


COMPARED = ["date", "steps", "sleep_minutes", "resting_heart_rate", "wear_minutes"]


def test_every_trap_of_every_run_is_planted() -> None:
    assert set(TRAPS) >= OF_EVERY_RUN


@pytest.mark.parametrize("name", sorted(OF_EVERY_RUN))
def test_a_trap_of_every_run(traps: PlantedTraps, request: pytest.FixtureRequest, name: str) -> None:
    try_trap(traps, request, name)


@pytest.mark.proof
@pytest.mark.parametrize("name", TRAPS)
def test_every_trap(traps: PlantedTraps, request: pytest.FixtureRequest, name: str) -> None:
    try_trap(traps, request, name)


def try_trap(traps: PlantedTraps, request: pytest.FixtureRequest, name: str) -> None:
    """Plant it, look for it in the bytes, read it, hold what was read to its answers."""
    sent = Sent(traps.home(name), traps.planted(name).people[0])
    assert TRAPS[name].reports or LOOKS[name](sent)
    answers_speak_of_what_is_there(traps, name, sent)
    got = read(traps.planted(name), traps.fitbit(name))
    found = [text for answer in got.planted.answers if (text := wrong(got, answer))]
    words = "; ".join(dict.fromkeys(map(asked, got.planted.answers)))
    request.node.user_properties.append(("trap", [name, words, "; ".join(found) or "as asked"]))
    assert found == []
    tables_are_sound(got)
    companion_gets_what_is_right(got)


def answers_speak_of_what_is_there(traps: PlantedTraps, name: str, sent: Sent) -> None:
    planted = traps.planted(name)
    reports = [answer for answer in planted.answers if isinstance(answer, ReportVerdict)]
    assert sorted(each.file for each in reports) == sorted(each.name for each in planted.labs)
    for answer in planted.answers:
        json.dumps(as_json(answer))
        if isinstance(answer, Verdict | Rows):
            assert answer.file in sent.names
        if isinstance(answer, Problems):
            assert set(answer.codes) <= set(CODES)
        if isinstance(answer, TablesEqual):
            daily = planted.frames[name]["daily_summary"]
            assert {*answer.columns, *answer.lacking, *answer.within} <= set(daily.columns)
            assert sum(daily[column].count() for column in answer.columns or daily.columns)
        if isinstance(answer, ReportVerdict):
            assert (
                answer.code in CODES
                if answer.verdict == "set_aside"
                else answer.code in (None, "lab_row_review")
            )


def tables_are_sound(got: Read) -> None:
    """Whatever the trap, row rules, keys and counts hold."""
    for name in got.result.tables:
        check_table(name, table(got.result, name))


def companion_gets_what_is_right(got: Read) -> None:
    for person in got.planted.people[1:]:
        truth = got.planted.frames[person.participant_id]["daily_summary"]
        daily = table(got.results[person.participant_id], "daily_summary")
        assert daily.select(COMPARED).equals(truth.select(COMPARED))
