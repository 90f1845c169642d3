"""Memory of reading exports: far below their size, and flat in the number of people."""

from pathlib import Path

import pytest

from benchmarks.memory import dense_export, peak_mb

pytestmark = pytest.mark.proof

MINUTES_A_DAY = 1440


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[int, tuple[Path, int]]:
    """Archives by the megabytes in them, with their days."""
    folder = tmp_path_factory.mktemp("dense")
    paths = {megabytes: folder / f"{megabytes}.zip" for megabytes in (40, 240)}
    return {megabytes: (path, dense_export(path, megabytes)) for megabytes, path in paths.items()}


def test_memory_grows_by_what_is_published_not_by_what_is_read(
    archives: dict[int, tuple[Path, int]], tmp_path: Path
) -> None:
    peaks = {}
    for megabytes, (path, days) in archives.items():
        peaks[megabytes], minutes = peak_mb(path, tmp_path)
        assert minutes == days * MINUTES_A_DAY
    assert peaks[240] - peaks[40] < 200 / 2


def test_memory_is_flat_in_the_number_of_people(
    archives: dict[int, tuple[Path, int]], tmp_path: Path
) -> None:
    path, _ = archives[40]
    few, _ = peak_mb(path, tmp_path, people=2)
    more, _ = peak_mb(path, tmp_path, people=6)
    assert more < few * 1.15
