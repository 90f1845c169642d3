"""What makes work be done again, and what must not."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from small_study import PEOPLE, order_of, send, write_study

from schemas.participant import Participant
from tasks.keys import ingest_key, surveys_key
from tasks.workspace import Workspace, open_workspace, survey_files


@pytest.fixture
def workspace(study: Path) -> Workspace:
    send(study, "fitbit/P1/a.zip", b"one")
    send(study, "fitbit/P1/b.zip", b"two")
    send(study, "surveys/a.csv", b"record_id\n")
    send(study, "surveys/b.csv", b"record_id,x\n")
    return open_workspace(study, study.parent / "out")


def person(workspace: Workspace, **changes: Any) -> Participant:
    return replace(workspace.study.participant("P1"), **changes)


def key_now(workspace: Workspace) -> str:
    """The key that a run which starts now would find: a run looks at the files once."""
    return key(open_workspace(workspace.study.root, workspace.out))


def key(workspace: Workspace, **changes: Any) -> str:
    files = workspace.files("fitbit", "P1", [])
    return ingest_key(workspace, person(workspace, **changes), "fitbit", files)


def survey_key(study: Path) -> str:
    workspace = open_workspace(study, study.parent / "out")
    return surveys_key(workspace, survey_files(workspace))


class TestIngest:
    @pytest.mark.parametrize(
        "change",
        [
            {"name": "Ada King"},
            {"birth_date": date(1990, 2, 4)},
            {"birth_year": 1991},
            {"sex": "male"},
            {"time_zone": "Europe/Paris"},
        ],
        ids=lambda change: next(iter(change)),
    )
    def test_who_the_person_is_changes_it(self, workspace: Workspace, change: dict[str, Any]) -> None:
        assert key(workspace, **change) != key(workspace)

    @pytest.mark.parametrize(
        "change",
        [
            {"site": "Oslo"},
            {"group": "control"},
            {"enrolled_on": date(2026, 1, 1)},
            {"consent_from": date(2026, 1, 1)},
            {"consent_to": date(2026, 5, 1)},
            {"status": "completed"},
            {"left_on": date(2026, 5, 1)},
            {"results_to": "clinician"},
            {"external_model": True},
            {"aliases": ("old1", "older1")},
        ],
        ids=lambda change: next(iter(change)),
    )
    def test_what_is_cut_or_shown_later_does_not(self, workspace: Workspace, change: dict[str, Any]) -> None:
        assert key(workspace, **change) == key(workspace)

    def test_a_changed_file_changes_it(self, workspace: Workspace) -> None:
        before = key(workspace)
        send(workspace.study.root, "fitbit/P1/b.zip", b"three")
        assert key_now(workspace) != before

    def test_a_new_file_changes_it(self, workspace: Workspace) -> None:
        before = key(workspace)
        send(workspace.study.root, "fitbit/P1/c.zip", b"two")
        assert key_now(workspace) != before

    def test_a_renamed_file_changes_it(self, workspace: Workspace) -> None:
        before = key(workspace)
        place = workspace.study.root / "fitbit" / "P1"
        (place / "b.zip").rename(place / "c.zip")
        assert key_now(workspace) != before

    def test_a_file_set_aside_changes_it(self, workspace: Workspace) -> None:
        files = workspace.files("fitbit", "P1", [])
        aside = [replace(files[0], set_aside="same_bytes"), *files[1:]]
        one = person(workspace)
        assert ingest_key(workspace, one, "fitbit", aside) != ingest_key(workspace, one, "fitbit", files)

    def test_the_order_of_files_means_nothing(self, workspace: Workspace) -> None:
        files, one = workspace.files("fitbit", "P1", []), person(workspace)
        assert ingest_key(workspace, one, "fitbit", files[::-1]) == ingest_key(
            workspace, one, "fitbit", files
        )

    def test_when_a_file_was_written_means_nothing(self, workspace: Workspace) -> None:
        before = key(workspace)
        send(workspace.study.root, "fitbit/P1/b.zip", b"two")
        assert key(workspace) == before

    def test_stages_and_people_never_share_one(self, workspace: Workspace) -> None:
        files = workspace.files("fitbit", "P1", [])
        other = person(workspace, participant_id="P2")
        keys = {
            ingest_key(workspace, person(workspace), "fitbit", files),
            ingest_key(workspace, person(workspace), "labs", files),
            ingest_key(workspace, other, "fitbit", files),
        }
        assert len(keys) == 3

    def test_as_of_model_and_whom_a_run_covers_mean_nothing(self, workspace: Workspace) -> None:
        before = key(workspace)
        _, later = order_of(workspace.study.root, as_of=date(2026, 11, 1), only=["P2"])
        assert key(later) == before

    def test_the_birth_date_cannot_be_guessed_back(self, workspace: Workspace, tmp_path: Path) -> None:
        other = write_study(tmp_path / "other")
        (other / ".pha-secret").write_text("1" * 64)
        elsewhere = open_workspace(other, tmp_path / "elsewhere")
        assert key(workspace) != ingest_key(
            elsewhere, person(workspace), "fitbit", workspace.files("fitbit", "P1", [])
        )


class TestSurveys:
    def test_the_order_of_people_means_nothing(self, workspace: Workspace) -> None:
        study = workspace.study.root
        before = survey_key(study)
        head, *lines = PEOPLE.splitlines()
        (study / "participants.csv").write_text("\n".join([head, *reversed(lines)]) + "\n")
        assert survey_key(study) == before

    def test_the_order_of_aliases_means_nothing(self, workspace: Workspace) -> None:
        study, keys = workspace.study.root, set[str]()
        for aliases in ("old1;older1", "older1;old1"):
            (study / "participants.csv").write_text(PEOPLE.replace("old1", aliases, 1))
            keys.add(survey_key(study))
        assert len(keys) == 1

    def test_the_order_of_files_means_nothing(self, workspace: Workspace) -> None:
        files = survey_files(workspace)
        assert len(files) == 2
        assert surveys_key(workspace, files[::-1]) == surveys_key(workspace, files)

    @pytest.mark.parametrize(
        ("before", "after"),
        [("old1", "old2"), ("P2,male", "P4,male")],
        ids=["an alias", "an id"],
    )
    def test_who_has_which_ids_changes_it(self, workspace: Workspace, before: str, after: str) -> None:
        study = workspace.study.root
        key_before = survey_key(study)
        (study / "participants.csv").write_text(PEOPLE.replace(before, after))
        assert survey_key(study) != key_before

    def test_names_and_birth_dates_mean_nothing(self, workspace: Workspace) -> None:
        study = workspace.study.root
        before = survey_key(study)
        (study / "participants.csv").write_text(
            PEOPLE.replace("Ada", "Eve").replace("1990-02-03", "1991-02-03")
        )
        assert survey_key(study) == before

    def test_publishing_free_text_changes_it(self, workspace: Workspace) -> None:
        study = workspace.study.root
        before = survey_key(study)
        (study / "study.toml").write_text(
            (study / "study.toml").read_text() + "[privacy]\nfree_text = true\n"
        )
        assert survey_key(study) != before
