"""decisions.csv as people write it, and what a sign-off signs."""

import string
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_pages import frame, made_tables

from outputs.decisions import (
    Decision,
    append_decision,
    decisions_digest,
    decisions_on_exports,
    decisions_on_readings,
    latest_by_target,
    read_decisions,
    sign,
    told_decisions,
)
from schemas.errors import PhaError

ACK = Decision("acknowledge", "a" * 32, "Dr Vos", date(2026, 7, 1), "seen, called")
SNOOZE = Decision("snooze", "b" * 32, "Kim", date(2026, 7, 1), until=date(2026, 7, 14))
SIGN = Decision("sign_off", "P001", "Dr Vos", date(2026, 7, 2), reader="participant", digest="ab" * 16)


def refused(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PhaError) as fault:
        read_decisions(path)
    assert fault.value.code.name == "decisions_invalid"
    return fault.value.what


def test_no_file_means_no_decisions(tmp_path: Path) -> None:
    assert read_decisions(tmp_path / "decisions.csv") == ()


def test_what_is_appended_is_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    for decision in (ACK, SNOOZE, SIGN):
        append_decision(path, decision)
    assert path.read_text().splitlines()[0] == "decision,target,reader,by,on,reason,until,digest,expect,value"
    assert read_decisions(path) == (ACK, SNOOZE, SIGN)


def test_a_file_as_a_spreadsheet_leaves_it_is_read_and_kept_in_its_form(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    path.write_bytes("\ufeffTarget;Decision;By;On;Reason\r\nx1;acknowledge;Kim;2026-07-01;ok, later".encode())
    append_decision(path, ACK)
    first, second = read_decisions(path)
    assert first == Decision("acknowledge", "x1", "Kim", date(2026, 7, 1), "ok, later")
    assert second == ACK
    assert path.read_text(encoding="utf-8-sig").count("Target;Decision") == 1


def test_a_needed_column_that_a_hand_made_file_lacks_is_an_error_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    path = tmp_path / "decisions.csv"
    path.write_text("decision,target,by,on\n")
    with pytest.raises(PhaError, match="the column until is missing"):
        append_decision(path, SNOOZE)
    assert path.read_text() == "decision,target,by,on\n"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("correct,x,Kim,2026-07-01,,", "a correct needs it"),
        ("accept,x,Kim,2026-07-01,,", "expect belongs to accept and correct"),
        ("approve,x,Kim,2026-07-01,,", "decision is none of acknowledge, snooze, sign_off, accept, correct"),
        ("acknowledge,,Kim,2026-07-01,,", "target is empty"),
        ("acknowledge,x,,2026-07-01,,", "by is empty"),
        ("acknowledge,x,Kim,1/7/2026,,", "on is no date of the form YYYY-MM-DD"),
        ("acknowledge,x,Kim,2026-02-30,,", "on is no date of the form YYYY-MM-DD"),
        ("acknowledge,x,Kim,2026-07-01,2026-08-01,", "until belongs to a snooze"),
        ("snooze,x,Kim,2026-07-01,,", "a snooze needs it"),
        ("sign_off,P1,Kim,2026-07-01,,", "needs reader"),
        ("acknowledge,x,Kim,2026-07-01,,clinician", "reader and digest belong to a sign_off"),
        ("sign_off,P1,Kim,2026-07-01,,participant", "needs digest"),
        ("acknowledge,x,Kim,2026-07-01,,,extra", "more cells than columns"),
    ],
)
def test_a_wrong_line_is_named_with_its_number(tmp_path: Path, line: str, problem: str) -> None:
    text = f"decision,target,by,on,until,reader\nacknowledge,x,Kim,2026-07-01,,\n\n{line}\n"
    what = refused(tmp_path / "decisions.csv", text)
    assert "line 4" in what
    assert problem in what


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("accept,abcdef12:1,Kim,2026-07-01,,", "they need it"),
        ("correct,abcdef12:1,Kim,2026-07-01,Glucose: 9l,", "a correct needs it"),
        ("accept,abcdef12:1,Kim,2026-07-01,Glucose: 9l,glucose 91 mg/dL", "value belongs to a correct"),
        ("accept,REPORT:1,Kim,2026-07-01,Glucose: 9l,", "file_id:row_no"),
        ("accept,P1:2026-01-05:steps,Kim,2026-07-01,7,", "days are only corrected"),
        ("correct,P1:2026-02-30:steps,Kim,2026-07-01,7,set aside", "file_id:row_no"),
        ("correct,P1:2026-01-05:steps,Kim,2026-07-01,7,8", "only be `set aside`"),
        ("correct,abcdef12,Kim,2026-07-01,ab,clock of ours", "`clock utc`"),
        ("correct,P1:2026-01-05..2026-01-04,Kim,2026-07-01,7,Europe/Paris", "file_id:row_no"),
        ("correct,P1:2026-01-05..2026-01-06,Kim,2026-07-01,7,Paris", "as Europe/Paris"),
        ("accept,abcdef12:0,Kim,2026-07-01,Glucose: 9l,", "file_id:row_no"),
        ("acknowledge,x,Kim,2026-07-01,Glucose: 9l,", "expect belongs to accept and correct"),
    ],
)
def test_a_decision_on_a_reading_says_what_was_looked_at(tmp_path: Path, line: str, problem: str) -> None:
    assert problem in refused(tmp_path / "d.csv", f"decision,target,by,on,expect,value\n{line}\n")


