"""Today's reader on every planted trap: what is asked, and what it gets.

Traps of lab reports are read in test_labs_made_hostile.
"""

from collections.abc import Callable

import pytest
from fitbit_files import check_table, table
from trap_answers import Read, read, wrong

from synthetic.traps.catalogue import TRAPS
from tests.planted_traps import PlantedTraps

pytestmark = pytest.mark.slow

OF_EXPORTS = [name for name, trap in TRAPS.items() if trap.reports is None]


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


@pytest.mark.parametrize("name", [name for name, trap in TRAPS.items() if trap.companion])
def test_the_companion_gets_what_is_right_too(reading: Callable[[str], Read], name: str) -> None:
    got = reading(name)
    _, companion = got.planted.people
    truth = got.planted.frames[companion.participant_id]["daily_summary"]
    daily = table(got.results[companion.participant_id], "daily_summary")
    columns = ["date", "steps", "sleep_minutes", "resting_heart_rate", "wear_minutes"]
    assert daily.select(columns).equals(truth.select(columns))


@pytest.mark.parametrize("name", [name for name, trap in TRAPS.items() if trap.reports is None])
def test_whatever_the_trap_tables_are_sound_and_counts_close(
    reading: Callable[[str], Read], name: str
) -> None:
    result = reading(name).result
    for name_of_table in result.tables:
        check_table(name_of_table, table(result, name_of_table))
