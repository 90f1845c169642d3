"""The second wall, for machines that forbid namespaces: nothing of the host can be opened or asked about."""

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest

from health_agents.data_science.frames import program_frames
from health_agents.data_science.library import reviewed_question
from health_agents.sandbox import Outcome, Sandbox, open_sandbox
from health_agents.sandbox.inside import landlock
from schemas.settings import BUILT_IN_QUESTIONS

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock"),
]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox("landlock") as started:
        assert started.isolation == "landlock"
        yield started


def analysis(sandbox: Sandbox, body: str, **frames: pl.DataFrame) -> Outcome:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return sandbox.run(f"import ctypes, os\ndef analysis(**frames):\n{lines}\n", frames)


@pytest.mark.parametrize("path", ["/etc/passwd", "/proc/self/environ", "/", ".", "{data}", "{absent}"])
@pytest.mark.parametrize("way", ["open({path!r})", "os.stat({path!r})", "os.listdir({path!r})"])
def test_a_file_that_is_there_looks_like_one_that_is_not(
    sandbox: Sandbox, tmp_path: Path, path: str, way: str
) -> None:
    (tmp_path / "P2.parquet").write_text("another participant")
    path = path.format(data=tmp_path / "P2.parquet", absent=tmp_path / "P3.parquet")
    outcome = analysis(sandbox, way.format(path=path))
    assert (outcome.kind, outcome.error_type) == ("failed", "PermissionError")


@pytest.mark.parametrize("number", [2, 4, 21, 40, 59, 82, 87, 88, 89, 133, 257, 262, 267, 304, 332, 437])
def test_no_call_takes_a_path(sandbox: Sandbox, number: int) -> None:
    body = (
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        f"got = libc.syscall({number}, b'/etc/passwd', b'/etc/passwd', 0, 0)\n"
        "return {'got': got, 'errno': ctypes.get_errno()}"
    )
    assert analysis(sandbox, body).result == {"got": -1, "errno": 1}


def test_what_programs_import_is_there_without_a_file(sandbox: Sandbox) -> None:
    body = (
        "import dataclasses, decimal, scipy.cluster.hierarchy, scipy.fft, scipy.integrate\n"
        "import scipy.linalg, scipy.ndimage, scipy.signal, scipy.sparse.linalg, scipy.spatial, statistics\n"
        "import numpy as np, pandas as pd\n"
        "frame = pd.DataFrame({'a': [1, 2, 3], 'g': list('xyx')})\n"
        "return {'q': int(frame.query('a > 1').a.sum()), 'p': frame.pivot_table('a', 'g').a.tolist(),\n"
        "        'r': np.random.default_rng(0).integers(9, size=0).tolist(), 't': frame.to_string() > '',\n"
        "        'z': str(pd.Timestamp('2025-07-01', tz='Europe/Berlin').utcoffset())}"
    )
    assert analysis(sandbox, body).result == {"q": 5, "p": [2.0, 2.0], "r": [], "t": True, "z": "2:00:00"}


def test_frames_of_every_type_arrive(sandbox: Sandbox) -> None:
    frame = pl.DataFrame(
        {
            "date": [date(2025, 1, 1), date(2025, 1, 2)],
            "text": ["é", None],
            "at": [datetime(2025, 1, 1, 7), None],  # noqa: DTZ001 - a local time
            "flag": [True, None],
            "count": [1, None],
            "share": [0.5, None],
        }
    ).with_columns(pl.col("at").dt.replace_time_zone("UTC").alias("at_utc"))
    body = "frame = frames['summary_df']\nreturn {c: [str(v) for v in frame[c]] for c in frame}"
    assert analysis(sandbox, body, summary_df=frame).result == {
        "text": ["é", "nan"],
        "at": ["2025-01-01 07:00:00", "NaT"],
        "flag": ["True", "<NA>"],
        "count": ["1.0", "nan"],
        "share": ["0.5", "nan"],
        "at_utc": ["2025-01-01 07:00:00+00:00", "NaT"],
    }


def test_the_reviewed_programs_say_the_same_behind_both_walls(sandbox: Sandbox) -> None:
    last = date(2025, 6, 29)
    days = pl.date_range(date(2025, 1, 1), last, eager=True)
    n = pl.int_range(len(days), eager=True)
    daily = pl.DataFrame({"date": days, "steps": 8000 + 13 * (n % 11)}).with_columns(
        bed_minute=-30 + n % 17,
        participant_id=pl.lit("P1"),
        day_state=pl.lit("worn"),
        valid_day=True,
        resting_heart_rate=60 + n % 7,
        wake_up_minute=400 + n % 19,
        sleep_minutes=400 + n % 13,
        active_zone_minutes=n % 40,
        break_before=False,
        tz_change=False,
        is_partial=False,
    )
    person = pl.DataFrame({"participant_id": "P1", "sex": "female", "data_through": last, "days_behind": 0})
    frames = program_frames({"participants": person, "daily_summary": daily}, pl.DataFrame())
    with open_sandbox() as first:
        for name in BUILT_IN_QUESTIONS:
            program = reviewed_question(name).program
            expected, found = first.run(program, frames), sandbox.run(program, frames)
            assert (found.kind, found.result) == (expected.kind, expected.result), name
            assert found.kind == "ok"


@pytest.mark.parametrize(("known", "size"), [(1, 8), (3, 8), (4, 16), (5, 16), (6, 24), (7, 24)])
def test_each_version_of_the_interface_is_asked_for_all_it_knows(known: int, size: int) -> None:
    attributes = landlock.ruleset_attributes(known)
    rights = int.from_bytes(attributes[:8], "little")
    assert len(attributes) == size
    assert rights == (1 << {1: 13, 3: 15, 4: 15, 5: 16, 6: 16, 7: 16}[known]) - 1
    assert set(attributes[8::8]) <= {3}
