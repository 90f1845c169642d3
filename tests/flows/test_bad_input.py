"""Each bad input gets its code in `pha check`, `pha status` and on the board; the others are unharmed."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from study_runs import Made, copy_of, pha

from pha.cli import main

pytestmark = [pytest.mark.prefect, pytest.mark.sandbox]

# participant -> what is done to their folder, and the code that must result.
SPOILT = {
    "B001": "folder_empty",
    "B002": "not_a_zip",
    "B003": "zip_truncated",
    "B004": "lab_pdf_empty",
    "B005": "same_bytes",
    "B006": "same_bytes",
    "B007": "overlap_conflict",
}
OF_NOBODY = ("folder_unregistered", "folder_spoilt_id")
GOOD = "P001"


@pytest.fixture(scope="module")
def spoilt(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The made study and its results, then seven people whose files are bad, and two folders of nobody."""
    copied = copy_of(made, tmp_path_factory.mktemp("spoilt"))
    study, out = copied.study, copied.out
    registry = study / "participants.csv"
    header, *rows = registry.read_text().splitlines()
    extra = [dict(zip(header.split(","), [""] * header.count(",") + [""], strict=True)) for _ in SPOILT]
    for person, participant in zip(extra, SPOILT, strict=True):
        person |= {"participant_id": participant, "sex": "female", "birth_date": "1980-01-01"}
    rows += [",".join(person.values()) for person in extra]
    rows += [",".join(({**extra[0], "participant_id": "0042"}).values())]
    registry.write_text("\n".join([header, *rows]) + "\n")
    _spoil(study)
    run = pha("run", study, "--out", out)
    assert run.returncode == 3, run.stderr
    return copied


@pytest.fixture(scope="module")
def status(spoilt: Made) -> str:
    """What `pha status` says of it."""
    return pha("status", "--out", spoilt.out, "--all").stdout


@pytest.fixture(scope="module")
def check(spoilt: Made) -> str:
    """What `pha check` says of it."""
    return pha("check", spoilt.study, "--out", spoilt.out).stdout


def _spoil(study: Path) -> None:
    (export,) = (study / "fitbit" / "P002").glob("*.zip")
    for participant in SPOILT:
        (study / "fitbit" / participant).mkdir()
    (study / "fitbit" / "B002" / "takeout.zip").write_bytes(b"<html>Sign in</html>")
    (study / "fitbit" / "B003" / "takeout.zip").write_bytes(export.read_bytes()[:40])
    (study / "fitbit" / "B007" / "takeout.zip").write_bytes(export.read_bytes()[: export.stat().st_size // 2])
    (study / "labs" / "B004").mkdir()
    (study / "labs" / "B004" / "report.pdf").write_bytes(b"")
    for participant in ("B005", "B006"):
        (study / "fitbit" / participant / f"{participant}.zip").write_bytes(
            (study / "fitbit" / "P003" / next((study / "fitbit" / "P003").glob("*.zip")).name).read_bytes()
            + b"copy"
        )
    for name in ("Ada Lovelace", "42"):
        (study / "fitbit" / name).mkdir()
        (study / "fitbit" / name / "a.txt").write_text("x")


def matters(spoilt: Made) -> pl.DataFrame:
    return pl.read_parquet(spoilt.release / "tables" / "attention.parquet")


@pytest.mark.parametrize(("participant", "code"), SPOILT.items())
def test_a_spoilt_folder_has_its_code_everywhere(
    spoilt: Made, status: str, check: str, participant: str, code: str
) -> None:
    own = matters(spoilt).filter(pl.col("participant_id") == participant)
    assert code in own["code"].to_list()
    what = own.filter(pl.col("code") == code)["what"][0]
    assert participant in status
    assert what in status
    assert code in check
    assert participant in check
    assert participant in (spoilt.out / "index.html").read_text()


@pytest.mark.parametrize("code", OF_NOBODY)
def test_a_folder_of_nobody_is_told_without_its_name(spoilt: Made, check: str, code: str) -> None:
    assert code in matters(spoilt)["code"].to_list()
    assert code in check
    for page in (spoilt.out / "index.html", spoilt.out / "status.json"):
        assert "Lovelace" not in page.read_text()


def test_check_shows_the_name_of_a_folder_of_nobody(check: str) -> None:
    assert "fitbit/Ada Lovelace" in check


def test_the_others_are_unharmed(spoilt: Made, made: Made) -> None:
    def days(of: Made) -> pl.DataFrame:
        table = pl.read_parquet(of.release / "tables" / "daily_summary.parquet")
        return table.filter(pl.col("participant_id") == GOOD)

    assert days(spoilt).equals(days(made))


@pytest.mark.parametrize(
    ("file", "old", "new", "code"),
    [
        ("study.toml", "[study]", "[study]\ncolour = 'red'", "settings_unknown_key"),
        ("study.toml", "America/New_York", "America/New_Yrok", "settings_invalid"),
        ("participants.csv", "P001,", "1.00E+05,", "registry_invalid"),
        ("participants.csv", "P002,", "p001,", "registry_duplicate_id"),
    ],
)
def test_wrong_settings_end_with_2_and_name_the_line(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, code: str
) -> None:
    study = tmp_path / "study"
    shutil.copytree(made.study, study)
    text = (study / file).read_text()
    assert old in text
    (study / file).write_text(text.replace(old, new, 1))
    for command in ("check", "run"):
        with pytest.raises(SystemExit) as ended:
            main([command, str(study), "--out", str(tmp_path / "out")])
        assert ended.value.code == 2
        told = "".join(capsys.readouterr())
        assert code in told
        assert "line" in told
    assert not (tmp_path / "out" / "releases").exists()


def test_check_writes_nothing(made: Made, tmp_path: Path) -> None:
    result = pha("check", made.study, "--out", tmp_path / "out", "--json")
    assert result.returncode == 0
    assert json.loads(result.stdout)["stops"] is False
    assert not (tmp_path / "out").exists()


def test_out_of_another_study_is_refused(made: Made, tmp_path: Path) -> None:
    study = tmp_path / "study"
    shutil.copytree(made.study, study)
    (study / ".pha-secret").unlink()
    result = pha("run", study, "--out", made.out)
    assert result.returncode == 2
    assert "out_belongs_to_other_study" in result.stderr


def test_a_person_gone_from_the_registry_is_an_error(made: Made, tmp_path: Path) -> None:
    study, out = tmp_path / "study", tmp_path / "out"
    shutil.copytree(made.study, study)
    shutil.copytree(made.out, out, symlinks=True)
    registry = study / "participants.csv"
    registry.write_text("\n".join(registry.read_text().splitlines()[:-1]) + "\n")
    result = pha("run", study, "--out", out)
    assert result.returncode == 2
    assert "registry_person_gone" in result.stderr
    assert "P004" in result.stderr
