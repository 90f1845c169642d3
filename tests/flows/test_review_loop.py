"""A reading in doubt: its alert, `pha decide`, the next release, and the guard when the file changes."""

from pathlib import Path

import polars as pl
import pytest
from study_runs import pha

from outputs.decisions import read_decisions
from tests.ingest.lab_pdfs import Sheet, draw

pytestmark = [pytest.mark.prefect, pytest.mark.proof]

TITLES = ("Test", "Result", "Units", "Reference")
HEAD = ("LOVELACE, ADA", "DOB: 02/03/1990 Sex: F", "Collected: 03/14/2026 08:10")
SODIUM = ("Sodium", "140", "mmol/L", "135-146")


class Study:
    """One person with one report, and the releases of its ingest."""

    def __init__(self, folder: Path) -> None:
        self.root, self.out = folder / "study", folder / "out"
        self.report = self.root / "labs" / "P1" / "a.pdf"
        self.report.parent.mkdir(parents=True)
        (self.root / "study.toml").write_text('[study]\nname = "Walk"\ntime_zone = "UTC"\n')
        registry = "participant_id,sex,birth_date,name\nP1,female,1990-02-03,Ada Lovelace\n"
        (self.root / "participants.csv").write_text(registry)

    def print(self, potassium: str) -> None:
        rows = [TITLES, ("Potassium", potassium, "mmol/L", "3.5-5.1"), SODIUM]
        draw(self.report, Sheet(rows, head=HEAD))

    def ingest(self) -> int:
        return pha("ingest", self.root, "--out", self.out, "--as-of", "2026-06-28").returncode

    def table(self, name: str) -> pl.DataFrame:
        return pl.read_parquet((self.out / "latest").resolve() / "tables" / f"{name}.parquet")

    def published(self) -> dict[str, tuple[float, str | None]]:
        rows = self.table("lab_results").filter(~pl.col("derived"))
        return {r["analyte_key"]: (r["value_canonical"], r["review_reasons"]) for r in rows.to_dicts()}

    def waiting(self) -> set[str]:
        return set(self.table("attention").filter(pl.col("state").is_in(["new", "open"]))["code"])


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return Study(tmp_path_factory.mktemp("review"))


def test_from_the_doubt_to_the_decision_and_back(study: Study) -> None:
    study.print("41")
    assert study.ingest() == 3
    assert study.published() == {"sodium": (140.0, None)}
    assert {"lab_row_review", "lab_critical_unconfirmed"} <= study.waiting()
    (doubt,) = study.table("lab_review").to_dicts()
    assert (doubt["reasons"], doubt["suggestion"]) == ("implausible", "potassium 41 mmol/L")

    target = f"{doubt['file_id']}:{doubt['row_no']}"
    words = ("--by", "Dr. Example", "--study", study.root, "--out", study.out)
    assert pha("decide", "correct", target, "potassium 4.1 mmol/L", *words).returncode == 0
    (decision,) = read_decisions(study.root / "decisions.csv")
    assert (decision.target, decision.expect) == (target, "Potassium: 41 mmol/L")
    study.ingest()
    assert study.published() == {"sodium": (140.0, None), "potassium": (4.1, "corrected_by_decision")}
    assert study.waiting().isdisjoint({"lab_row_review", "lab_critical_unconfirmed", "decision_outdated"})

    study.print("51")
    assert study.ingest() == 3
    assert study.published() == {"sodium": (140.0, None)}
    assert {"decision_outdated", "lab_row_review", "lab_critical_unconfirmed"} <= study.waiting()
    # The reading it was about is in no release any more: nothing is decided on it again.
    assert pha("decide", "accept", target, *words).returncode == 2
