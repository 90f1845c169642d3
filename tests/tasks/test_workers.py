"""Work in processes of its own: in order, and unharmed by a process that is killed."""

import os

import pytest
import worker_functions as do

from schemas.errors import PhaError
from tasks.workers import map_in_processes, worker_count

pytestmark = pytest.mark.slow


def died(number: int) -> int:
    return -number


def never(_number: int) -> int:
    raise AssertionError("nobody was killed")


@pytest.fixture
def two_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHA_WORKERS", "2")


@pytest.mark.usefixtures("two_workers")
class TestTwoWorkers:
    def test_results_keep_the_order_of_the_items(self) -> None:
        assert map_in_processes(do.square, [5, 1, 4], never) == [25, 1, 16]

    def test_work_leaves_this_process(self) -> None:
        assert os.getpid() not in map_in_processes(do.process_of, [1, 2], never)

    def test_processes_share_the_cores(self) -> None:
        share = max(1, (os.cpu_count() or 1) // 2)
        allowed = int(os.environ.get("POLARS_MAX_THREADS", share))
        assert map_in_processes(do.threads_of_polars, [1, 2], never) == [allowed, allowed]

    def test_nothing_to_do_is_no_fault(self) -> None:
        assert map_in_processes(do.square, [], never) == []

    def test_a_killed_process_harms_nobody_else(self) -> None:
        assert map_in_processes(do.killed_at_three, [1, 2, 3, 4], died) == [1, 4, -3, 16]
        assert map_in_processes(do.square, [1, 2], never) == [1, 4]

    def test_a_fault_comes_back_with_its_place_and_without_its_text(self) -> None:
        with pytest.raises(PhaError) as fault:
            map_in_processes(do.odd_at_three, [1, 2, 3], died)
        assert fault.value.details["type"] == "Odd"
        assert str(fault.value.details["place"]).startswith("tests/tasks/worker_functions.py:")
        assert "Ada" not in str(fault.value)
        assert map_in_processes(do.square, [1, 2], never) == [1, 4]


def test_one_worker_is_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHA_WORKERS", "1")
    assert map_in_processes(do.process_of, [1, 2], never) == [os.getpid()] * 2


def test_a_fault_in_this_process_is_coded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHA_WORKERS", "1")
    with pytest.raises(PhaError, match="unexpected"):
        map_in_processes(do.odd_at_three, [3], never)


@pytest.mark.parametrize(("given", "count"), [("3", 3), ("0", 1), (None, os.cpu_count())])
def test_their_number_is_a_setting(monkeypatch: pytest.MonkeyPatch, given: str | None, count: int) -> None:
    if given is not None:
        monkeypatch.setenv("PHA_WORKERS", given)
    assert worker_count() == count
