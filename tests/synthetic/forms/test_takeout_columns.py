"""Every file of every generation: a known name in its folder, the right columns, cells and records."""

import json
import re
from collections.abc import Callable
from datetime import date

import pytest
from takeout_reader import Export, table_of
from takeout_tables import (
    FAMILIES,
    GENERATIONS,
    JSON_KINDS,
    NEVER_READ_GOOGLE,
    NEVER_READ_PRODUCTS,
    Csv,
    csv_kinds,
)

ExportOf = Callable[[str], Export]

HEADER_ALONE = {"body_fat", "UserLegacySettingData", "Daily Readiness User Properties"}
ROOTS = {
    "A0": r"[A-Z]\w+[A-Z]\w+/(user-site-export|user-profile)",
    "A1": r"MyFitbitData/[A-Z]\w+[A-Z]\w+/[^/]+",
    "A2": r"MyFitbitData/[A-Z]\w+[A-Z]\w+/(Google Data/)?[^/]+",
    "B": r"Takeout/Fitbit/[^/]+",
    "C": r"Takeout/Fitbit/[^/]+",
    "D": r"Takeout/Fitbit/[^/]+",
    "E": r"Takeout/Google Health/[^/]+",
    "F": r"Takeout/Google Health/[^/]+(/[A-Z][A-Za-z0-9 ]+)?",
}
ENOUGH_ROWS = 300
FORMS = {
    "us": r"\d\d/\d\d/\d\d \d\d:\d\d:\d\d",
    "day": r"\d\d/\d\d/\d\d 00:00:00",
    "us date": r"\d\d/\d\d/\d\d",
    "date": r"\d{4}-\d\d-\d\d",
    "time": r"\d\d:\d\d:\d\d",
    "iso": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}",
    "digits": r"\d+",
    "tenths": r"\d+\.\d",
    "text": r".+",
}
TYPES = {"int": int, "float": float, "bool": bool}


def kind_of(generation: str, path: str) -> Csv | str | None:
    """The kind a file must be of; None for a file of an unknown name."""
    base = path.rsplit("/", 1)[-1]
    family_folder = "/Physical Activity_GoogleData/" in path
    of_product = set(path.split("/")) & NEVER_READ_PRODUCTS and not family_folder
    if of_product or NEVER_READ_GOOGLE.fullmatch(base):
        return "never read"
    if base.lower().endswith("readme.txt"):
        return "readme"
    if path in ("Takeout/archive_browser.html", "Takeout/Tasks/Tasks.json"):
        return "of Takeout"
    if generation == "A0" and base in ("food_logs-0.json", "badge.json", "trophy.json"):
        return "of the first site"
    if base.endswith(".json"):
        return next((name for name in JSON_KINDS if re.fullmatch(rf"{name}-[\d-]+\.json", base)), None)
    return next((kind for kind in csv_kinds(generation) if kind.names(base)), None)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_every_file_has_a_known_name_and_every_kind_a_file(export_of: ExportOf, generation: str) -> None:
    kinds = {path: kind_of(generation, path) for path in export_of(generation).members}
    assert [path for path, kind in kinds.items() if kind is None] == []
    found = [kind for kind in kinds.values() if not isinstance(kind, str)]
    assert [kind.name for kind in csv_kinds(generation) if kind not in found] == []
    assert set(JSON_KINDS) <= {kind for kind in kinds.values() if isinstance(kind, str)}


@pytest.mark.parametrize("generation", GENERATIONS)
def test_files_lie_in_the_folders_of_the_layout(export_of: ExportOf, generation: str) -> None:
    for path in export_of(generation).members:
        folder = path.rsplit("/", 1)[0]
        of_takeout = generation >= "B" and folder in ("Takeout", "Takeout/Tasks")
        assert of_takeout or re.fullmatch(ROOTS[generation], folder), path


def folder_of(export: Export, base: str) -> str:
    """The one folder in which files of a name lie."""
    (folder,) = {path.rsplit("/", 1)[0] for path in export.files(base)}
    return folder


@pytest.mark.parametrize(
    ("generation", "base", "folder"),
    [
        ("A0", r"steps-.*\.json", "user-site-export"),
        ("A0", r"Profile\.csv", "user-profile"),
        ("A1", r"steps-.*\.json", "Physical Activity"),
        ("A1", r"weight-.*\.json", "Personal & Account"),
        ("A1", r"Profile\.csv", "Personal & Account"),
        ("A1", r"sleep-.*\.json", "Sleep"),
        ("A1", r"Minute SpO2.*\.csv", "Sleep"),
        ("A1", r"Stress Score\.csv", "Stress"),
        ("A1", r"estimated_oxygen_variation.*\.csv", "Other"),
        ("A1", r"Daily Readiness Score.*\.csv", "Physical Activity"),
        ("A2", r"calories_.*\.csv", "Google Data/Physical Activity"),
        ("A2", r"UserSleeps_.*\.csv", "Google Data/Health Fitness Data"),
        ("B", r"steps-.*\.json", "Takeout/Fitbit/Global Export Data"),
        ("B", r"sleep_score\.csv", "Takeout/Fitbit/Sleep Score"),
        ("C", r"calories_.*\.csv", "Takeout/Fitbit/Physical Activity_GoogleData"),
        ("D", r"UserSleeps_.*\.csv", "Takeout/Fitbit/Health Fitness Data_GoogleData"),
        ("E", r"steps-.*\.json", "Takeout/Google Health/Global Export Data"),
        ("F", r"steps_.*\.csv", "Takeout/Google Health/Physical Activity_GoogleData/Steps"),
        ("F", r"heart_rate_\d.*\.csv", "Takeout/Google Health/Physical Activity_GoogleData/Heart Rate"),
        (
            "F", r"daily_resting_heart_rate.*\.csv",
            "Takeout/Google Health/Physical Activity_GoogleData/Daily Resting Heart Rate",
        ),
    ],
)  # fmt: skip
def test_where_a_kind_lies(export_of: ExportOf, generation: str, base: str, folder: str) -> None:
    assert folder_of(export_of(generation), base).endswith(folder)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_csv_files_have_the_columns_and_the_cells_of_their_kind(export_of: ExportOf, generation: str) -> None:
    with_rows: set[str] = set()
    for path, content in export_of(generation).members.items():
        kind = kind_of(generation, path)
        if not isinstance(kind, Csv):
            continue
        header, *rows = table_of(content.decode())
        assert header == list(kind.columns), path
        assert b"\r" not in content
        columns = [set(cells) for cells in zip(*(rows[:ENOUGH_ROWS] + rows[-ENOUGH_ROWS:]), strict=True)]
        for (column, form), cells in zip(kind.columns.items(), columns, strict=bool(columns)):
            wrong = [cell for cell in cells if not re.fullmatch(form, cell)]
            assert not wrong, (path, column, wrong[:3])
        if columns:
            with_rows.add(kind.name)
    empty = {kind.name for kind in csv_kinds(generation)} - with_rows
    assert {re.split(r"\\|\(| - ", name)[0] for name in empty} <= HEADER_ALONE


