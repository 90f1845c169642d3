"""Who is on the board, since when, and what a decision does to it."""

from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_pages import LAST, frame
from made_pages import settings as study

from outputs.alerts import Alert
from outputs.attention import attention_table, needs_attention_now
from outputs.decisions import Decision
from outputs.matters import AttentionInputs
from outputs.stage_problems import StageProblem
from schemas.attention import Attention
from schemas.errors import CODES, PhaError
from schemas.table import polars_schema

ALERT = Alert("P1", "lab_critical_value", "f1:potassium", "A value is beyond (potassium).")
ZIP = StageProblem("P1", "fitbit", "zip_truncated", "f1", PhaError("zip_truncated").what)


def person(name: str, **more: Any) -> dict[str, Any]:
    return {
        "participant_id": name,
        "status": "active",
        "data_through": LAST,
        "days_behind": 0,
        "has_wearable": True,
    } | more


def export(name: str, **more: Any) -> dict[str, Any]:
    row = {"file_id": f"{name}-f", "participant_id": name, "source": "fitbit", "content_digest": f"{name}-c"}
    return row | {"identity": "matched"} | more


def inputs(
    people: list[dict[str, Any]] | None = None,
    files: list[dict[str, Any]] | None = None,
    daily: list[dict[str, Any]] | None = None,
    alerts: list[Alert] | None = None,
    problems: list[StageProblem] | None = None,
    reports: dict[str, Any] | None = None,
    results_to: dict[str, str] | None = None,
    **tables: list[dict[str, Any]],
) -> AttentionInputs:
    people = [person("P1")] if people is None else people
    sent = [export(p["participant_id"]) for p in people] if files is None else files
    return AttentionInputs(
        alerts=alerts or [],
        problems=problems or [],
        participants=frame("participants", people),
        daily=frame("daily_summary", daily or []).lazy(),
        source_files=frame("source_files", sent),
        lab_review=frame("lab_review", tables.get("lab_review", [])),
        quality_checks=frame("quality_checks", tables.get("quality_checks", [])),
        lab_results=frame("lab_results", tables.get("lab_results", [])),
        findings=frame("findings", tables.get("findings", [])),
        summaries=frame("summaries", tables.get("summaries", [])),
        claims=frame("claims", tables.get("claims", [])),
        results_to=results_to or {},
        settings=study(**(reports or {})),
    )


def rows(made: AttentionInputs, previous: pl.DataFrame | None = None, *decisions: Decision) -> list[Any]:
    return attention_table(made, previous, decisions, LAST).to_dicts()


def codes(made: AttentionInputs) -> list[str]:
    return sorted(row["code"] for row in rows(made))


def test_a_study_in_order_needs_nobody() -> None:
    table = attention_table(inputs(), None, (), LAST)
    assert table.is_empty()
    assert table.schema == polars_schema(Attention)
    assert not needs_attention_now(table, None)


def test_a_row_says_who_acts_what_to_do_and_what_to_send() -> None:
    (row,) = rows(inputs(problems=[ZIP]))
    code = CODES["zip_truncated"]
    assert (row["participant_id"], row["kind"], row["role"], row["severity"]) == (
        "P1",
        "input",
        "coordinator",
        "high",
    )
    assert (row["what"], row["next_step"], row["message"]) == (code.what, code.next_step, code.message)
    assert (row["first_seen"], row["state"]) == (LAST, "new")


@pytest.mark.parametrize(
    ("problem", "kind"),
    [
        (StageProblem("P1", "fitbit", "identity_mismatch", "f", "w"), "identity"),
        (StageProblem("P1", "labs", "lab_not_pdf", "f", "w"), "alert"),
        (StageProblem("P1", "labs", "file_unreadable", "f", "w"), "alert"),
        (StageProblem("P1", "fitbit", "file_unreadable", "f", "w"), "input"),
        (StageProblem("P1", "labs", "lab_row_review", "f", "w"), "lab_review"),
        (StageProblem("P1", "labs", "unexpected", "labs:k", "w", failed=True), "alert"),
        (StageProblem("P1", "dossier", "unexpected", "dossier:k", "w", failed=True), "run"),
        (StageProblem("P1", "insights", "program_failed", "q", "w"), "input"),
        (StageProblem("P1", "alerts", "alert_command_failed", "a", "w"), "input"),
        (StageProblem(None, "surveys", "survey_no_dictionary", "f", "w"), "study"),
        (StageProblem(None, "study", "folder_unregistered", "d", "w"), "study"),
        (StageProblem("P1", "fitbit", "folder_empty", "fitbit", "w"), "data_gap"),
    ],
)
def test_problems_of_stages_get_their_kind(problem: StageProblem, kind: str) -> None:
    (row,) = rows(inputs(problems=[problem]))
    assert row["kind"] == kind
    assert row["what"] == "w"


