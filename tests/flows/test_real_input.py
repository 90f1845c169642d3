"""A study of four real and printed inputs gives the tables their sources say."""

import json
import os
import shutil
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from study_runs import pha

pytestmark = [pytest.mark.samples, pytest.mark.prefect]

STUDY = '[study]\nname = "Real input"\ntime_zone = "Europe/Amsterdam"\n'


@pytest.fixture(scope="module")
def samples_folder() -> Path:
    folder = Path(os.environ.get("PHA_SAMPLES", Path(__file__).parents[3] / "shared" / "samples"))
    if not folder.is_dir():
        pytest.skip("the shared samples are not on this machine (set PHA_SAMPLES)")
    return folder


@pytest.fixture(scope="module")
def release(samples_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of `pha run` on the four."""
    root = tmp_path_factory.mktemp("real")
    study = root / "study"
    shutil.copytree(samples_folder / "fitbit" / "takeout_2023-12_en", study / "fitbit" / "T1")
    shutil.copytree(samples_folder / "fitbit" / "user-site-export_2020", study / "fitbit" / "U1")
    labs = samples_folder / "labs" / "synthetic"
    people = [
        "participant_id,sex,birth_date,birth_year,time_zone,name",
        "T1,male,1990-01-01,,Europe/Amsterdam,Test Person",
        "U1,unknown,,1980,America/New_York,",
    ]
    for participant, number in (("L1", "01"), ("L2", "02")):
        (pdf,) = labs.glob(f"{number}*.pdf")
        (study / "labs" / participant).mkdir(parents=True)
        shutil.copy(pdf, study / "labs" / participant)
        people.append(_registered_as_printed(participant, pdf))
    (study / "study.toml").write_text(STUDY)
    (study / "participants.csv").write_text("\n".join(people) + "\n")
    run = pha("run", study, "--out", root / "out")
    assert run.returncode in (0, 3), run.stderr
    assert pha("verify", root / "out" / "latest").returncode == 0
    return root / "out" / "latest"


def _registered_as_printed(participant: str, pdf: Path) -> str:
    truth = json.loads(pdf.with_suffix(".json").read_text())
    patient = truth["patient"]
    sex = {"M": "male", "F": "female"}[patient["sex"]]
    return f'{participant},{sex},{patient["dob"]},,America/New_York,"{patient["name"]}"'


def table(release: Path, name: str, participant: str) -> pl.DataFrame:
    return pl.read_parquet(release / "tables" / f"{name}.parquet").filter(
        pl.col("participant_id") == participant
    )


@pytest.mark.parametrize(
    ("day", "steps"),
    [(date(2023, 11, 29), 11833), (date(2023, 12, 6), 23283), (date(2023, 12, 13), 14814)],
)
def test_steps_count_for_the_local_day(release: Path, day: date, steps: int) -> None:
    assert table(release, "daily_summary", "T1").filter(pl.col("date") == day)["steps"].to_list() == [steps]


def test_sleep_stands_on_the_day_of_waking(release: Path) -> None:
    night = table(release, "daily_summary", "T1").filter(pl.col("date") == date(2023, 12, 14))
    assert night.select("sleep_minutes", "time_in_bed_minutes").row(0) == (541, 629)


def test_resting_heart_rate_to_its_decimals(release: Path) -> None:
    day = table(release, "daily_summary", "T1").filter(pl.col("date") == date(2023, 12, 1))
    assert day["resting_heart_rate"].to_list() == [58.09]


def test_whose_it_is_was_checked_where_it_could_be(release: Path) -> None:
    def verdicts(participant: str) -> set[str]:
        return set(table(release, "source_files", participant)["identity"])

    assert verdicts("T1") == {"matched"}
    assert verdicts("U1") == {"unchecked"}
    assert verdicts("L1") == verdicts("L2") == {"matched"}


def test_every_printed_result_is_there(release: Path, samples_folder: Path) -> None:
    for participant, number in (("L1", "01"), ("L2", "02")):
        (truth,) = (samples_folder / "labs" / "synthetic").glob(f"{number}*.json")
        printed = len(json.loads(truth.read_text())["results"])
        results = table(release, "lab_results", participant).filter(~pl.col("derived"))
        assert results.height == printed


def test_labs_without_a_wearable_are_no_reason_to_be_left_out(release: Path) -> None:
    people = pl.read_parquet(release / "tables" / "participants.parquet")
    assert people["participant_id"].to_list() == ["L1", "L2", "T1", "U1"]
    assert people.filter(pl.col("participant_id") == "L1")["has_labs"].item()