def test_of_several_decisions_on_a_reading_the_last_counts(tmp_path: Path) -> None:
    target = f"{'ab' * 16}:3"
    accept = Decision("accept", target, "Kim", date(2026, 7, 1), expect="Glucose: 9l mg/dL")
    correct = replace(accept, decision="correct", value="glucose 91 mg/dL")
    for decision in (accept, ACK, correct):
        append_decision(tmp_path / "d.csv", decision)
    decisions = read_decisions(tmp_path / "d.csv")
    assert decisions_on_readings(decisions) == [correct]
    assert latest_by_target(decisions) == {ACK.target: ACK}


def test_decisions_on_exports_are_none_on_readings(tmp_path: Path) -> None:
    on = date(2026, 7, 1)
    decided = [
        Decision("accept", "ab" * 16, "Kim", on, expect="unchecked"),
        Decision("correct", "P1:2026-01-05..2026-01-06", "Kim", on, expect="-300", value="Europe/Paris"),
        Decision("correct", "P1:2026-01-05:steps", "Kim", on, expect="700", value="set aside"),
    ]
    for decision in (*reversed(decided), ACK):
        append_decision(tmp_path / "d.csv", decision)
    decisions = read_decisions(tmp_path / "d.csv")
    assert decisions_on_readings(decisions) == []
    assert {d.target: d for d in decisions_on_exports(decisions)} == {d.target: d for d in decided}


def test_a_mistyped_heading_is_an_error_not_a_lost_column(tmp_path: Path) -> None:
    what = refused(tmp_path / "d.csv", "decision,target,by,on,untill\nsnooze,x,K,2026-07-01,2026-07-02\n")
    assert "line 1" in what
    assert "a column that is none of" in what
    assert "untill" not in what, "cells of the file do not go into messages"


def test_a_missing_heading_and_other_encodings_are_errors(tmp_path: Path) -> None:
    assert "the column by must be there once" in refused(tmp_path / "d.csv", "decision,target,on\n")
    (tmp_path / "e.csv").write_bytes(b"decision,target,by,on\nacknowledge,x,J\xf6rg,2026-07-01\n")
    with pytest.raises(PhaError, match="UTF-8"):
        read_decisions(tmp_path / "e.csv")


def test_a_snooze_counts_in_days_of_the_data_and_may_end_before_the_day_it_was_decided_on(
    tmp_path: Path,
) -> None:
    old = Decision("snooze", "x", "Kim", date(2026, 7, 1), until=date(2026, 3, 31))
    append_decision(tmp_path / "decisions.csv", old)
    assert read_decisions(tmp_path / "decisions.csv") == (old,)


