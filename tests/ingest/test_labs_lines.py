"""Words to lines and cells, and the small parts: dates, names, equations."""

from datetime import date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.labs.checks import check_rows
from ingest.labs.column_content import settled
from ingest.labs.columns import titles_of
from ingest.labs.dates import order_of, parse_dates
from ingest.labs.derived import ckd_epi_2021
from ingest.labs.lines import Line, lines_of
from ingest.labs.names import may_be_a_person, name_tokens, same_person_name
from ingest.labs.pdf import Page, Word
from ingest.labs.readings import readings_of
from ingest.labs.report import read_report
from ingest.labs.tables import lab_results
from schemas.errors import PhaError
from schemas.participant import Participant
from tests.yardstick import within


def word(text: str, x0: float, bottom: float = 100, size: float = 10) -> Word:
    return Word(text, x0, bottom - size, x0 + 0.5 * size * len(text), bottom, size)


def texts(words: list[Word]) -> list[list[str]]:
    return [[segment.text for segment in line.segments] for line in lines_of(words)]


def test_baselines_a_little_apart_are_one_line() -> None:
    words = [
        word("Glucose", 40),
        word("104", 200),
        word("65-99", 300, bottom=98.8, size=8),
        word("Next", 40, 112),
    ]
    assert texts(words) == [["Glucose", "104", "65-99"], ["Next"]]


def test_a_gap_wider_than_a_blank_ends_a_cell() -> None:
    assert texts([word("Total", 40), word("protein", 68), word("7.1", 150)]) == [["Total protein", "7.1"]]


def test_an_exponent_and_a_site_number() -> None:
    words = [word("x", 40), word("10", 48), word("9", 58.5, 94, size=5), word("/L", 61.5)]
    assert texts(words) == [["x 10^9/L"]]
    assert texts([word("WBC", 40), word("02", 55.5, 97, size=5), word("3.1", 100)]) == [["WBC", "3.1"]]
    assert texts([word("3.1", 40), word("5", 55.2, 97, size=5)]) == [["3.1"]]


def test_a_header_has_two_known_titles_and_a_name_and_a_value() -> None:
    def line(*cells: str) -> Line:
        return lines_of([word(cell.replace(" ", "\u00a0"), 40 + 120 * n) for n, cell in enumerate(cells)])[0]

    header = titles_of(line("Test", "Result", "Units"))
    assert header is not None
    assert [column.role for column in header.columns] == ["name", "value", "unit"]
    unknown = titles_of(line("Test", "Result", "Anything"))
    assert unknown is not None
    settled_one = settled(unknown, [], comma=False)
    assert settled_one is not None
    assert [column.role for column in settled_one.columns] == ["name", "value", "other"]
    nameless = titles_of(line("Result", "Units"))
    assert nameless is not None
    assert settled(nameless, [], comma=False) is None
    assert titles_of(line("Test", "Anything")) is None
    assert titles_of(line("Test", "Result", "91 mg/dL")) is None


@given(st.permutations([word("a", 40), word("b", 100), word("c", 40, 120), word("d", 100, 120.5)]))
def test_the_order_of_words_in_the_file_means_nothing(words: list[Word]) -> None:
    assert texts(list(words)) == [["a", "b"], ["c", "d"]]


def test_dates_in_both_orders() -> None:
    (printed,) = parse_dates("Collected: 03/04/2026 08:12 PM")
    assert (printed.month_first, printed.day_first, printed.at) == (
        date(2026, 3, 4),
        date(2026, 4, 3),
        time(20, 12),
    )
    assert printed.moment("MDY") == datetime.combine(date(2026, 3, 4), time(20, 12))
    assert printed.day(None) is None
    assert printed.decides is None


@pytest.mark.parametrize(
    "text", ["0.60-1.29", "3.50-5.10", "800.555.0100", "2017;23:1-87", "1-800-555-01", "12/13", "99/99/2026"]
)
def test_what_is_no_date(text: str) -> None:
    assert parse_dates(text) == []


