"""A second engine's reading of a picture: what it confirms, what stays in doubt, how its output is read."""

from decimal import Decimal
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from ingest.labs import ocr, second_opinion
from ingest.labs.intervals import Interval
from ingest.labs.ocr_doubts import doubted
from ingest.labs.pdf import Page
from ingest.labs.reading import Reading
from ingest.labs.row import LabRow
from ingest.labs.second_opinion import (
    SeenWord,
    is_confirmed,
    numbers_in,
    second_reading,
    tesseract_version,
    words_of_tsv,
)
from ingest.labs.vocabulary import Value

# As tesseract 5.3.0 writes it: page, block, paragraph, line, then words with place, confidence and text.
TSV = (
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    "1\t1\t0\t0\t0\t0\t0\t0\t1700\t2200\t-1\t\n"
    "2\t1\t1\t0\t0\t0\t100\t200\t900\t30\t-1\t\n"
    "3\t1\t1\t1\t0\t0\t100\t200\t900\t30\t-1\t\n"
    "4\t1\t1\t1\t1\t0\t100\t200\t900\t30\t-1\t\n"
    "5\t1\t1\t1\t1\t1\t100\t202\t180\t26\t96.061905\tPotassium\n"
    "5\t1\t1\t1\t1\t2\t600\t202\t60\t26\t90.5\t139:.0\n"
    "5\t1\t1\t1\t1\t3\t700\t202\t20\t26\t12.0\t \n"
    "5\t1\t1\t1\t1\t4\t760\t201\t150\t28\t88\t[3.50-5.10]\n"
)


def word(text: str, x0: float = 0, x1: float = 100, top: float = 0) -> SeenWord:
    return SeenWord(text, (x0, top, x1, top + 20))


def test_words_of_its_table() -> None:
    assert words_of_tsv(TSV) == [
        SeenWord("Potassium", (100, 202, 280, 228)),
        SeenWord("139:.0", (600, 202, 660, 228)),
        SeenWord("[3.50-5.10]", (760, 201, 910, 229)),
    ]


@pytest.mark.parametrize("text", ["", "level", "Error opening data file\n5\tx", "a\n5\t1\t1"])
def test_no_table_is_no_word(text: str) -> None:
    assert words_of_tsv(text) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Glucose", []),
        ("5.4", ["5.4"]),
        ("5,4", ["5,4"]),
        ("[3.50-5.10]", ["3.50", "5.10"]),
        ("< 10", ["<10"]),
        ("\u226460", ["<=60"]),
        ("\uff1c16", ["<16"]),
        (">", [">"]),
        ("-2.0", ["-2.0"]),
        ("x10E3/uL", ["10", "3"]),
        ("139:.0", ["139:.0"]),
    ],
)
def test_numbers_with_their_signs(text: str, numbers: list[str]) -> None:
    assert numbers_in(text) == numbers


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("139.0", ["139.0"], True),
        ("139.0", ["1390"], False),
        ("139.0", ["139:.0"], False),
        ("21.0", ["210)"], False),
        ("[3.50-5.10]", ["[350-510]"], False),
        ("3.50", ["[3.50-5.10]"], True),
        ("3.50-5.10", ["3.50", "-5.10"], False),
        ("<10", ["10"], False),
        ("10", ["<10"], False),
        ("<10", ["<", "10"], True),
        ("<", ["<"], True),
        ("<", ["10"], False),
        ("-2.0", ["2.0"], False),
        ("5.4", [], False),
        ("5.4", ["5,4"], False),
        ("1", ["7"], False),
    ],
)
def test_a_number_is_confirmed_only_where_both_read_it_alike(
    first: str, second: list[str], same: bool
) -> None:
    width = 100 / max(len(second), 1)
    others = [word(text, n * width, (n + 1) * width) for n, text in enumerate(second)]
    assert is_confirmed(word(first), others) is same
    assert is_confirmed(word(first), others[::-1]) is same


def test_what_stands_elsewhere_confirms_nothing() -> None:
    assert not is_confirmed(word("5.4"), [word("5.4", top=40)])
    assert not is_confirmed(word("5.4"), [word("5.4", 95, 195)])
    assert is_confirmed(word("5.4"), [word("5.4", 40, 140, top=6)])


@given(st.decimals(0, 9999, places=2), st.integers(0, 5))
def test_any_other_digit_is_a_disagreement(number: Decimal, place: int) -> None:
    text = f"{number:.2f}"
    at = place % len(text)
    if text[at].isdigit():
        other = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
        assert not is_confirmed(word(text), [word(other)])
    assert is_confirmed(word(text), [word(text)])


BOX = (50.0, 100.0, 300.0, 110.0)


def doubts(value: str, *, seconded: bool, interval: bool = True, unsure: bool = False) -> tuple[str, ...]:
    printed = Interval("3.5-5.1", Decimal("3.5"), Decimal("5.1"), True, True) if interval else None
    reading = Reading(
        1,
        BOX,
        None,
        "table",
        "Potassium",
        Value(value, number=Decimal(value)),
        None,
        False,
        "mmol/L",
        printed,
    )
    nothing = dict.fromkeys(
        ("vendor", "collected", "collected_at", "collected_date", "received_at", "reported_at",
         "reported_date", "specimen_id")
    )  # fmt: skip
    row = LabRow("f", 1, reading, **nothing, report_status="final", fasting="no")
    return doubted(row, [Page(1, (), "ocr", (BOX,) if unsure else (), seconded)]).doubts


def test_two_engines_accept_what_they_read_alike_and_nothing_else() -> None:
    assert doubts("4.1", seconded=True) == ()
    assert doubts("4.1", seconded=True, unsure=True) == ("ocr_disagreement",)
    assert doubts("4.1", seconded=True, interval=False) == ()
    assert doubts("41", seconded=True) == ("ocr_unconfirmed",)


def test_without_the_second_the_stricter_doubts_stay() -> None:
    assert doubts("4.1", seconded=False, interval=False) == ("ocr_unconfirmed",)
    assert doubts("4.1", seconded=False, unsure=True) == ("ocr_unsure",)


def test_the_engines_are_named_so_that_scans_are_read_anew_with_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ocr, "version", lambda _: "3.10.0")
    monkeypatch.setattr(ocr, "tesseract_version", lambda: None)
    assert ocr.engine_version() == "rapidocr 3.10.0"
    monkeypatch.setattr(ocr, "tesseract_version", lambda: "tesseract 5.3.0")
    assert ocr.engine_version() == "rapidocr 3.10.0, tesseract 5.3.0"


def test_a_command_that_is_not_there_or_fails_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_opinion, "COMMAND", "no-such-command-here")
    assert second_reading(b"", 200) == []
    monkeypatch.setattr(second_opinion, "COMMAND", "false")
    assert second_reading(b"", 200) == []


@pytest.mark.skipif(tesseract_version() is None, reason="tesseract is not installed")
def test_the_command_itself_reads_a_line() -> None:
    picture = Image.new("RGB", (900, 120), "white")
    ImageDraw.Draw(picture).text((40, 30), "Potassium 4.1 3.5-5.1", "black", ImageFont.load_default(48))
    stream = BytesIO()
    picture.save(stream, "PNG")
    words = second_reading(stream.getvalue(), 200)
    assert numbers_in(" ".join(each.text for each in words)) == ["4.1", "3.5", "5.1"]
    assert all(0 <= each.box[0] < each.box[2] <= 900 for each in words)
