"""Values, flags and intervals: each printed form means one thing, or nothing."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.labs.flags import compute_flag, disagrees
from ingest.labs.intervals import parse_interval
from ingest.labs.vocabulary import (
    is_flag,
    parse_flag,
    parse_number,
    parse_value,
    uses_decimal_comma,
)


@pytest.mark.parametrize(
    ("printed", "number"),
    [
        ("5.4", "5.4"),
        ("1,024", "1024"),
        ("1,234,567.5", "1234567.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("05", "5"),
        ("= 5", "5"),
    ],
)
def test_numbers(printed: str, number: str) -> None:
    value = parse_value(printed)
    assert value is not None
    assert (value.number, value.raw) == (Decimal(number), printed)


def test_a_decimal_comma_only_where_the_document_has_them() -> None:
    assert parse_number("6,73", decimal_comma=True) == Decimal("6.73")
    assert parse_number("1.024", decimal_comma=True) == 1024
    assert parse_number("6,73", decimal_comma=False) is None
    assert uses_decimal_comma(["6,73", "141", "1.024"])
    assert not uses_decimal_comma(["6,73", "5.4"])
    assert not uses_decimal_comma(["1,024", "12"])


@pytest.mark.parametrize(
    ("printed", "comparator", "bound"),
    [
        ("<10", "<", "10"),
        ("< 10", "<", "10"),
        ("<\u00a016", "<", "16"),
        ("<\u200916", "<", "16"),
        ("＜16", "<", "16"),
        ("≤ 16", "<=", "16"),
        ("<= 5", "<=", "5"),
        ("< OR = 39", "<=", "39"),
        ("> OR = 60", ">=", "60"),
        (">90", ">", "90"),
        (">1,500", ">", "1500"),
    ],
)
def test_a_bound_stays_a_bound(printed: str, comparator: str, bound: str) -> None:
    value = parse_value(printed)
    assert value is not None
    assert (value.comparator, value.bound, value.number) == (comparator, Decimal(bound), None)


@pytest.mark.parametrize(
    "printed", ["<> 5", "5 - 6 mg", "Page 3", "03/04/2026", "1.2.3", "12,34,5", "", "JAMA", "--", "5:30"]
)
def test_what_is_no_value(printed: str) -> None:
    assert parse_value(printed) is None


@pytest.mark.parametrize(
    "printed", ["NEGATIVE", "None seen", "Trace", "Non-Reactive", "0-2", "0-5 /HPF", "3+", "1:40"]
)
def test_words_titres_and_ranges_are_text(printed: str) -> None:
    value = parse_value(printed)
    assert value is not None
    assert (value.text, value.number, value.missing) == (printed, None, None)


@pytest.mark.parametrize(
    ("printed", "reason"),
    [
        ("SEE NOTE:", "see_comment"),
        ("DNR", "not_reported"),
        ("NOT CALCULATED", "not_calculated"),
        ("NOT APPLICABLE", "not_calculated"),
        ("TNP", "not_performed"),
        ("Test Not Performed", "not_performed"),
        ("QNS", "insufficient"),
        ("Haemolysed", "haemolysed"),
        ("HEMOLYZED", "haemolysed"),
        ("PENDING", "pending"),
        ("Cancelled", "cancelled"),
        ("Comment", "see_comment"),
    ],
)
def test_missing_values_have_a_reason(printed: str, reason: str) -> None:
    value = parse_value(printed)
    assert value is not None
    assert (value.missing, value.number, value.text) == (reason, None, None)


@pytest.mark.parametrize(
    ("printed", "low", "high", "low_incl", "high_incl"),
    [
        ("65-99", "65", "99", True, True),
        ("[133 - 146]", "133", "146", True, True),
        ("(3.5–5.1)", "3.5", "5.1", True, True),
        ("-2.0 - +2.0", "-2.0", "2.0", True, True),
        ("150000 - 410000", "150000", "410000", True, True),
        ("<200", None, "200", None, False),
        ("> OR = 40", "40", None, True, None),
        ("above >=90", "90", None, True, None),
        ("Up to 200", None, "200", None, True),
        ("[>50]", "50", None, False, None),
    ],
)
def test_intervals(
    printed: str, low: str | None, high: str | None, low_incl: bool | None, high_incl: bool | None
) -> None:
    interval = parse_interval(printed)
    assert interval is not None
    assert interval.low == (Decimal(low) if low else None)
    assert interval.high == (Decimal(high) if high else None)
    assert (interval.low_incl, interval.high_incl, interval.text) == (low_incl, high_incl, None)


def test_an_interval_of_a_blank_only_with_decimal_commas() -> None:
    interval = parse_interval("4,4 11,3", decimal_comma=True)
    assert interval is not None
    assert (interval.low, interval.high) == (Decimal("4.4"), Decimal("11.3"))
    assert parse_interval("4.4 11.3") is None


@pytest.mark.parametrize("printed", ["Follicular 30-144", "Prediabetes: 5.7 - 6.4", "mg/dL", "Optimal <1.0"])
def test_prose_is_no_interval(printed: str) -> None:
    assert parse_interval(printed) is None


def test_an_interval_in_words_has_no_ends() -> None:
    interval = parse_interval("Not Estab.")
    assert interval is not None
    assert (interval.text, interval.low, interval.high) == ("Not Estab.", None, None)


@pytest.mark.parametrize(
    ("printed", "flag"),
    [("H", "H"), ("High", "H"), ("L", "L"), ("HH", "HH"), ("LL", "LL"), ("*", "A"), ("¬", "A"), ("#", "A"),
     ("Abnormal", "A"), ("Alert", "critical"), ("Critical", "critical"), ("L**", "critical"), ("Normal", "N"),
     ("Borderline", None)],
)  # fmt: skip
def test_flags(printed: str, flag: str | None) -> None:
    assert is_flag(printed)
    assert parse_flag(printed) == flag


@pytest.mark.parametrize(
    ("printed", "interval", "flag"),
    [
        ("104", "65-99", "H"),
        ("65", "65-99", "N"),
        ("99", "65-99", "N"),
        ("64.9", "65-99", "L"),
        ("200", "<200", "H"),
        ("199.9", "<200", "N"),
        ("40", "> OR = 40", "N"),
        ("59", ">59", "L"),
        ("<4", "0 - 21", "N"),
        ("<10", "<75", "N"),
        (">24.0", ">5.4", "N"),
        (">60", ">=60", "N"),
        ("<75", "<75", "N"),
        ("<= 75", "<75", "indeterminate"),
        ("<10", "20-30", "L"),
        (">40", "20-30", "H"),
        ("<25", "20-30", "indeterminate"),
        (">25", "20-30", "indeterminate"),
        ("5", "Not Estab.", None),
        ("Trace", "65-99", None),
    ],
)
def test_the_flag_by_the_printed_interval(printed: str, interval: str, flag: str | None) -> None:
    value = parse_value(printed)
    assert value is not None
    assert compute_flag(value, parse_interval(interval)) == flag


def test_disagreement_is_judged_only_where_flags_are_printed() -> None:
    assert disagrees("H", "H", prints_flags=True) is False
    assert disagrees("H", "N", prints_flags=True) is True
    assert disagrees("A", "N", prints_flags=True) is True
    assert disagrees("critical", "H", prints_flags=True) is False
    assert disagrees(None, "H", prints_flags=True) is True
    assert disagrees(None, "H", prints_flags=False) is None
    assert disagrees("H", None, prints_flags=True) is None


decimals = st.decimals(min_value=0, max_value=99_999, places=2)


@given(decimals)
def test_a_written_number_reads_back(number: Decimal) -> None:
    assert parse_number(f"{number:,.2f}", decimal_comma=False) == number
    comma = f"{number:,.2f}".translate(str.maketrans(",.", ".,"))
    assert parse_number(comma, decimal_comma=True) == number


@given(decimals, decimals, decimals)
def test_exactly_one_side_of_an_interval(number: Decimal, one: Decimal, other: Decimal) -> None:
    low, high = sorted((one, other))
    value = parse_value(str(number))
    assert value is not None
    flag = compute_flag(value, parse_interval(f"{low} - {high}"))
    assert flag == ("L" if number < low else "H" if number > high else "N")


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    value = parse_value(text)
    if value is not None:
        parts = (value.number, value.bound, value.text, value.missing)
        assert sum(part is not None for part in parts) == 1
    parse_interval(text)
    parse_flag(text)
