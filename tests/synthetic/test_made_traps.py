"""The catalogue of traps is whole, each trap is in the bytes it was planted into, and its answer fits."""

import hashlib
import json
import re
from pathlib import Path

import polars as pl
import pytest
from trap_bytes import LOOKS

from ingest.registry import ID_PATTERN
from synthetic.spec import PRESETS, Spec
from synthetic.study import make_study
from synthetic.traps.answers import as_json
from synthetic.traps.catalogue import GROUPS, TRAPS
from synthetic.traps.planting import people_of_trap, plant
from tests.planted_traps import SEED, PlantedTraps

# What a made study must try a reader with, and the traps that do.
ASKED = {
    "clock of every kind": ("utc_beside_local",),
    "a Z that is false in one export and true in another": ("false_z_of_2025", "true_z_of_2026"),
    "sleeps in false UTC": ("sleeps_in_false_utc", "score_with_false_z"),
    "v1 and v2 nights": ("nights_told_twice", "nights_told_three_times"),
    "two devices and a phone": ("phone_beside_watch", "two_watches_and_a_phone"),
    "units without a mark": ("distance_in_centimetres", "pounds_in_a_metric_account"),
    "placeholders": (
        "zero_resting_heart_rate", "oxygen_of_fifty", "record_without_value", "respiration_of_minus_one",
        "seventy_without_contact",
    ),
    "days that are instants": ("days_as_instants",),
    "parts that may lack": ("nights_without_short_wakes",),
    "padding into the future": ("padded_future",),
    "duplicates at file borders": ("border_duplicates", "repeated_minutes"),
    "layouts": tuple(f"form_{form}" for form in ("a0", "a1", "a2", "b", "c", "d", "e", "f")),
    "bytes that are not study data": ("foreign_products",),
    "summer time in both hemispheres": (
        "dst_spring_north", "dst_autumn_north", "dst_spring_south", "dst_autumn_south",
    ),
    "the date line": ("date_line_westward", "date_line_eastward"),
    "device change": ("new_watch",),
    "non-wear": ("not_worn",),
    "another language": ("german_account",),
    "thousands separators": ("thousands_with_points", "thousands_with_commas"),
    "overlapping exports": ("overlapping_exports", "clicked_twice", "archive_beside_its_folder"),
    "a truncated member": ("cut_member", "cut_archive"),
    "a wrong file in a right place": ("web_page_for_steps", "sheet_for_stress", "report_among_exports"),
    "another participant's zip": (
        "another_with_profile", "another_without_profile", "same_bytes_in_two_folders",
    ),
    "shared accounts": ("two_people_on_one_account", "enrolled_twice"),
    "packages": (
        "split_export", "part_missing", "tar_and_gzip", "zipped_again", "archive_in_archive",
        "archive_three_deep", "unpacked_folder", "login_page_for_archive", "empty_upload", "other_packer",
    ),
    "hostile members": ("bomb", "paths_leading_out"),
    "numbers as text": ("bare_numbers",),
    "encodings": ("byte_order_marks", "unicode_text"),
    "empty files": ("empty_files",),
    "around the consent": ("outside_the_consent", "folder_of_an_alias"),
    "what must go nowhere": ("custom_activity", "words_of_their_own", "report_called_by_name"),
    "other forms": tuple(
        f"form_{form}" for form in ("fitabase", "fitabase_merged", "monthly_csv", "web_api", "health_api")
    ),
}  # fmt: skip
OF_EXPORTS = [name for name, trap in TRAPS.items() if trap.reports is None]


def test_the_catalogue_covers_what_is_asked() -> None:
    named = {name for names in ASKED.values() for name in names}
    assert named <= set(TRAPS)
    assert set(OF_EXPORTS) <= named


def test_every_trap_has_a_name_that_is_an_id_a_sentence_and_a_life_of_its_own() -> None:
    assert sum(map(len, GROUPS.values())) == len(TRAPS)
    people = [person for trap in TRAPS.values() for person in people_of_trap(trap, SEED)]
    assert all(ID_PATTERN.fullmatch(person.participant_id) for person in people)
    assert len({person.participant_id for person in people}) == len(people)
    twice = [person for person in people if person.participant_id == "enrolled_twice-2"]
    assert len({person.number for person in people}) == len(people) - len(twice)
    assert all(re.fullmatch(r"[A-Z0-9].+\.", trap.what) and trap.known for trap in TRAPS.values())


def test_every_export_trap_has_a_look_at_its_bytes() -> None:
    assert sorted(LOOKS) == sorted(OF_EXPORTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bomb", "overlapping_exports", "part_missing", "form_web_api"])
def test_a_trap_is_planted_alike_twice(traps: PlantedTraps, tmp_path: Path, name: str) -> None:
    again = plant(TRAPS[name], SEED, tmp_path)
    assert digests(tmp_path / "fitbit") == digests(traps.fitbit(name))
    assert [as_json(answer) for answer in again.answers] == [
        as_json(answer) for answer in traps.planted(name).answers
    ]


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_study_of_the_first_traps(tmp_path: Path) -> None:
    make_study(tmp_path, Spec(3, PRESETS["traps"].days, SEED, "traps"))
    told = json.loads((tmp_path / "truth" / "traps.json").read_text())
    assert [trap["trap"] for trap in told] == list(TRAPS)[:3]
    ids = [owner for trap in told for owner in trap["participants"]]
    registered = (tmp_path / "study" / "participants.csv").read_text().splitlines()[1:]
    assert [line.split(",")[0] for line in registered] == ids
    daily = pl.read_parquet(tmp_path / "truth" / "daily_summary.parquet")
    assert daily["participant_id"].unique().sort().to_list() == sorted(ids)
    assert sorted(path.name for path in (tmp_path / "study" / "fitbit").iterdir()) == sorted(ids)