def test_an_alert_and_the_problem_it_came_from_are_one_matter() -> None:
    problem = StageProblem("P1", "labs", "lab_pdf_empty", "f9", "A lab report has 0 bytes.")
    alert = Alert("P1", "lab_pdf_empty", "f9", "A lab report has 0 bytes.")
    (row,) = rows(inputs(alerts=[alert], problems=[problem]))
    assert row["attention_id"] == alert.alert_id


def test_the_problem_that_knows_the_details_goes_before_the_verdict_of_the_file() -> None:
    files = [export("P1", identity="identity_mismatch")]
    told = StageProblem("P1", "fitbit", "identity_mismatch", "P1-f", "birth_date differ.")
    (row,) = rows(inputs(files=files, problems=[told]))
    assert row["what"] == "birth_date differ."
    (row,) = rows(inputs(files=files))
    assert "?" not in row["what"]


def test_many_unchecked_files_are_one_matter_a_person() -> None:
    files = [export("P1", file_id=f"f{n}", identity="unchecked", rows_staged=9) for n in range(300)]
    told = StageProblem("P1", "fitbit", "identity_unchecked", "f0", CODES["identity_unchecked"].what)
    (row,) = rows(inputs(files=files, problems=[told]))
    assert row["what"] == f"{CODES['identity_unchecked'].what} (300 files)"


def test_a_file_of_which_nothing_was_used_is_not_called_accepted() -> None:
    cut_off = export("P1", identity="unchecked", rows_staged=0, error_code="zip_truncated")
    told = StageProblem("P1", "fitbit", "identity_unchecked", "P1-f", "w")
    assert codes(inputs(files=[cut_off], problems=[told, ZIP])) == ["zip_truncated"]


def test_an_unpacked_export_of_another_person_is_one_matter_whatever_the_order_of_its_files() -> None:
    files = [export("P1", file_id=f"f{n}", identity="identity_mismatch") for n in range(130)]
    told = StageProblem("P1", "fitbit", "identity_mismatch", "f0", "Another person; not the same: name.")
    (row,) = rows(inputs(files=files, problems=[told]))
    assert row["what"] == "Another person; not the same: name. (130 files)"
    assert (row["kind"], row["severity"]) == ("identity", "critical")
    (again,) = rows(inputs(files=files[::-1], problems=[told]))
    assert again["attention_id"] == row["attention_id"]
    (more,) = rows(inputs(files=[*files, export("P1", file_id="new", identity="identity_mismatch")]))
    assert more["attention_id"] != row["attention_id"]


def damaged(number: int, what: str) -> StageProblem:
    return StageProblem("P1", "fitbit", "member_damaged", f"f{number}", what)


def test_a_code_that_many_files_share_is_one_matter_with_their_number() -> None:
    same = [damaged(n, "steps: damaged.") for n in range(40)]
    (row,) = rows(inputs(problems=same))
    assert row["what"] == "steps: damaged. (40 files)"
    different = [damaged(n, f"steps: damaged from row {n} on.") for n in range(5)]
    (row,) = rows(inputs(problems=different))
    assert row["what"].endswith("from row 2 on. And 2 more of the kind. (5 files)")
    (row,) = rows(inputs(problems=same[:1]))
    assert row["what"] == "steps: damaged."


def test_a_person_without_data_in_the_period_is_told_but_not_one_whose_observation_has_not_begun() -> None:
    bare = person("P1", has_wearable=False, observed_from=LAST - timedelta(days=9), observed_to=LAST)
    assert codes(inputs(people=[bare])) == ["no_data_in_period"]
    assert codes(inputs(people=[bare | {"has_labs": True}])) == []
    later = bare | {"observed_from": LAST + timedelta(days=1)}
    assert codes(inputs(people=[later])) == []
    assert codes(inputs(people=[bare | {"status": "completed"}], files=[])) == ["no_data_in_period"]


