"""What must be seen today: found at the limits, written once, called for until the call succeeds."""

import json
import stat
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_pages import frame

from outputs.alerts import (
    UNREAD_REPORT_CODES,
    Alert,
    call_for_alerts,
    find_alerts,
    run_alert_command,
    write_alerts,
)
from outputs.stage_problems import StageProblem, problems_of
from outputs.store import Result, Store
from schemas.errors import CODES, PhaError
from schemas.settings import AlertsSection, CriticalLimit

LIMITS = AlertsSection()  # pyright: ignore[reportCallIssue]
ALERT = Alert("P001", "lab_critical_value", "f1:potassium", "A value.")


def lab(key: str | None, value: float | None, row_no: int = 1, **more: Any) -> dict[str, Any]:
    row = {"participant_id": "P001", "file_id": "f1", "row_no": row_no, "analyte_key": key}
    return row | {"value_canonical": value} | more


def answer(item: str, value: float | None, **more: Any) -> dict[str, Any]:
    row = {"participant_id": "P002", "instrument": "phq9", "event": "", "instance": 1, "item": item}
    return row | {"value_num": value, "answered_on": date(2026, 6, 2)} | more


def found(
    labs: list[dict[str, Any]] | None = None,
    answers: list[dict[str, Any]] | None = None,
    problems: list[StageProblem] | None = None,
    limits: AlertsSection = LIMITS,
    review: list[dict[str, Any]] | None = None,
) -> list[Alert]:
    return find_alerts(
        frame("lab_results", labs or []).lazy(),
        frame("lab_review", review or []).lazy(),
        frame("survey_answers", answers or []).lazy(),
        problems or [],
        limits,
    )


def codes(alerts: list[Alert]) -> list[str]:
    return sorted(alert.code for alert in alerts)


@pytest.mark.parametrize(
    ("value", "alerts"), [(2.49, 1), (2.5, 1), (2.51, 0), (4.2, 0), (6.49, 0), (6.5, 1), (6.51, 1)]
)
def test_limits_are_inclusive(value: float, alerts: int) -> None:
    assert len(found([lab("potassium", value)])) == alerts


@pytest.mark.parametrize(
    ("comparator", "bound", "alerts"),
    [
        ("<", 2.5, 1),
        ("<=", 2.0, 1),
        ("<", 2.6, 0),
        (">", 6.5, 1),
        (">=", 7.0, 1),
        (">", 6.4, 0),
        (">", 2.0, 0),
    ],
)
def test_a_censored_value_counts_where_its_bound_is_beyond(
    comparator: str, bound: float, alerts: int
) -> None:
    row = lab("potassium", None, comparator=comparator, bound_canonical=bound)
    assert len(found([row])) == alerts


def test_one_sided_limits_and_analytes_without_limits_raise_nothing_else() -> None:
    rows = [lab("hemoglobin", 25.0), lab("ldl", 900.0, 2), lab(None, 9.0, 3), lab("potassium", None, 4)]
    assert found(rows) == []
    assert codes(found([lab("hemoglobin", 7.0)])) == ["lab_critical_value"]


def test_the_studys_own_limits_are_the_ones_that_count() -> None:
    own = AlertsSection(critical={"ldl": CriticalLimit(high=300)})  # pyright: ignore[reportCallIssue]
    assert found([lab("potassium", 9.0)], limits=own) == []
    assert codes(found([lab("ldl", 300)], limits=own)) == ["lab_critical_value"]


def test_the_unit_that_is_compared_is_the_canonical_one() -> None:
    in_mmol = lab("glucose", 97.0, value_num=5.4, raw_unit="mmol/L")
    assert found([in_mmol]) == []


@pytest.mark.parametrize("mark", ["LL", "HH", "critical"])
def test_a_critical_mark_of_the_laboratory_is_an_alert_of_its_own(mark: str) -> None:
    alerts = found([lab("ldl", 100.0, flag_printed=mark)])
    assert codes(alerts) == ["lab_critical_mark"]
    assert found([lab("ldl", 100.0, flag_printed="H")]) == []


