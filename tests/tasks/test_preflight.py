"""What is checked before a run begins, and what its order says."""

from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest
from small_study import PEOPLE, TOML, order_of, write_study

from outputs.parquet import write_table
from schemas.errors import PhaError
from schemas.participants import Participants
from tasks.order import as_of_of, is_in
from tasks.preflight import covered, make_order


def published(out: Path, ids: list[str]) -> None:
    """A release of these people, that OUT/latest leads to."""
    release = out / "releases" / "2026-06-01-full-0123456789ab"
    people = pl.DataFrame(
        {
            "participant_id": ids,
            "sex": "female",
            "status": "active",
            "time_zone": "UTC",
            "age_approximate": False,
        }
    ).with_columns(has_wearable=False, has_labs=False, has_surveys=False)
    write_table(people, Participants, release / "tables" / "participants.parquet")
    (out / "latest").symlink_to(release)


def ids_of(study: Path) -> list[str]:
    return [person.participant_id for person in covered(order_of(study)[1])]


class TestOrder:
    def test_it_is_plain_values(self, study: Path) -> None:
        order, _ = order_of(study, only=["P2", "P1"])
        assert order["only"] == ["P1", "P2"]
        assert order["as_of"] == "2026-06-28"
        assert Path(order["study"]).is_absolute()
        assert Path(order["out"]).is_absolute()
        assert datetime.fromisoformat(order["started"]).utcoffset() is not None

    def test_an_undecided_as_of_cannot_be_used(self, study: Path) -> None:
        order, _ = order_of(study, as_of=None)
        with pytest.raises(ValueError, match="decided after ingest"):
            as_of_of(order)
        assert as_of_of({**order, "as_of": "2026-06-28"}) == date(2026, 6, 28)

    def test_whom_a_run_may_work_on(self, study: Path) -> None:
        order, _ = order_of(study, only=["P1"])
        assert (is_in(order, "P1"), is_in(order, "P2")) == (True, False)
        assert is_in(order_of(study)[0], "P2")

    def test_an_unknown_id_is_refused(self, study: Path) -> None:
        with pytest.raises(PhaError, match="participant_unknown"):
            order_of(study, only=["P1", "P9"])

    def test_the_model_is_that_of_the_study_unless_given(self, study: Path) -> None:
        assert order_of(study)[0]["model"] == "rules"

    def test_a_model_must_be_listed_where_texts_are_written(self, study: Path, tmp_path: Path) -> None:
        with pytest.raises(PhaError, match="model_not_allowed"):
            make_order("full", str(study), str(tmp_path / "out"), None, "gemini-3-pro", None)
        make_order("core", str(study), str(tmp_path / "out"), None, "gemini-3-pro", None)


class TestCovered:
    def test_everybody_by_id(self, study: Path) -> None:
        assert ids_of(study) == ["P1", "P2", "P3"]

    def test_withdrawn_people_are_left_out_where_their_data_are_to_be_erased(self, tmp_path: Path) -> None:
        study = write_study(tmp_path / "study", TOML + '[privacy]\non_withdrawal = "erase"\n')
        assert ids_of(study) == ["P1", "P2"]

    def test_the_order_of_the_file_means_nothing(self, tmp_path: Path) -> None:
        head, *lines = PEOPLE.splitlines()
        study = write_study(tmp_path / "study", people="\n".join([head, *reversed(lines)]))
        assert ids_of(study) == ["P1", "P2", "P3"]


class TestNobodyIsGone:
    def test_a_person_of_the_last_release_who_left_the_file_stops_the_run(self, study: Path) -> None:
        published(study.parent / "out", ["P1", "P8", "P9"])
        with pytest.raises(PhaError, match=r"P8, P9"):
            order_of(study)

    def test_withdrawn_people_are_still_in_the_file(self, study: Path) -> None:
        published(study.parent / "out", ["P1", "P3"])
        order_of(study)

    def test_a_link_to_nothing_is_no_release(self, study: Path) -> None:
        (study.parent / "out").mkdir()
        (study.parent / "out" / "latest").symlink_to(study.parent / "gone")
        order_of(study)


def test_a_refused_order_leaves_no_trace(study: Path) -> None:
    with pytest.raises(PhaError, match="participant_unknown"):
        make_order("core", str(study), str(study.parent / "new"), None, None, ["P999"])
    assert not (study.parent / "new").exists()