def test_where_something_else_explains_missing_data_it_is_not_told_twice() -> None:
    bare = person("P1", has_wearable=False)
    assert codes(inputs(people=[bare], files=[])) == ["folder_missing"]
    assert codes(inputs(people=[bare], problems=[ZIP])) == ["zip_truncated"]
    refused = [export("P1", identity="account_shared")]
    assert codes(inputs(people=[bare | {"identity": "account_shared"}], files=refused)) == ["account_shared"]


def test_a_folder_that_lost_its_zeros_explains_what_its_person_lacks() -> None:
    bare = person("007", has_wearable=False)
    misnamed = StageProblem("007", "fitbit", "folder_spoilt_id", "fitbit:1", "w")
    assert codes(inputs(people=[bare], files=[], problems=[misnamed])) == ["folder_spoilt_id"]
    reports = StageProblem("007", "labs", "folder_spoilt_id", "labs:1", "w")
    assert codes(inputs(people=[bare], files=[export("007")], problems=[reports])) == ["folder_spoilt_id"]


def test_the_same_code_of_other_people_and_of_unread_reports_stays_a_matter_each() -> None:
    two = [StageProblem(p, "fitbit", "not_a_zip", f"{p}-f", "w") for p in ("P1", "P2")]
    reports = [StageProblem("P1", "labs", "lab_not_pdf", f"l{n}", "w") for n in range(3)]
    made = inputs(people=[person("P1"), person("P2")], problems=[*two, *reports])
    assert codes(made) == ["lab_not_pdf"] * 3 + ["not_a_zip"] * 2


def test_a_critical_mark_on_a_reading_in_doubt_is_one_alert() -> None:
    told = StageProblem("P1", "labs", "lab_critical_mark", "f1:2", "A mark.")
    alerts = [Alert("P1", "lab_critical_mark", "f1:2", "A mark.")]
    (row,) = rows(inputs(alerts=alerts, problems=[told]))
    assert (row["kind"], row["attention_id"]) == ("alert", alerts[0].alert_id)


def test_equal_files_are_told_with_how_many_people_have_them() -> None:
    files = [export(p, file_id=f"{p}-x", content_digest="same", identity="same_bytes") for p in ("P1", "P2")]
    found = rows(inputs(people=[person("P1"), person("P2")], files=files))
    assert [row["what"] for row in found] == ["The same file lies in the folders of 2 participants."] * 2


def test_a_lab_reports_own_identity_is_left_to_its_alert() -> None:
    files = [export("P1"), export("P1", file_id="l", source="labs", identity="identity_mismatch")]
    assert codes(inputs(files=files)) == []


def test_readings_in_doubt_are_counted_by_report_and_superseded_ones_are_settled() -> None:
    doubts = [
        {"participant_id": "P1", "file_id": f, "row_no": n, "superseded_by": by}
        for f, n, by in (("f1", 1, None), ("f1", 2, None), ("f2", 1, "f3"), ("f3", 1, None))
    ]
    found = rows(inputs(lab_review=doubts))
    assert sorted(row["what"][-12:] for row in found) == ["in doubt: 1.", "in doubt: 2."]


def finding(**more: Any) -> dict[str, Any]:
    return {
        "participant_id": "P1",
        "rule_id": "lab_printed_range",
        "subject": "ldl",
        "window_end": date(2026, 6, 1),
        "outcome": "fired",
        "severity": "high",
        "category": "H",
        "statement": "LDL was 999 mg/dL.",
    } | more


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({}, True),
        ({"severity": "critical"}, True),
        ({"severity": "medium"}, False),
        ({"outcome": "normal"}, False),
        ({"outcome": "insufficient"}, False),
    ],
)
def test_only_fired_findings_of_high_severity_call_for_a_clinician(
    more: dict[str, Any], *, shown: bool
) -> None:
    found = rows(inputs(findings=[finding(**more)]))
    assert bool(found) is shown
    assert all(row["role"] == "clinician" for row in found)


def test_no_value_and_no_statement_of_a_finding_reaches_the_table() -> None:
    (row,) = rows(inputs(findings=[finding()]))
    assert "999" not in str(row)
    assert (
        row["what"]
        == "A finding wants a clinician's look: Laboratory result against the printed interval (ldl)."
    )


def test_a_finding_on_daily_data_stays_the_same_matter_while_its_window_moves() -> None:
    def id_on(day: date, category: str = "rising") -> str:
        daily = finding(
            rule_id="resting_heart_rate_trend",
            subject="resting_heart_rate",
            window_end=day,
            category=category,
        )
        return rows(inputs(findings=[daily]))[0]["attention_id"]

    assert id_on(LAST) == id_on(LAST + timedelta(days=7))
    assert id_on(LAST) != id_on(LAST, "falling")


