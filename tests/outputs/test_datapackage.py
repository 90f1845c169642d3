"""The descriptor: every table, column, unit and constraint, and the digest of every file."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from made_release import published

from outputs.release_tables import names_of
from schemas.tables import TABLES

# Whole releases pass great-expectations.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published(tmp_path_factory.mktemp("package"), "core").path


@pytest.fixture(scope="module")
def package(release: Path) -> dict[str, Any]:
    return json.loads((release / "datapackage.json").read_bytes())


@pytest.fixture(scope="module")
def resources(package: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {resource["name"]: resource for resource in package["resources"]}


def fields_of(resource: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {field["name"]: field for field in resource["schema"]["fields"]}


def test_the_package_names_itself_and_its_standard(package: dict[str, Any], release: Path) -> None:
    assert package["name"] == release.name
    assert re.fullmatch(r"[a-z0-9._-]+", package["name"])
    assert package["$schema"] == "https://datapackage.org/profiles/2.0/datapackage.json"
    assert package["created"] == "2026-02-10T03:00:00+00:00"


def test_every_table_of_the_kind_is_described_in_order(resources: dict[str, dict[str, Any]]) -> None:
    assert list(resources) == names_of("core")


def test_every_column_is_described_with_its_unit(resources: dict[str, dict[str, Any]]) -> None:
    for name, resource in resources.items():
        assert list(fields_of(resource)) == list(TABLES[name].columns())
        assert all(field["description"] for field in fields_of(resource).values())
    assert fields_of(resources["daily_summary"])["weight_kg"]["unit"] == "kg"


def test_a_field_tells_type_limits_words_and_decimals(resources: dict[str, dict[str, Any]]) -> None:
    days = fields_of(resources["daily_summary"])
    assert days["resting_heart_rate"] == {
        "name": "resting_heart_rate",
        "type": "number",
        "description": "Resting heart rate.",
        "unit": "bpm",
        "decimals": 2,
        "constraints": {"required": False, "minimum": 25, "maximum": 150},
    }
    assert days["day_state"]["constraints"]["enum"][0] == "worn"
    assert days["date"]["type"] == "date"
    assert days["bed_time"]["clock"] == "local"
    assert fields_of(resources["activities"])["start_utc"]["clock"] == "UTC"
    assert fields_of(resources["source_files"])["members_json"]["contentMediaType"] == "application/json"


def test_keys_and_references_are_in_the_standard_form(resources: dict[str, dict[str, Any]]) -> None:
    schema = resources["lab_results"]["schema"]
    assert schema["primaryKey"] == ["participant_id", "file_id", "row_no"]
    assert schema["foreignKeys"] == [
        {
            "fields": ["participant_id"],
            "reference": {"resource": "participants", "fields": ["participant_id"]},
        },
        {
            "fields": ["participant_id", "file_id"],
            "reference": {"resource": "lab_files", "fields": ["participant_id", "file_id"]},
        },
    ]


def test_every_reference_leads_to_a_described_table(resources: dict[str, dict[str, Any]]) -> None:
    for resource in resources.values():
        for key in resource["schema"]["foreignKeys"]:
            target = resources[key["reference"]["resource"]]
            assert set(key["reference"]["fields"]) <= set(fields_of(target))


def test_digests_sizes_and_rows_are_those_of_the_files(
    release: Path, package: dict[str, Any], resources: dict[str, dict[str, Any]]
) -> None:
    described = [*package["otherFiles"], *(file for each in resources.values() for file in each["files"])]
    for file in described:
        content = (release / file["path"]).read_bytes()
        assert file["bytes"] == len(content)
        assert file["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
    assert resources["daily_summary"]["rows"] == 120
    assert resources["daily_summary"]["hash"] == resources["daily_summary"]["files"][0]["hash"]


def test_tables_by_participant_list_their_files(resources: dict[str, dict[str, Any]]) -> None:
    minutes = resources["heart_rate_minutes"]
    assert minutes["path"] == [f"tables/heart_rate_minutes/{person}.parquet" for person in ("P1", "P2")]
    assert minutes["rows"] == 20


def test_a_table_without_a_file_is_data_without_rows(resources: dict[str, dict[str, Any]]) -> None:
    steps = resources["steps_minutes"]
    assert (steps["data"], steps["files"], steps["rows"]) == ([], [], 0)
    assert "path" not in steps


def test_paths_stay_inside_the_release(package: dict[str, Any], resources: dict[str, dict[str, Any]]) -> None:
    paths = [file["path"] for file in package["otherFiles"]]
    paths += [file["path"] for each in resources.values() for file in each["files"]]
    assert len(paths) == len(set(paths))
    assert not [path for path in paths if path.startswith("/") or ".." in path]