def test_the_order_a_report_proves() -> None:
    assert order_of(parse_dates("03/04/2026 and 03/14/2026")) == "MDY"
    assert order_of(parse_dates("03/04/2026 and 14/03/2026")) == "DMY"
    assert order_of(parse_dates("03/14/2026 and 14/03/2026")) == "conflict"
    assert order_of(parse_dates("03/04/2026 and 2026-03-14")) is None


@given(st.dates(min_value=date(1920, 1, 1), max_value=date(2099, 12, 31)))
def test_a_printed_day_is_found(day: date) -> None:
    assert parse_dates(f"{day:%m/%d/%Y}")[0].day("MDY") == day
    assert parse_dates(f"{day:%d.%m.%Y}")[0].day("DMY") == day
    assert parse_dates(f"{day:%Y-%m-%d}")[0].day(None) == day
    assert parse_dates(f"{day:%d-%b-%Y}")[0].day(None) == day
    assert parse_dates(f"{day:%B} {day.day}, {day.year}")[0].day(None) == day


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("DOE, JANE", "Jane Doe", True),
        ("Doe, Jane Q", "Jane Doe", True),
        ("Delacroix-Nguyen, Ruth E", "Ruth E Delacroix-Nguyen", True),
        ("Müller, José", "Jose Muller", True),
        ("Jane Mary Doe", "Jane Doe", True),
        ("Jane Doe", "John Doe", False),
        ("Jane", "Jane Doe", False),
        ("Doe", "Doe", True),
        ("", "Jane Doe", False),
        ("GLENH OLME", "Glen Holme", True),
        ("GLENHOLM E", "Glen Holme", True),
        ("GLENH OLMES", "Glen Holme", False),
        ("1", "2", False),
    ],
)
def test_names(one: str, other: str, same: bool) -> None:
    assert same_person_name(one, other) is same
    assert same_person_name(other, one) is same


@pytest.mark.parametrize(
    "text", ["CHOLESTEROL, TOTAL", "LIPID PANEL, STANDARD", "Glucose, Serum", "PSA, TOTAL"]
)
def test_a_test_is_no_person(text: str) -> None:
    assert not may_be_a_person(text)
    assert may_be_a_person("OKONJO, TAMSIN")
    assert may_be_a_person("Iron, Ann")


def test_initials_and_titles_are_no_names() -> None:
    assert name_tokens("Mrs. J. O'Hara-Smith, Ann (fictional)") == {"hara", "smith", "ann"}


@pytest.mark.parametrize(
    ("creatinine", "age", "female", "egfr"),
    [("1.0", 50, False, 91.7), ("0.72", 35, True, 111.8), ("1.4", 65, False, 55.8), ("0.9", 45, True, 80.3)],
)
def test_ckd_epi_2021(creatinine: str, age: int, female: bool, egfr: float) -> None:
    assert float(ckd_epi_2021(Decimal(creatinine), age, female)) == pytest.approx(egfr, abs=0.05)


words = st.builds(
    word,
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            ["Glucose", "91", "H", "mg/dL", "65-99", "Test", "Result", "Units", "10", "9", "<", "DOB:"]
        ),
        st.sampled_from(
            ["03/04/2026", "Collected:", "Normal range: 3 - 5 mg/dL", "Name:", "Sex: F", "9" * 400]
        ),
    ),
    st.sampled_from([40.0, 55.0, 200.0, 300.0]),
    st.sampled_from([100.0, 101.0, 112.0, 130.0]),
    st.sampled_from([5.0, 9.0, 10.0]),
)


@settings(deadline=None)
@given(st.lists(words, max_size=25), st.booleans())
def test_any_page_is_read_or_refused_by_code(page: list[Word], comma: bool) -> None:
    person = Participant("P1", "female", 1980, "UTC", birth_date=date(1980, 5, 20), name="Jane Doe")
    readings_of([(1, lines_of(page))], comma)
    try:
        report = read_report([Page(1, tuple(page))], "f", person)
    except PhaError:
        return
    frame = lab_results(check_rows(report.rows, person), "P1", 1)
    assert frame.height == len(report.rows)


def test_a_page_of_many_words_takes_no_time() -> None:
    crowd = [word(str(n % 10), 40 + n % 500, 100 + n % 7, size=5 + n % 6) for n in range(4000)]
    with within(25):
        readings_of([(1, lines_of(crowd))], False)
