"""A plan makes all the files of a person, with one truth over them."""

from itertools import islice

import polars as pl
import pytest

from synthetic.labs.plan import TRICKS, LabPlan, lab_files_of
from synthetic.labs.truth import LabFile, published_rows
from synthetic.people.persona import make_person

OWNER, STRANGER = make_person(2, 120, 7), make_person(4, 120, 7)
QUICK = tuple(trick for trick in TRICKS if trick not in ("scanned", "photographed", "doubled_glyphs"))


@pytest.fixture(scope="module")
def files() -> list[LabFile]:
    return list(lab_files_of(OWNER, 120, 7, LabPlan(tricks=QUICK), STRANGER))


def test_every_file_has_a_name_of_its_own_and_a_verdict(files: list[LabFile]) -> None:
    assert len({file.name for file in files}) == len(files) == 2 + len(QUICK) + 3
    assert [file.verdict for file in files[:2]] == ["accepted", "accepted"]
    assert {file.participant_id for file in files} == {OWNER.participant_id}


def test_no_test_of_a_specimen_is_published_twice(files: list[LabFile]) -> None:
    kept = published_rows(files)
    key = ["collected_date", "file_id", "analyte_key"]
    assert kept.select(pl.struct(key).is_duplicated().any()).item() is False
    replaced = {name for file in files for name in file.superseded_by.values()}
    assert len(replaced) == 2
    assert replaced <= set(kept["file_id"])
    older = {file.name for file in files if file.superseded_by}
    assert not older & set(kept["file_id"])


def test_tricks_change_nothing_of_the_ordinary_reports(files: list[LabFile]) -> None:
    plain = list(lab_files_of(OWNER, 120, 7, LabPlan()))
    assert [file.name for file in plain] == [file.name for file in files[:2]]
    drop = ["loinc"]
    assert plain[0].rows.drop(drop).equals(files[0].rows.drop(drop))


def test_files_are_made_one_at_a_time() -> None:
    making = lab_files_of(OWNER, 120, 7, LabPlan(tricks=("other_person",)))
    assert len(list(islice(making, 2))) == 2
    with pytest.raises(ValueError, match="other_person needs a stranger"):
        next(making)
