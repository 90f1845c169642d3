"""Results change only together with their RESULT_VERSION, and the golden folder says what changed."""

from copy import deepcopy
from pathlib import Path

import pytest
from golden_record import (
    FOLDER,
    demand,
    differing,
    earlier_stages,
    read_record,
    record_of,
    samples_of,
    unannounced,
)
from golden_study import AGENT_STAGES, VERSIONED, Made, make_results

INGEST_TO_DOSSIER = [stage for stage in VERSIONED if stage not in AGENT_STAGES]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Made]:
    return make_results(tmp_path_factory.mktemp("golden"))


def check(results: dict[str, Made], stage: str) -> None:
    assert "failed" not in str(results[stage].documents), results[stage].documents
    before, now = read_record(), record_of(results)
    refused = unannounced(before, now)
    assert stage not in refused, demand(stage, refused[stage])
    stale = differing(before, now, stage, "results") + differing(before, now, stage, "versions")
    assert stale == [], f"the record of stage {stage} is stale ({', '.join(stale)}): make golden"


@pytest.mark.slow
@pytest.mark.parametrize("stage", INGEST_TO_DOSSIER)
def test_results_are_those_of_their_version(results: dict[str, Made], stage: str) -> None:
    check(results, stage)


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.parametrize("stage", AGENT_STAGES)
def test_results_with_programs_are_those_of_their_version(results: dict[str, Made], stage: str) -> None:
    check(results, stage)


@pytest.mark.slow
@pytest.mark.sandbox
def test_samples_are_current(results: dict[str, Made]) -> None:
    for name, text in samples_of(results).items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, f"{name} is stale: make golden"


@pytest.mark.slow
def test_every_stage_makes_something(results: dict[str, Made]) -> None:
    for stage in INGEST_TO_DOSSIER:
        assert any(text.count("\n") > 1 for text in results[stage].tables.values()), stage


# ---- the record itself ----


def changed(part: str, stage: str, name: str) -> dict[str, dict[str, dict[str, object]]]:
    """The record with one entry changed."""
    record = deepcopy(read_record())
    record[stage][part][name] = "changed"
    return record


def test_a_change_under_the_same_version_names_stage_table_and_module() -> None:
    refused = unannounced(read_record(), changed("results", "core", "daily_summary"))
    assert refused == {"core": ["daily_summary"]}
    assert demand("core", refused["core"]) == (
        "results of stage core changed (daily_summary): raise RESULT_VERSION in outputs.observation or "
        "outputs.person_values or outputs.participant_features, then make golden"
    )


def test_a_change_with_a_raised_version_is_announced() -> None:
    now = changed("results", "labs", "lab_results")
    now["labs"]["versions"]["ingest.labs"] = 99
    assert unannounced(read_record(), now) == {}


def test_the_first_changed_stage_is_blamed_not_what_follows_from_it() -> None:
    now = changed("results", "fitbit", "daily_summary")
    now["core"]["results"]["daily_summary"] = now["release"]["results"]["daily_summary"] = "changed"
    assert list(unannounced(read_record(), now)) == ["fitbit"]


def test_a_study_made_differently_is_nobodys_fault() -> None:
    now = changed("results", "study", "daily_summary")
    now["fitbit"]["results"]["daily_summary"] = "changed"
    assert unannounced(read_record(), now) == {}


def test_a_new_stage_needs_no_earlier_record() -> None:
    before = read_record()
    del before["release"]
    assert unannounced(before, read_record()) == {}


def test_the_order_of_stages_is_known_to_the_end() -> None:
    assert earlier_stages("release") == set(VERSIONED) - {"release"}
    assert earlier_stages("fitbit") == {"study"}
    assert earlier_stages("study") == set()


def test_the_golden_folder_is_small() -> None:
    assert sum(path.stat().st_size for path in Path(FOLDER).iterdir()) < 200_000