def test_a_result_critical_by_limit_and_mark_is_one_alert_of_the_limit() -> None:
    both = lab("potassium", 6.9, flag_printed="HH", collected_date=date(2026, 4, 30))
    (alert,) = found([both])
    assert alert.code == "lab_critical_value"
    assert alert.what == (
        "A laboratory value of 30 April 2026 is beyond the study's critical limits (potassium)."
    )
    assert codes(found([both, lab("potassium", 6.7, 2), lab("ldl", 1.0, 3, flag_printed="LL")])) == [
        "lab_critical_mark",
        "lab_critical_value",
        "lab_critical_value",
    ]


OLD, NEW = date(2026, 4, 29), date(2026, 5, 30)


@pytest.mark.parametrize(
    ("newer", "told"),
    [
        ([lab("potassium", 4.1, 2, collected_date=NEW)], True),
        ([lab("potassium", 4.1, 2, collected_date=OLD)], False),
        ([lab("potassium", 4.1, 2, collected_date=date(2026, 4, 1))], False),
        ([lab("potassium", 4.1, 2)], False),
        ([lab("sodium", 140.0, 2, collected_date=NEW)], False),
        ([lab("potassium", 4.1, 2, collected_date=NEW, participant_id="P009")], False),
        ([lab("potassium", None, 2, collected_date=NEW, comparator="<", bound_canonical=3.0)], False),
        ([lab("potassium", 4.1, 2, collected_date=NEW, report_status="preliminary")], False),
        ([lab("potassium", 4.1, 2, collected_date=NEW, report_status="final")], True),
        ([lab("potassium", 4.1, 2, collected_date=NEW, flag_printed="HH")], False),
        ([lab("potassium", v, n, collected_date=NEW) for n, v in ((2, 4.1), (3, 7.0))], False),
    ],
)
def test_an_alert_stays_and_says_that_a_newer_result_is_not_beyond(
    newer: list[dict[str, Any]], told: bool
) -> None:
    old = lab("potassium", 6.9, collected_date=OLD)
    alert = next(a for a in found([old, *newer]) if "29 April 2026 is beyond" in a.what)
    assert alert.alert_id == found([old])[0].alert_id
    assert alert.what.endswith("A newer result of 30 May 2026 is not beyond the limits.") is told


def test_an_alert_names_what_it_knows_and_never_a_value() -> None:
    (marked,) = found([lab(None, 987.0, flag_printed="HH")])
    assert marked.what == (
        "The laboratory itself marked a value of an unknown day as critical"
        " (an analyte that was not recognised)."
    )
    (asked,) = found(answers=[answer("phq9_9", 3.0)])
    assert asked.what == "An answer needs a clinician today (PHQ-9, item 9)."


@pytest.mark.parametrize(
    ("reading", "told"),
    [
        (lab("potassium", 6.5), ["lab_critical_unconfirmed"]),
        (lab("potassium", 6.4), []),
        (lab("glucose", None, comparator="<", bound_canonical=40.0), ["lab_critical_unconfirmed"]),
        (lab("potassium", 9.9, superseded_by="f2"), []),
        (lab("potassium", 9.9, flag_printed="HH"), []),
        (lab("potassium", 9.9, flag_printed="H"), ["lab_critical_unconfirmed"]),
        (lab(None, 9.9), []),
    ],
)
def test_a_reading_in_doubt_beyond_a_limit_is_told_as_unconfirmed(
    reading: dict[str, Any], told: list[str]
) -> None:
    alerts = found(review=[reading | {"collected_date": date(2026, 4, 30)}])
    assert codes(alerts) == told
    for alert in alerts:
        assert "unconfirmed, check today" in alert.what
        assert "9.9" not in alert.what
        assert "6.5" not in alert.what


def test_the_limits_of_an_unconfirmed_reading_are_those_of_the_study() -> None:
    own = AlertsSection(critical={"ldl": CriticalLimit(high=300)})  # pyright: ignore[reportCallIssue]
    assert codes(found(review=[lab("ldl", 300.0)], limits=own)) == ["lab_critical_unconfirmed"]
    assert found(review=[lab("potassium", 9.9)], limits=own) == []