def test_each_draw_is_a_matter_of_its_own() -> None:
    def id_on(day: date) -> str:
        draw = {
            "participant_id": "P1",
            "file_id": "f",
            "row_no": 1,
            "analyte_key": "ldl",
            "collected_date": day,
        }
        made = inputs(findings=[finding(window_end=day)], lab_results=[draw])
        return rows(made)[0]["attention_id"]

    assert id_on(date(2026, 3, 1)) != id_on(date(2026, 6, 1))


def test_a_draw_read_as_a_whole_is_a_matter_of_its_own_too() -> None:
    def id_on(day: date, rule: str) -> str:
        whole = finding(rule_id=rule, subject=rule, window_end=day)
        return rows(inputs(findings=[whole]))[0]["attention_id"]

    first, second = date(2026, 3, 1), date(2026, 6, 1)
    assert id_on(first, "liver_injury_fda") != id_on(second, "liver_injury_fda")
    assert id_on(first, "blood_pressure_aha") == id_on(second, "blood_pressure_aha")


def text(reader: str = "participant", **more: Any) -> dict[str, Any]:
    return {"participant_id": "P1", "reader": reader, "status": "verified", "text_sha256": "ab" * 16} | more


def test_a_text_that_needs_review_is_one_matter_however_many_sources_tell_of_it() -> None:
    told = [
        StageProblem("P1", "summaries", "summary_needs_review", f"P{n}", "Statements: 4.") for n in (1, 2)
    ]
    claims = [
        {"participant_id": "P1", "text": "summary:clinician", "claim_no": n, "verdict": "value_differs"}
        for n in (1, 2, 3)
    ]
    texts = [text("clinician", status="needs_review"), text("participant")]
    (row,) = rows(inputs(problems=told, summaries=texts, claims=claims))
    assert row["code"] == "summary_needs_review"
    assert "(s)" not in row["what"]


def test_a_text_that_needs_review_says_how_many_statements() -> None:
    claims = [
        {"participant_id": "P1", "text": t, "claim_no": n, "verdict": v}
        for t, n, v in (
            ("summary:clinician", 1, "verified"),
            ("summary:clinician", 2, "value_differs"),
            ("summary:clinician", 3, "unbound_number"),
            ("summary:participant", 1, "unit_differs"),
        )
    ]
    (row,) = rows(inputs(summaries=[text("clinician", status="needs_review")], claims=claims))
    assert row["what"].endswith("could not be verified: 2.")
    assert codes(inputs(summaries=[text(status="withheld")], claims=claims)) == ["summary_needs_review"]


def test_a_text_withheld_for_want_of_data_is_no_text_with_unverified_statements() -> None:
    verified = {"participant_id": "P1", "text": "summary:participant", "claim_no": 1, "verdict": "verified"}
    texts = [text(status="withheld"), text("clinician", status="withheld")]
    assert codes(inputs(summaries=texts)) == []
    assert codes(inputs(summaries=texts, claims=[verified])) == []


@pytest.mark.parametrize(
    ("reports", "results_to", "signed", "waits"),
    [
        ({"require_sign_off": True}, "participant", None, True),
        ({"require_sign_off": True}, "participant", "Dr Vos", False),
        ({"require_sign_off": True}, "clinician", None, False),
        ({"require_sign_off": True}, "none", None, False),
        ({}, "participant", None, False),
    ],
)
def test_a_signature_is_asked_for_where_a_page_waits_for_it(
    reports: dict[str, Any], results_to: str, signed: str | None, *, waits: bool
) -> None:
    texts = [text(signed_by=signed), text("clinician")]
    made = inputs(summaries=texts, reports=reports, results_to={"P1": results_to})
    assert codes(made) == (["text_unsigned"] if waits else [])


def test_a_changed_text_asks_for_a_new_signature() -> None:
    def id_of(digest: str) -> str:
        made = inputs(
            summaries=[text(text_sha256=digest)],
            reports={"require_sign_off": True},
            results_to={"P1": "participant"},
        )
        return rows(made)[0]["attention_id"]

    assert id_of("ab" * 16) != id_of("cd" * 16)


@pytest.mark.parametrize(("behind", "shown"), [(0, False), (14, False), (15, True), (200, True)])
def test_data_are_old_above_14_days(behind: int, *, shown: bool) -> None:
    made = inputs(people=[person("P1", days_behind=behind)])
    assert codes(made) == (["data_old"] if shown else [])