def test_a_wrong_decision_is_never_written(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    with pytest.raises(PhaError, match="until belongs to a snooze"):
        append_decision(path, Decision("snooze", "x", "Kim", date(2026, 7, 1)))
    assert not path.exists()


def test_decisions_of_many_people_at_once_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    made = [Decision("acknowledge", f"t{n}", "Kim", date(2026, 7, 1)) for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda decision: append_decision(path, decision), made))
    assert {d.target for d in read_decisions(path)} == {d.target for d in made}
    assert path.read_text().count("decision,target") == 1


words = st.text(alphabet=string.printable, min_size=1, max_size=30).map(lambda s: " ".join(s.split()))


@settings(max_examples=40, deadline=None)
@given(target=words.filter(bool), by=words.filter(bool), reason=words)
def test_any_text_survives_the_file(
    tmp_path_factory: pytest.TempPathFactory, target: str, by: str, reason: str
) -> None:
    path = tmp_path_factory.mktemp("decisions") / "decisions.csv"
    decision = Decision("acknowledge", target, by, date(2026, 7, 1), reason)
    append_decision(path, decision)
    assert read_decisions(path) == (decision,)


def test_the_digest_is_of_what_was_decided_not_of_the_file(tmp_path: Path) -> None:
    comma, semicolon = tmp_path / "a.csv", tmp_path / "b.csv"
    comma.write_text("decision,target,by,on\nacknowledge,x,Kim,2026-07-01\n")
    semicolon.write_text("on;by;target;decision\n\n2026-07-01;Kim;x;acknowledge\n")
    assert decisions_digest(read_decisions(comma)) == decisions_digest(read_decisions(semicolon))
    assert decisions_digest([ACK, SNOOZE]) != decisions_digest([SNOOZE, ACK]), "the last one counts"


def test_the_last_decision_on_a_target_counts_and_sign_offs_are_no_part_of_it() -> None:
    again = Decision("snooze", ACK.target, "Kim", date(2026, 7, 3), until=date(2026, 7, 9))
    assert latest_by_target([ACK, SIGN, again]) == {ACK.target: again}


def test_a_sign_off_signs_only_the_text_it_names() -> None:
    summaries = frame("summaries", made_tables()["summaries"]).lazy()
    signed = sign(summaries, [SIGN]).collect()
    assert signed.columns == summaries.collect_schema().names()
    found = {(r["participant_id"], r["reader"]): (r["signed_by"], r["signed_on"]) for r in signed.to_dicts()}
    assert found.pop(("P001", "participant")) == ("Dr Vos", date(2026, 7, 2))
    assert set(found.values()) == {(None, None)}
    other = Decision("sign_off", "P001", "Dr Vos", date(2026, 7, 2), reader="participant", digest="cd" * 16)
    assert sign(summaries, [other]).collect()["signed_by"].null_count() == 6


def test_a_text_signed_twice_keeps_its_rows_and_shows_the_last_signature() -> None:
    summaries = frame("summaries", made_tables()["summaries"]).lazy()
    later = Decision("sign_off", "P001", "Dr Ek", date(2026, 8, 1), reader="participant", digest="ab" * 16)
    signed = sign(summaries, [SIGN, later]).collect()
    assert signed.height == 6
    assert signed["signed_by"].drop_nulls().to_list() == ["Dr Ek"]


def test_a_release_tells_its_decisions_without_names_reasons_or_values() -> None:
    day = date(2026, 6, 1)
    made = [
        Decision("acknowledge", "ab" * 16, "Ada", day, "called her"),
        Decision("sign_off", "P1", "Dr A", day, reader="clinician", digest="a" * 64),
        Decision("correct", f"{'cd' * 10}:2", "Ada", day, expect="Glucose: 9l", value="glucose 91 mg/dL"),
        Decision("correct", "P1:2026-05-30:steps", "Ada", day, expect="7", value="set aside"),
        Decision("correct", "P9:2026-05-30:steps", "Ada", day, expect="7", value="set aside"),
        Decision("acknowledge", "Jane Doe", "Ada", day),
    ]
    assert told_decisions(made, ["P1"]) == [
        f"acknowledge {'ab' * 16}, 2026-06-01",
        "sign_off P1 (clinician), 2026-06-01",
        f"correct {'cd' * 10}:2, 2026-06-01",
        "correct P1:2026-05-30:steps, 2026-06-01",
    ]