def test_a_critical_mark_on_a_reading_in_doubt_is_an_alert_too() -> None:
    told = StageProblem("P001", "labs", "lab_critical_mark", "f1:2", "A mark.")
    assert codes(found(problems=[told])) == ["lab_critical_mark"]


@settings(max_examples=50, deadline=None)
@given(low=st.floats(-1e6, 1e6), high=st.floats(-1e6, 1e6), value=st.floats(-1e6, 1e6))
def test_an_alert_is_there_exactly_when_the_value_is_at_or_beyond_a_limit(
    low: float, high: float, value: float
) -> None:
    own = AlertsSection(critical={"x": CriticalLimit(low=low, high=high)})  # pyright: ignore[reportCallIssue]
    assert bool(found([lab("x", value)], limits=own)) == (value <= low or value >= high)


@pytest.mark.parametrize(("value", "alerts"), [(0.0, 0), (1.0, 1), (3.0, 1), (None, 0)])
def test_any_answer_above_zero_to_item_9_is_an_alert(value: float | None, alerts: int) -> None:
    assert len(found(answers=[answer("phq9_9", value), answer("phq9_1", 3.0)])) == alerts


def test_item_9_can_be_switched_off() -> None:
    off = AlertsSection(phq_item_9=False)  # pyright: ignore[reportCallIssue]
    assert found(answers=[answer("phq9_9", 3.0)], limits=off) == []


def test_an_answer_told_by_ingest_is_the_same_matter_as_the_published_one() -> None:
    told = StageProblem("P002", "surveys", "survey_alert_answer", "phq9_9::1:2026-06-02", "An answer.")
    replaced = StageProblem("P002", "surveys", "survey_alert_answer", "phq9_9::1:2026-06-01", "An answer.")
    published = answer("phq9_9", 2.0)
    assert len(found(answers=[published], problems=[told])) == 1
    assert len(found(answers=[answer("phq9_9", 0.0)], problems=[replaced])) == 1
    off = AlertsSection(phq_item_9=False)  # pyright: ignore[reportCallIssue]
    assert found(answers=[published], problems=[told, replaced], limits=off) == []


def test_the_same_question_asked_again_is_an_alert_of_its_own() -> None:
    again = answer("phq9_9", 1.0, instance=2, answered_on=date(2026, 7, 1))
    assert len({a.alert_id for a in found(answers=[answer("phq9_9", 1.0), again])}) == 2


@pytest.mark.parametrize("code", sorted(UNREAD_REPORT_CODES))
def test_every_report_that_was_not_read_is_an_alert(code: str) -> None:
    problem = StageProblem("P001", "labs", code, "f9", PhaError(code).what)
    assert codes(found(problems=[problem])) == [code]


def test_every_code_of_an_unread_report_says_so_in_its_next_step() -> None:
    said = {name for name, code in CODES.items() if "Unread report" in code.next_step}
    assert said == UNREAD_REPORT_CODES


def test_readings_in_doubt_are_no_alert_but_a_stage_that_failed_leaves_reports_unread() -> None:
    doubt = StageProblem("P001", "labs", "lab_row_review", "f9", "2 readings.")
    failed = StageProblem("P001", "labs", "unexpected", "labs:k", "A fault.", failed=True)
    elsewhere = StageProblem("P001", "fitbit", "unexpected", "fitbit:k", "A fault.", failed=True)
    assert codes(found(problems=[doubt, failed, elsewhere])) == ["unexpected"]


def test_ids_are_stable_and_do_not_depend_on_order_or_on_the_value() -> None:
    rows = [lab("potassium", 9.0), lab("sodium", 100.0, 2)]
    first = [a.alert_id for a in found(rows)]
    assert first == [a.alert_id for a in found(rows[::-1])]
    assert first == [a.alert_id for a in found([lab("potassium", 7.0), lab("sodium", 99.0, 2)])]
    assert len(set(first)) == 2