def test_an_active_person_who_sent_nothing_is_asked_once() -> None:
    assert codes(inputs(files=[])) == ["folder_missing"]
    empty = StageProblem("P1", "fitbit", "folder_empty", "fitbit", "Empty.")
    assert codes(inputs(files=[], problems=[empty])) == ["folder_empty"]
    assert codes(inputs(people=[person("P1", status="completed")], files=[])) == []


def days(worn: int, not_worn: int, **more: Any) -> list[dict[str, Any]]:
    total = worn + not_worn
    return [
        {
            "participant_id": "P1",
            "date": LAST - timedelta(days=total - 1 - n),
            "valid_day": n < worn,
            "is_partial": False,
        }
        | more
        for n in range(total)
    ]


@pytest.mark.parametrize(
    ("worn", "not_worn", "shown"),
    [(23, 7, False), (22, 8, True), (6, 2, False), (5, 2, True), (6, 1, False), (0, 6, False), (0, 7, True)],
)
def test_wear_is_low_below_3_of_every_4_days_once_a_week_is_known(
    worn: int, not_worn: int, *, shown: bool
) -> None:
    found = rows(inputs(daily=days(worn, not_worn)))
    assert bool(found) is shown
    if shown:
        assert found[0]["what"].startswith(f"Worn on {worn} of the last {worn + not_worn} days")


def test_only_the_main_window_counts_and_partial_and_unknown_days_do_not() -> None:
    assert codes(inputs(daily=days(40, 0) + days(0, 0))) == []
    long_ago = [day | {"date": day["date"] - timedelta(days=30)} for day in days(0, 30)]
    assert codes(inputs(daily=long_ago + days(30, 0))) == []
    assert codes(inputs(daily=days(0, 30, is_partial=True))) == []
    assert codes(inputs(daily=days(0, 30, valid_day=None))) == []


def test_old_data_are_not_also_called_badly_worn() -> None:
    made = inputs(people=[person("P1", days_behind=20)], daily=days(0, 30))
    assert codes(made) == ["data_old"]


@pytest.mark.parametrize("status", ["withdrawn", "excluded"])
def test_people_who_left_are_off_the_board_also_with_what_stood_there(status: str) -> None:
    before = attention_table(inputs(problems=[ZIP], alerts=[ALERT]), None, (), LAST)
    made = inputs(people=[person("P1", status=status)], problems=[ZIP])
    assert rows(made, before) == []


def test_a_matter_of_the_study_stays_when_people_leave() -> None:
    study_matter = StageProblem(None, "surveys", "survey_no_dictionary", "f", "w")
    made = inputs(people=[person("P1", status="withdrawn")], problems=[study_matter])
    assert codes(made) == ["survey_no_dictionary"]


def test_the_life_of_a_matter_new_open_resolved_gone_and_new_again() -> None:
    made, nothing = inputs(problems=[ZIP]), inputs()
    later = [LAST + timedelta(days=7 * n) for n in range(5)]
    first = attention_table(made, None, (), later[0])
    second = attention_table(made, first, (), later[1])
    third = attention_table(nothing, second, (), later[2])
    fourth = attention_table(nothing, third, (), later[3])
    again = attention_table(made, third, (), later[3])
    assert [t["state"].to_list() for t in (first, second, third, fourth, again)] == [
        ["new"],
        ["open"],
        ["resolved"],
        [],
        ["new"],
    ]
    assert first["first_seen"][0] == second["first_seen"][0] == third["first_seen"][0] == LAST
    assert again["first_seen"][0] == later[3]
    assert first["attention_id"][0] == again["attention_id"][0]


def acknowledge() -> Decision:
    return Decision("acknowledge", ALERT.alert_id, "Kim", LAST)


def snooze(days: int) -> Decision:
    return Decision("snooze", ALERT.alert_id, "Kim", LAST, until=LAST + timedelta(days=days))


def test_decisions_set_the_state_and_the_last_one_counts() -> None:
    made = inputs(alerts=[ALERT])
    assert rows(made, None, acknowledge())[0]["state"] == "acknowledged"
    assert rows(made, None, acknowledge(), snooze(3))[0]["state"] == "snoozed"
    assert rows(made, None, snooze(3), acknowledge())[0]["state"] == "acknowledged"
    sign_off = Decision("sign_off", ALERT.alert_id, "Kim", LAST, reader="clinician", digest="ab" * 16)
    assert rows(made, None, sign_off)[0]["state"] == "new"


