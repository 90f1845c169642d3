"""Today's reader on every planted trap: what is asked, and what it gets.

Traps of lab reports are read in test_labs_made_hostile.
"""

from collections.abc import Callable, Iterable

import pytest
from _pytest.mark import ParameterSet
from fitbit_files import check_table, table
from trap_answers import Read, read, wrong

from synthetic.traps.catalogue import TRAPS
from tests.planted_traps import PlantedTraps

pytestmark = pytest.mark.slow

# At least one of each kind in every run; the proofs read all of them.
OF_EVERY_RUN = {
    "utc_beside_local",
    "false_z_of_2025",
    "sleeps_in_false_utc",
    "dst_autumn_south",
    "date_line_westward",
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
    "another_without_profile",
    "same_bytes_in_two_folders",
    "outside_the_consent",
    "form_fitabase",
    "form_monthly_csv",
    "form_web_api",
    "form_health_api",
}


def traps_of(names: Iterable[str]) -> list[ParameterSet]:
    marks = {True: (), False: (pytest.mark.proof,)}
    return [pytest.param(name, marks=marks[name in OF_EVERY_RUN]) for name in names]


OF_EXPORTS = traps_of(name for name, trap in TRAPS.items() if trap.reports is None)
OF_TWO = traps_of(name for name, trap in TRAPS.items() if trap.companion)


def test_every_trap_of_every_run_is_planted() -> None:
    assert set(TRAPS) >= OF_EVERY_RUN


@pytest.fixture(scope="module")
def reading(traps: PlantedTraps) -> Callable[[str], Read]:
    """Reads a trap's exports once."""
    done: dict[str, Read] = {}

    def of(name: str) -> Read:
        if name not in done:
            done[name] = read(traps.planted(name), traps.fitbit(name))
        return done[name]

    return of


@pytest.mark.parametrize("name", OF_EXPORTS)
def test_the_reader_gives_the_right_answers(reading: Callable[[str], Read], name: str) -> None:
    got = reading(name)
    found = {type(answer).__name__: text for answer in got.planted.answers if (text := wrong(got, answer))}
    # A line of the table trap | asked | got, which `pytest -rA` shows.
    asked = ", ".join(type(answer).__name__ for answer in got.planted.answers)
    print(f"{name} | {asked} | {found or 'as asked'}")
    assert found == {}


@pytest.mark.parametrize("name", OF_TWO)
def test_the_companion_gets_what_is_right_too(reading: Callable[[str], Read], name: str) -> None:
    got = reading(name)
    _, companion = got.planted.people
    truth = got.planted.frames[companion.participant_id]["daily_summary"]
    daily = table(got.results[companion.participant_id], "daily_summary")
    columns = ["date", "steps", "sleep_minutes", "resting_heart_rate", "wear_minutes"]
    assert daily.select(columns).equals(truth.select(columns))


@pytest.mark.parametrize("name", OF_EXPORTS)
def test_whatever_the_trap_tables_are_sound_and_counts_close(
    reading: Callable[[str], Read], name: str
) -> None:
    result = reading(name).result
    for name_of_table in result.tables:
        check_table(name_of_table, table(result, name_of_table))