def test_an_alert_is_written_once_with_id_and_code_only(tmp_path: Path) -> None:
    alerts = found([lab("potassium", 7.77)])
    assert write_alerts(tmp_path, alerts) == alerts
    assert write_alerts(tmp_path, alerts) == []
    (path,) = (tmp_path / "alerts").iterdir()
    assert path.stem == alerts[0].alert_id
    assert json.loads(path.read_text()) == {
        "alert_id": alerts[0].alert_id,
        "participant_id": "P001",
        "code": "lab_critical_value",
    }
    assert stat.S_IMODE((tmp_path / "alerts").stat().st_mode) == 0o700


def recorder(tmp_path: Path, ending: str = "") -> tuple[str, ...]:
    """A command that appends its arguments to a file, then does what ``ending`` says."""
    program = "import sys, json; open(sys.argv[1], 'a').write(json.dumps(sys.argv[2:]) + '\\n'); " + ending
    return (sys.executable, "-c", program, str(tmp_path / "calls"))


def calls(tmp_path: Path) -> list[list[str]]:
    path = tmp_path / "calls"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_the_command_gets_id_and_code_and_no_shell_reads_them(tmp_path: Path) -> None:
    sly = Alert("P001; touch /tmp/x $(id)", "lab_critical_value", "s", "w")
    assert run_alert_command(recorder(tmp_path), sly) is None
    assert calls(tmp_path) == [["P001; touch /tmp/x $(id)", "lab_critical_value"]]


def test_the_command_is_called_once_an_alert(tmp_path: Path) -> None:
    command = recorder(tmp_path)
    assert call_for_alerts(tmp_path, command, [ALERT]) == []
    assert call_for_alerts(tmp_path, command, [ALERT]) == []
    assert len(calls(tmp_path)) == 1


def test_a_call_that_failed_is_a_problem_and_is_tried_again(tmp_path: Path) -> None:
    failing = recorder(tmp_path, "sys.exit(3)")
    (problem,) = call_for_alerts(tmp_path, failing, [ALERT])
    assert (problem.participant_id, problem.code) == ("P001", "alert_command_failed")
    assert "it ended with 3" in problem.what
    assert call_for_alerts(tmp_path, recorder(tmp_path), [ALERT]) == []
    assert len(calls(tmp_path)) == 2


def test_a_command_that_cannot_start_or_does_not_end_is_a_problem(tmp_path: Path) -> None:
    missing = run_alert_command((str(tmp_path / "nothing"),), ALERT)
    assert missing is not None
    assert "could not be started" in missing.what
    assert str(tmp_path) not in missing.what, "paths stay out of texts"
    slow = run_alert_command(recorder(tmp_path, "import time; time.sleep(30)"), ALERT, seconds=0.5)
    assert slow is not None
    assert "no end within 0.5 s" in slow.what


def test_without_a_command_nothing_is_called(tmp_path: Path) -> None:
    assert call_for_alerts(tmp_path, (), [ALERT]) == []
    assert list(tmp_path.iterdir()) == []


def test_problems_of_pieces_are_those_of_files_and_of_stages_that_failed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    told = {"problems": [{"code": "lab_pdf_empty", "subject": "f1", "what": "A lab report has 0 bytes."}]}
    pieces = [
        store.put("labs", "P001", "k1", Result(document=told)),
        store.put("surveys", "_cohort", "k2", Result(document={"problems": []})),
        store.put_failure("fitbit", "P002", "k3", PhaError("unexpected", type="ValueError", place="x")),
        store.put_failure("surveys", "_cohort", "k4", PhaError("survey_unreadable", problem="no header")),
    ]
    assert problems_of(pieces) == [
        StageProblem("P001", "labs", "lab_pdf_empty", "f1", "A lab report has 0 bytes."),
        StageProblem(
            "P002",
            "fitbit",
            "unexpected",
            "fitbit:k3",
            "An unexpected fault of type ValueError at x.",
            failed=True,
        ),
        StageProblem(
            None,
            "surveys",
            "survey_unreadable",
            "surveys:k4",
            "A survey file could not be read: no header.",
            True,
        ),
    ]