@pytest.mark.parametrize(("days_later", "state"), [(0, "snoozed"), (3, "snoozed"), (4, "open")])
def test_a_snooze_ends_after_its_day(days_later: int, state: str) -> None:
    made = inputs(alerts=[ALERT])
    first = attention_table(made, None, [snooze(3)], LAST)
    then = attention_table(made, first, [snooze(3)], LAST + timedelta(days=days_later))
    assert then["state"].to_list() == [state]


def test_a_decision_on_one_gap_does_not_hide_the_next() -> None:
    gap = inputs(people=[person("P1", days_behind=20, data_through=date(2026, 3, 1))])
    seen = Decision("acknowledge", rows(gap)[0]["attention_id"], "Kim", LAST)
    assert rows(gap, None, seen)[0]["state"] == "acknowledged"
    later = inputs(people=[person("P1", days_behind=20, data_through=date(2026, 6, 1))])
    assert rows(later, None, seen)[0]["state"] == "new"


def test_something_needs_attention_now_only_if_it_did_not_before() -> None:
    made = inputs(alerts=[ALERT])
    first = attention_table(made, None, (), LAST)
    same = attention_table(made, first, (), LAST)
    assert needs_attention_now(first, None)
    assert not needs_attention_now(same, first)
    assert needs_attention_now(
        attention_table(inputs(alerts=[ALERT], problems=[ZIP]), first, (), LAST), first
    )
    assert not needs_attention_now(attention_table(inputs(), first, (), LAST), first)
    assert not needs_attention_now(attention_table(made, None, [acknowledge()], LAST), None)


def test_a_snooze_that_has_run_out_needs_attention_again() -> None:
    made = inputs(alerts=[ALERT])
    snoozed = attention_table(made, None, [snooze(1)], LAST)
    assert not needs_attention_now(snoozed, None)
    awake = attention_table(made, snoozed, [snooze(1)], LAST + timedelta(days=2))
    assert needs_attention_now(awake, snoozed)


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(6)))
def test_the_table_does_not_depend_on_the_order_of_its_inputs(order: list[int]) -> None:
    problems = [StageProblem(f"P{n % 3}", "fitbit", "zip_truncated", f"f{n}", "w") for n in range(6)]
    people = [person(f"P{n}") for n in range(3)]
    expected = attention_table(inputs(people=people, problems=problems), None, (), LAST)
    shuffled = inputs(people=people[::-1], problems=[problems[n] for n in order])
    assert attention_table(shuffled, None, (), LAST).equals(expected)


def test_every_code_of_a_run_or_an_input_can_become_a_row_with_whole_sentences() -> None:
    told_by_tables = ("summary_needs_review", "text_unsigned", "identity_unchecked", "survey_alert_answer")
    names = [n for n, code in CODES.items() if code.scope != "usage" and n not in told_by_tables]
    problems = [StageProblem("P1", "fitbit", name, name, "w") for name in names]
    made = attention_table(inputs(problems=problems), None, (), LAST)
    assert made.height == len(names)
    assert not made["next_step"].str.contains(r"\{").any()
    for column in ("kind", "severity", "role", "state"):
        allowed = (Attention.columns()[column].metadata or {})["allowed"]
        assert set(made[column]) <= set(allowed)


def test_a_text_is_told_of_once_by_the_table_not_again_by_its_stage() -> None:
    told = StageProblem("P1", "summaries", "summary_needs_review", "P1", "Statements: 4.")
    claim = {"participant_id": "P1", "text": "summary:participant", "claim_no": 1, "verdict": "value_differs"}
    made = inputs(problems=[told], summaries=[text(status="needs_review")], claims=[claim])
    assert codes(made) == ["summary_needs_review"]


def test_sources_that_contradict_each_other_are_one_matter_a_check() -> None:
    checks = [
        {"participant_id": "P1", "check": check, "outcome": outcome, "detail": "sex of both"}
        for check, outcome in (
            ("sex_of_survey_and_registry", "differs"),
            ("age_of_survey_and_registry", "ok"),
            ("lab_reports_name_the_person", "differs"),
            ("sleep_duration", "differs"),
        )
    ]
    found = rows(inputs(quality_checks=checks))
    assert [(row["code"], row["participant_id"], row["role"]) for row in found] == [
        ("cross_check_differs", "P1", "coordinator")
    ]
    assert "sex of both" in found[0]["what"]
