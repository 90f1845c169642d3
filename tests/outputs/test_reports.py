"""The pages of a release: who gets one, what stands on it, and what never does."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_pages import PEOPLE, made_tables, settings, write_release
from page_parser import Page

from outputs.reports import write_reports
from tests.yardstick import within

pytestmark = pytest.mark.slow

HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}{% x %}</style>&amp;\u202e"
RESULTS_TO = {"P001": "participant", "P002": "clinician", "P003": "participant"}
Tables = dict[str, list[dict[str, Any]]]


def written(folder: Path, tables: Tables | None = None, kind: str = "full", **reports: Any) -> Path:
    write_release(folder, made_tables() if tables is None else tables, kind)
    write_reports(folder, settings(**reports), RESULTS_TO)
    return folder / "reports"


def page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def calm(tables: Tables) -> Tables:
    """The same tables with the alert of P001 acknowledged, so that no page is held."""
    for row in tables["attention"]:
        if row["kind"] == "alert":
            row["state"] = "acknowledged"
    return tables


def held(reports: Path) -> dict[str, str]:
    return json.loads((reports / "held.json").read_text())


@pytest.fixture(scope="module")
def calm_reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("calm"), calm(made_tables()))


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("release"))


def names(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.html")}


def test_every_participant_has_a_clinicians_page_and_those_who_get_results_their_own(
    calm_reports: Path,
) -> None:
    assert names(calm_reports / "clinician") == set(PEOPLE)
    assert names(calm_reports / "participant") == {"P001", "P003"}
    assert held(calm_reports) == {}
    assert (calm_reports / "index.html").is_file()


@pytest.mark.parametrize("state", ["new", "open"])
def test_a_waiting_critical_alert_holds_the_participants_page(tmp_path: Path, state: str) -> None:
    tables = made_tables()
    tables["attention"][0]["state"] = state
    folder = written(tmp_path, tables)
    assert names(folder / "participant") == {"P003"}
    assert names(folder / "clinician") == set(PEOPLE)
    assert held(folder) == {"P001": "alert"}
    words = "Participant page held until the alert is acknowledged or the text is signed off"
    assert words in page(folder / "clinician" / "P001.html").words
    assert words in page(folder / "index.html").words
    assert words not in page(folder / "clinician" / "P003.html").words


@pytest.mark.parametrize("state", ["acknowledged", "snoozed", "resolved"])
def test_a_decision_on_the_alert_releases_the_page(tmp_path: Path, state: str) -> None:
    tables = made_tables()
    tables["attention"][0]["state"] = state
    assert names(written(tmp_path, tables) / "participant") == {"P001", "P003"}


def test_the_participants_text_signed_releases_the_page_and_no_other_signature(
    tmp_path: Path,
) -> None:
    for reader, published in (("clinician", {"P003"}), ("participant", {"P001", "P003"})):
        tables = made_tables()
        for row in tables["summaries"]:
            if row["reader"] == reader:
                row |= {"signed_by": "Dr Vos", "signed_on": row["data_through"]}
        assert names(written(tmp_path / reader, tables) / "participant") == published


def test_only_critical_alerts_hold_a_page(tmp_path: Path) -> None:
    for change in ({"severity": "high"}, {"kind": "finding"}):
        tables = made_tables()
        tables["attention"][0] |= change
        assert "P001" in names(written(tmp_path / next(iter(change)), tables) / "participant")


def test_nobody_who_gets_no_results_is_held(tmp_path: Path) -> None:
    tables = made_tables()
    tables["attention"][0]["participant_id"] = "P002"
    assert held(written(tmp_path, tables)) == {}


def test_a_required_signature_holds_pages_also_where_the_alert_is_acknowledged(tmp_path: Path) -> None:
    folder = written(tmp_path / "a", calm(made_tables()), require_sign_off=True)
    assert held(folder) == {"P001": "signature", "P003": "signature"}
    assert "held until the text is signed off" in page(folder / "index.html").words
    assert held(written(tmp_path / "b", require_sign_off=True)) == {"P001": "both", "P003": "signature"}


def test_clinicians_can_read_the_text_they_sign_for_the_participant(reports: Path) -> None:
    read = page(reports / "clinician" / "P001.html")
    assert "The text for the participant, not signed" in read.words
    assert read.words.count("text digest " + "ab" * 16) == 2


def test_severities_stand_before_the_lines_that_lead_with_findings(tmp_path: Path) -> None:
    tables = made_tables()
    for row in tables["summaries"]:
        told = json.loads(row["sections_json"])
        told[0]["sentences"].insert(
            0, {"text": "Potassium first.", "fact_ids": ["finding.lab_range.potassium"]}
        )
        row["sections_json"] = json.dumps(told)
    words = page(written(tmp_path, tables) / "clinician" / "P001.html").words
    assert "critical Potassium first." in words


def test_topics_of_the_analysis_stand_together_and_lines_name_their_subject(tmp_path: Path) -> None:
    told = [
        {"id": f"analysis.{name}", "title": name, "style": "list", "sentences": [{"text": f"{name}: 1."}]}
        for name in ("heart", "sleep")
    ]
    tables = made_tables()
    for row in tables["summaries"]:
        row["sections_json"] = json.dumps(told)
    read = page(written(tmp_path, tables) / "clinician" / "P001.html")
    assert read.words.count("Detailed analysis") == 1
    assert (read.count("dt"), read.count("dd")) == (2, 2)
    assert "subject" in read.all("class")


def test_every_window_of_every_measure_is_in_a_table(tmp_path: Path) -> None:
    tables = made_tables()
    rank = next(r for r in tables["participant_percentiles"] if r["metric"] == "steps")
    tables["participant_percentiles"].append(rank | {"window": "last_7_days", "value": 9876.0, "days": 6})
    words = page(written(tmp_path, tables) / "clinician" / "P001.html").words
    assert "Every measure in every window (6)" in words
    assert "9,876 steps" in words
    assert words.index("Last 7 days") < words.index("Last 30 days")


def test_a_text_and_its_chart_stand_together_on_the_participants_page(tmp_path: Path) -> None:
    tables = calm(made_tables())
    heart = {
        "id": "analysis.heart",
        "title": "Your heart",
        "style": "text",
        "sentences": [{"text": "It beats."}],
    }
    for row in tables["summaries"]:
        row["sections_json"] = json.dumps([heart])
    words = page(written(tmp_path, tables) / "participant" / "P001.html").words
    assert words.index("Your heart") < words.index("It beats.") < words.index("Heart rate variability")
    assert words.index("Heart rate variability") < words.index("Your days"), "charts without a text come last"


def test_no_statement_stands_twice_on_the_participants_page(calm_reports: Path) -> None:
    words = page(calm_reports / "participant" / "P001.html").words
    for said in ("Discuss the HbA1c", "The notice.", "Time asleep was 7 h 11 min", "Talk to your clinician"):
        assert words.count(said) == 1


def test_all_pages_are_whole_self_contained_and_can_run_nothing(reports: Path) -> None:
    for path in reports.rglob("*.html"):
        page(path).check_form()


def test_hostile_text_in_every_column_stays_text(tmp_path: Path) -> None:
    folder = written(tmp_path, made_tables(HOSTILE))
    for path in folder.rglob("*.html"):
        read = page(path)
        read.check_form()
        assert "49" not in read.words.split("alert(2)>")[-1][:4]
    clinician = page(folder / "clinician" / "P001.html")
    assert clinician.words.count("<script>alert(1)</script>") > 20


@pytest.mark.parametrize("status", ["withdrawn", "excluded"])
def test_people_who_left_have_no_page_and_are_off_the_board(tmp_path: Path, status: str) -> None:
    tables = made_tables()
    tables["participants"][0]["status"] = status
    folder = written(tmp_path, tables)
    assert names(folder / "clinician") == {"P002", "P003", "P004"}
    assert names(folder / "participant") == {"P003"}


def test_nobody_gets_a_page_by_default(tmp_path: Path) -> None:
    write_release(tmp_path, made_tables())
    write_reports(tmp_path, settings(), {})
    assert names(tmp_path / "reports" / "participant") == set()


def test_where_signing_is_required_an_unsigned_page_is_not_published(tmp_path: Path) -> None:
    tables = made_tables()
    for row in tables["summaries"]:
        if row["participant_id"] == "P003":
            row |= {"signed_by": "Dr Vos", "signed_on": row["data_through"]}
    folder = written(tmp_path, tables, require_sign_off=True)
    assert names(folder / "participant") == {"P003"}
    assert names(folder / "clinician") == set(PEOPLE), "clinicians read what they are to sign"


def test_a_withheld_text_leaves_no_page_for_the_participant(tmp_path: Path) -> None:
    tables = made_tables()
    for row in tables["summaries"]:
        row["status"] = "withheld"
    folder = written(tmp_path, tables)
    assert names(folder / "participant") == set()
    words = page(folder / "clinician" / "P001.html").words
    assert "The summary is withheld" in words
    assert "Resting heart rate over the last 30 days was" not in words


def test_a_core_release_has_its_board_and_what_arrived_of_whom(tmp_path: Path) -> None:
    folder = written(tmp_path, made_tables(), kind="core")
    pages = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}
    assert pages == {"index.html", *(f"coordinator/{name}.html" for name in PEOPLE)}


def test_unsigned_pages_say_draft_and_signed_ones_who_signed(tmp_path: Path, calm_reports: Path) -> None:
    for reader in ("clinician", "participant"):
        assert "Draft, not reviewed by a clinician" in page(calm_reports / reader / "P001.html").words
    tables = made_tables()
    for row in tables["summaries"]:
        row |= {"signed_by": "Dr Vos", "signed_on": row["data_through"]}
    folder = written(tmp_path, tables)
    for reader in ("clinician", "participant"):
        words = page(folder / reader / "P001.html").words
        assert "Draft" not in words
        assert "by Dr Vos on 28 Jun 2026" in words


def test_pages_of_a_made_study_say_so(reports: Path) -> None:
    for path in reports.rglob("*.html"):
        assert "Made-up people" in page(path).words


def test_the_clinicians_header_says_who_and_through_when(reports: Path) -> None:
    words = page(reports / "clinician" / "P001.html").words
    assert "41 years · woman · site North · group A" in words
    assert "Data through 28 Jun 2026 · percentiles: edition 2026-06 · release as of 28 Jun 2026" in words
    assert "48 years (approximate) · man" in page(reports / "clinician" / "P002.html").words


def test_old_ages_are_shown_capped(tmp_path: Path) -> None:
    tables = made_tables()
    tables["participants"][0]["age"] = 90
    assert "90 or older" in page(written(tmp_path, tables) / "clinician" / "P001.html").words


def test_each_number_of_the_summary_leads_to_its_fact(reports: Path) -> None:
    read = page(reports / "clinician" / "P001.html")
    links = [attrs for tag, attrs in read.elements if tag == "a" and attrs.get("class") == "bound"]
    assert len(links) == 4
    assert links[0]["title"] == (
        "Resting heart rate; last 30 days; 27 valid days; from participant_percentiles, value"
    )
    assert {str(link["href"])[1:] for link in links} <= set(read.all("id"))


def test_all_outcomes_of_the_findings_are_there(reports: Path) -> None:
    words = page(reports / "clinician" / "P001.html").words
    for title in (
        "Fired (2)",
        "Could not be checked (1)",
        "Checked, nothing found (1)",
        "Does not apply (1)",
    ):
        assert title in words
    assert words.index("Potassium was 6.8") < words.index("HbA1c was 5.9 %, in the band"), "worst first"


def test_lab_values_stand_as_printed_with_range_flag_and_the_value_before(reports: Path) -> None:
    read = page(reports / "clinician" / "P001.html")
    drawn = "Value and printed range" + "The value is above the range."
    row = f"HEMOGLOBIN A1c 5.9 % <5.7 {drawn} high 5.8 (2 Mar 2026)"
    assert row.replace(" ", "") in read.words.replace(" ", "")
    assert read.words.index("Collected 11 Jun 2026") < read.words.index("Collected 2 Mar 2026")


def test_computed_results_say_so(tmp_path: Path) -> None:
    tables = made_tables()
    sodium = next(row for row in tables["lab_results"] if row["analyte_key"] == "sodium")
    sodium |= {"derived": True, "raw_name": "HOMA-IR", "value_canonical": 2.345, "canonical_unit": "1"}
    words = page(written(tmp_path, tables) / "clinician" / "P001.html").words
    assert "computed by us" in words
    assert "HOMA-IR2.3" in words.replace(" ", "")


def test_ranks_stand_with_their_source(reports: Path) -> None:
    words = page(reports / "clinician" / "P001.html").words
    assert words.count("214 women aged 35–44") >= 5
    assert words.count("reference population, edition 0a1b2c3d") >= 5


def test_a_rank_that_could_not_be_given_says_why(tmp_path: Path) -> None:
    tables = calm(made_tables())
    for row in tables["participant_percentiles"]:
        row |= {"rank": None, "others": None, "stratum": None, "no_rank_reason": "insufficient_days"}
    folder = written(tmp_path, tables)
    assert "too few valid days" in page(folder / "clinician" / "P001.html").words
    assert "You among others" not in page(folder / "participant" / "P001.html").words


def test_plans_are_folded(reports: Path) -> None:
    read = page(reports / "clinician" / "P001.html")
    assert "How this was worked out" in read.words
    assert "Take the main sleeps" in read.words
    assert read.count("details") >= 4


def test_what_waits_for_this_participant_stands_on_top(reports: Path) -> None:
    words = page(reports / "clinician" / "P001.html").words
    assert words.index("beyond the study's critical limits") < words.index("Overall summary")
    assert "critical limits" not in page(reports / "clinician" / "P003.html").words


def test_a_person_without_data_has_a_page_that_says_what_is_missing(reports: Path) -> None:
    words = page(reports / "clinician" / "P004.html").words
    for text in ("No summary was written", "No accepted laboratory result", "No daily values", "No ranks"):
        assert text in words


def test_the_participants_page_has_five_ranks_with_source_and_names_the_clinician(
    calm_reports: Path,
) -> None:
    read = page(calm_reports / "participant" / "P001.html")
    ranked = [attrs for tag, attrs in read.elements if tag == "svg" and attrs.get("class") == "rank"]
    assert len(ranked) >= 5
    assert read.words.count("reference population, edition 0a1b2c3d") >= 5
    assert "Talk to your clinician" in read.words
    assert sum(attrs.get("class") == "trend" for tag, attrs in read.elements if tag == "svg") == 4


def test_an_answer_that_is_not_for_the_participant_is_on_the_clinicians_page_alone(
    calm_reports: Path,
) -> None:
    own, theirs = (page(calm_reports / reader / "P001.html").words for reader in ("participant", "clinician"))
    assert "Only the clinician reads of LDL between draws" in theirs
    assert "Only the clinician reads of LDL between draws" not in own


def test_what_a_model_wrote_is_marked_on_both_pages_and_its_answers_are_not_on_the_participants(
    tmp_path: Path, calm_reports: Path
) -> None:
    tables = calm(made_tables())
    for row in (*tables["summaries"], *(one for one in tables["insights"] if not one["for_participant"])):
        row["written_by"] = "gemini-x"
    marked = "Written by the language model gemini-x; every number was checked by code."
    folder = written(tmp_path, tables)
    own, theirs = (page(folder / reader / "P001.html").words for reader in ("participant", "clinician"))
    for words in (own, theirs):
        assert words.count(marked) == 1
    assert own.index(marked) < own.index("Questions we asked of your data")
    assert "Written by: gemini-x. " in theirs
    assert own.count("gemini-x") == 1
    assert "language model" not in page(calm_reports / "participant" / "P001.html").words


def test_insights_are_plain_for_the_participant_and_detailed_for_the_clinician(calm_reports: Path) -> None:
    own, theirs = (page(calm_reports / reader / "P001.html").words for reader in ("participant", "clinician"))
    for words in (own, theirs):
        assert "Regularity of sleep How regular is the sleep? Bed times" in words
        assert "Not enough days yet: 65 of 68 days." in words
    assert "Without an answer Weekdays and weekends: Not enough days yet: 65 of 68 days." in own
    assert "Bedtime, spread 39 minutes last 30 days 27" in theirs
    assert "Bedtime, spread" not in own
    assert "Take the main sleeps" not in own


def test_mood_and_findings_stay_off_the_participants_page(calm_reports: Path) -> None:
    words = page(calm_reports / "participant" / "P001.html").words
    for text in ("PHQ", "moderate", "Questionnaire", "lab_range", "critical", "North"):
        assert text not in words
    assert "PHQ-9 score" in page(calm_reports / "clinician" / "P001.html").words


def test_only_lab_results_whose_fact_is_for_the_participant_are_shown(calm_reports: Path) -> None:
    words = page(calm_reports / "participant" / "P001.html").words
    assert "Potassium 6.8 mmol/L 3.5-5.3" in words, "in plain words, as printed"
    assert "sodium" not in words.lower()
    assert "5.8" not in words, "the newest only"


def test_the_participants_page_gives_no_exact_count_of_others(tmp_path: Path) -> None:
    tables = calm(made_tables())
    for row in tables["participant_percentiles"]:
        row |= {"others": 13, "stratum": "cell", "edition": "2026-06"}
    for row in tables["population_percentiles"]:
        row |= {"edition": "2026-06", "window": "last_30_days"}
    for row in tables["summaries"]:
        row["sections_json"] = "[]"
    folder = written(tmp_path, tables)
    words = page(folder / "participant" / "P001.html").words
    assert "at least 10 women aged 35–44" in words
    assert "groups of 11 people or more" in words
    assert "“at least 10” may be 11 to 14" in words, "the page does not contradict itself"
    assert "13 women" not in words
    assert "13 women aged 35–44" in page(folder / "clinician" / "P001.html").words


def test_pages_are_the_same_bytes_when_made_again(tmp_path: Path, reports: Path) -> None:
    again = written(tmp_path)
    for path in reports.rglob("*.html"):
        assert (again / path.relative_to(reports)).read_bytes() == path.read_bytes()


def test_both_pages_of_a_participant_take_less_than_50_ms_of_cpu(tmp_path: Path) -> None:
    tables = made_tables()
    write_release(tmp_path, tables)
    write_reports(tmp_path, settings(), RESULTS_TO)
    # Three people with both pages, one with a short one, the board, reading the tables; a piece is 0.05 s.
    with within(4 * 1 + 6):
        write_reports(tmp_path, settings(), dict.fromkeys(PEOPLE, "participant"))


def bands(reports: Path, reader: str) -> list[dict[str, str | None]]:
    return [
        attrs for _, attrs in page(reports / reader / "P001.html").elements if attrs.get("class") == "band"
    ]


def test_charts_show_the_middle_half_of_those_the_rank_is_among(tmp_path: Path, calm_reports: Path) -> None:
    assert len(bands(calm_reports, "clinician")) == 4
    assert len(bands(calm_reports, "participant")) == 4
    tables = made_tables()
    for row in tables["participant_percentiles"]:
        row |= {"stratum": "sex", "stratum_age_group": "all", "edition": "2026-06"}
    assert bands(written(tmp_path, tables), "clinician") == [], "no band of another group stands in"


def shared_bands(tables: dict[str, list[dict[str, Any]]], low: float) -> list[dict[str, Any]]:
    """The same groups as shareable_percentiles tells of them, with another lower quartile."""
    return [
        {name: row[name] for name in row if name != "definition"}
        | {"value": low if row["percentile"] == "25" else row["value"], "edition": "2026-05", "n": 10}
        for row in tables["population_percentiles"]
    ]


def test_the_participants_page_shows_of_study_people_only_what_may_be_passed_on(tmp_path: Path) -> None:
    tables = calm(made_tables())
    for row in tables["participant_percentiles"]:
        row |= {"others": 13, "stratum": "cell", "edition": "2026-06"}
    for row in tables["population_percentiles"]:
        row |= {"edition": "2026-06", "window": "last_30_days"}
    untold = written(tmp_path / "untold", tables)
    assert len(bands(untold, "clinician")) == 4
    assert bands(untold, "participant") == [], "no group of the study is told"
    tables["shareable_percentiles"] = shared_bands(tables, low=40.0)
    told = written(tmp_path / "told", tables)
    assert bands(told, "clinician") == bands(untold, "clinician")
    assert len(bands(told, "participant")) == 4
    heights = {name: [band["height"] for band in bands(told, name)] for name in ("participant", "clinician")}
    assert heights["participant"] != heights["clinician"]
