"""Small members are read in one pass: each gives what it gives alone, whatever lies beside it."""

from hypothesis import given
from hypothesis import strategies as st

from ingest.archive import Content
from ingest.fitbit.csv_form import CsvForm
from ingest.fitbit.kinds import KIND_BY_NAME
from ingest.fitbit.member_reading import is_small, read_member, read_together
from ingest.fitbit.reading import Reading

KINDS = ("hrv_details", "spo2_minutes", "respiratory_rate", "spo2_csv", "steps_csv", "readiness")
CELLS = st.sampled_from(
    ["", "0", "50", "97.5", "61", "-1", "1e400", "NaN", "null", "x", "2023-12-01", "2023-12-01T08:10"]
)
TIMES = st.sampled_from(
    ["2023-12-01T08:10:00", "2023-12-01T08:10", "2023-12-01", "2023-12-01 08:10:00+0000", "12/01/23", ""]
)
# Lines of too few or too many cells, without any, with quotes, and with other ends.
ODD_LINES = st.sampled_from(
    [
        "",
        " ",
        ",",
        ",,,,,,",
        "2023-12-01",
        "a,b,c,d,e,f,g,h",
        '"2023-12-01","50",""',
        'x,"y',
        "\r",
        "é,50",
        "\t,7",
    ]
)


def headers(kind: str) -> list[str]:
    form = KIND_BY_NAME[kind].read
    assert isinstance(form, CsvForm)
    time = form.time if isinstance(form.time, str) else form.time[0]
    return [time, *(value.source for value in form.values)]


@st.composite
def members(draw: st.DrawFn, kind: str) -> list[Content]:
    """Files of one kind: whole, empty, without a needed column, or without a row."""
    names = headers(kind)
    row = st.one_of(st.tuples(TIMES, *(CELLS for _ in names[1:])).map(",".join), ODD_LINES)
    whole = st.lists(row, max_size=5).map(lambda rows: "\n".join([",".join(names), *rows]))
    text = st.one_of(
        whole, whole.map(lambda t: t + "\n"), whole, st.sampled_from(["", "no data", "other,columns\n1,2"])
    )
    return [Content(each.encode()) for each in draw(st.lists(text, min_size=1, max_size=5))]


def plain(reading: Reading) -> tuple[object, ...]:
    frame = reading.frame
    return frame.schema, frame.rows(), reading.rows, list(reading.rejected), dict(reading.ignored)


@given(st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), members(kind))))
def test_read_together_is_read_alone(case: tuple[str, list[Content]]) -> None:
    kind, contents = KIND_BY_NAME[case[0]], case[1]
    names = [f"{number}.csv" for number in range(len(contents))]
    together = read_together(kind, contents, names)
    alone = [read_member([kind], content, name) for content, name in zip(contents, names, strict=True)]
    for (got, got_fault), (expected, expected_fault) in zip(together, alone, strict=True):
        assert got_fault == expected_fault
        assert {k: plain(r) for k, r in got.items()} == {k: plain(r) for k, r in expected.items()}


def test_a_sentinel_of_one_file_is_counted_there() -> None:
    files = [b"timestamp,value\n2023-12-01T01:00:00Z,50.0\n", b"timestamp,value\n2023-12-02T01:00:00Z,96.0\n"]
    first, second = read_together(KIND_BY_NAME["spo2_minutes"], [Content(f) for f in files], ["a", "b"])
    assert first[0]["spo2_minutes"].ignored == {"no_value": 1}
    assert first[0]["spo2_minutes"].frame.is_empty()
    assert second[0]["spo2_minutes"].ignored == {}
    assert second[0]["spo2_minutes"].frame["spo2_avg"].to_list() == [96.0]


def test_the_number_of_a_rejected_row_is_that_of_its_file() -> None:
    text = b"timestamp,value\n2023-12-01T01:00:00Z,96.0\nnever,95.0\n"
    outcomes = read_together(KIND_BY_NAME["spo2_minutes"], [Content(text)] * 3, ["a", "b", "c"])
    assert [[r.row for r in readings["spo2_minutes"].rejected] for readings, _ in outcomes] == [[2], [2], [2]]


def test_only_small_unharmed_files_of_one_form_wait() -> None:
    spo2, heart = KIND_BY_NAME["spo2_minutes"], KIND_BY_NAME["heart_rate_csv"]
    assert is_small([spo2], Content(b"timestamp,value\n"))
    assert not is_small([spo2], Content(b"timestamp,value\n", damaged=True))
    assert not is_small([spo2], Content(b"x" * (1 << 15)))
    assert not is_small([heart], Content(b"timestamp,value\n"))
    assert not is_small([spo2, heart], Content(b"timestamp,value\n"))