@pytest.mark.parametrize("generation", GENERATIONS)
def test_json_files_have_the_records_of_their_kind(export_of: ExportOf, generation: str) -> None:
    for path, content in export_of(generation).members.items():
        kind = kind_of(generation, path)
        if isinstance(kind, str) and kind in JSON_KINDS:
            records = json.loads(content)
            assert records, path
            for record in records[:ENOUGH_ROWS] + records[-ENOUGH_ROWS:]:
                check(record, JSON_KINDS[kind], path)


def check(value: object, form: object, path: str) -> None:
    """Fail unless a record has exactly the keys and types of its form."""
    match form:
        case dict():
            assert isinstance(value, dict), path
            optional = {key.rstrip("?") for key in form if key.endswith("?")}
            needed = {key for key in form if not key.endswith("?")}
            assert needed <= set(value) <= needed | optional, (path, set(value) ^ needed)
            for key, part in value.items():
                check(part, form.get(key, form.get(f"{key}?")), path)
        case [inner]:
            assert isinstance(value, list), path
            for part in value:
                check(part, inner, path)
        case "us date or null":
            assert value is None or re.fullmatch(FORMS["us date"], str(value)), path
        case "any":
            pass
        case str() if form in TYPES:
            assert type(value) is TYPES[form], (path, value, form)
        case _:
            assert isinstance(value, str), (path, value, form)
            assert re.fullmatch(FORMS[str(form)], value), (path, value, form)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_json_files_have_the_layout_of_the_vendor(export_of: ExportOf, generation: str) -> None:
    for text in export_of(generation).files(r"(steps|calories)-.*\.json").values():
        assert re.match(r'\[\{\n  "dateTime" : "[\d/]+ [\d:]+",\n  "value" : "[\d.]+"\n\},\{\n', text)
        assert text.endswith("\n}]")
    for text in export_of(generation).files(r"heart_rate-.*\.json").values():
        assert '"value" : {\n    "bpm" : ' in text


@pytest.mark.parametrize("generation", ["C", "E", "F"])
def test_how_families_are_cut_into_files(export_of: ExportOf, generation: str) -> None:
    export = export_of(generation)
    for family in FAMILIES:
        for path, text in export.files(rf"{family}(_\d{{4}}-\d\d-\d\d)?\.csv").items():
            named = re.search(r"_(\d{4}-\d\d-\d\d)\.csv", path)
            days = {row[0][:10] for row in table_of(text)[1:]}
            if named is None or not days:
                continue
            start = named.group(1)
            by_day = generation != "F" and family in ("heart_rate", "body_temperature", "sedentary_period")
            assert {day[: 10 if by_day else 7] for day in days} == {start[: 10 if by_day else 7]}
            assert min(days) >= start
    life = export.files(r"(daily_[a-z_]+|weight|height|demographic_vo2max)\.csv")
    assert bool(life) == (generation != "F")


@pytest.mark.parametrize(("generation", "sharded"), [("C", False), ("D", False), ("E", True)])
def test_shards_beside_whole_life_files_hold_the_newest_month(
    export_of: ExportOf, generation: str, sharded: bool
) -> None:
    export = export_of(generation)
    shards = export.files(r"weight_.*\.csv")
    assert bool(shards) == sharded
    weighed = export.family("weight")
    assert len(weighed) == len(export_of("D").family("weight")) > 3


@pytest.mark.parametrize("generation", GENERATIONS)
def test_sleep_logs_say_how_they_were_made_since_2021(export_of: ExportOf, generation: str) -> None:
    assert all(("logType" in log) == (generation != "A0") for log in export_of(generation).json("sleep"))


def test_chunks_step_by_thirty_days_from_the_account(export_of: ExportOf) -> None:
    export = export_of("B")
    (profile,) = export.csv(r"Profile\.csv")
    created = date.fromisoformat(profile["member_since"])
    starts = [
        date.fromisoformat(path[-15:-5])
        for path in export.files(r"(steps|calories|sleep|weight|sedentary_minutes)-.*\.json")
    ]
    assert {(start - created).days % 30 for start in starts} == {0}
    assert len(set(starts)) > 1
