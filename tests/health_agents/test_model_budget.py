"""The budget: one ledger for all processes of a run; limits are never passed, nothing is lost by a crash."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from health_agents.model.budget import Budget, Spend
from health_agents.model.journal import Journal
from schemas.errors import PhaError
from schemas.settings import BudgetSection

ROOT = Path(__file__).parents[2]
MOST = Spend(0.01, 30)
WHO = ("tester", "P-1")


def budget(folder: Path, account: str = "run", **limits: Any) -> Budget:
    return Budget(BudgetSection.model_validate(limits), folder / f"{account}.jsonl")


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"calls": 2}, "2 calls"),
        ({"tokens": 89}, "89 tokens"),
        ({"usd": 0.029}, "0.03 USD"),
        ({"participant": {"calls": 2}}, "2 calls a participant"),
        ({"participant": {"tokens": 60}}, "60 tokens a participant"),
        ({"agents": {"tester": {"usd": 0.02}}}, "0.02 USD of tester"),
    ],
)
def test_the_third_request_would_pass_a_limit(tmp_path: Path, limits: dict[str, Any], told: str) -> None:
    shared = budget(tmp_path, **limits)
    shared.reserve(*WHO, MOST)
    shared.reserve(*WHO, MOST)
    with pytest.raises(PhaError) as caught:
        shared.reserve(*WHO, MOST)
    assert caught.value.details["limit"] == told
    assert caught.value.code.pauses
    with pytest.raises(PhaError, match="budget_reached"):
        shared.check(*WHO, MOST)
    assert shared.spent == Spend(0.02, 60, 2)


def test_limits_of_one_participant_and_agent_hold_for_no_other(tmp_path: Path) -> None:
    shared = budget(tmp_path, participant={"calls": 1}, agents={"tester": {"calls": 2}})
    shared.reserve("tester", "P-1", MOST)
    shared.reserve("tester", "P-2", MOST)
    with pytest.raises(PhaError, match="of tester"):
        shared.reserve("tester", "P-3", MOST)
    shared.reserve("other", "P-3", MOST)
    with pytest.raises(PhaError, match="a participant"):
        shared.reserve("other", "P-3", MOST)


def test_what_a_request_came_to_replaces_what_was_set_aside(tmp_path: Path) -> None:
    shared = budget(tmp_path, tokens=60)
    first = shared.reserve(*WHO, MOST)
    shared.reserve(*WHO, MOST)
    shared.settle(first, Spend(0.001, 5))
    shared.settle(first, Spend(0.001, 5))
    assert shared.spent == Spend(pytest.approx(0.011), 35, 2)
    with pytest.raises(PhaError):
        shared.reserve(*WHO, MOST)
    shared.reserve(*WHO, Spend(0.0, 25))


def test_two_who_name_one_account_share_it_and_a_raised_limit_goes_on(tmp_path: Path) -> None:
    first, second = budget(tmp_path, calls=2), budget(tmp_path, calls=2)
    first.reserve(*WHO, MOST)
    second.reserve(*WHO, MOST)
    for one in (first, second):
        with pytest.raises(PhaError, match="budget_reached"):
            one.reserve(*WHO, MOST)
        assert one.spent.calls == 2
    budget(tmp_path, calls=3).reserve(*WHO, MOST)
    assert first.spent.calls == 3
    budget(tmp_path, "another run", calls=1).reserve(*WHO, MOST)


def test_a_price_that_is_not_known_still_counts_tokens(tmp_path: Path) -> None:
    shared = budget(tmp_path, usd=0.0, tokens=30)
    shared.reserve(*WHO, Spend(None, 30))
    with pytest.raises(PhaError, match="30 tokens"):
        shared.reserve(*WHO, Spend(None, 1))


def test_what_a_killed_process_set_aside_is_free_again(tmp_path: Path) -> None:
    program = f"""
import os, signal
from pathlib import Path
from health_agents.model.budget import Budget, Spend
from schemas.settings import BudgetSection
shared = Budget(BudgetSection(calls=3), Path({str(tmp_path)!r}) / "run.jsonl")
shared.settle(shared.reserve("tester", "P-1", Spend(0.5, 9)), Spend(0.1, 4))
shared.reserve("tester", "P-1", Spend(0.5, 9))
shared.reserve("tester", "P-1", Spend(0.5, 9), lasting="job/request")
os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False)
    assert killed.returncode == -9
    shared = budget(tmp_path, calls=3)
    assert shared.spent.calls == 3, "nobody asked yet"
    shared.reserve(*WHO, MOST)
    with pytest.raises(PhaError, match="3 calls"):
        shared.reserve(*WHO, MOST)
    assert shared.spent == Spend(pytest.approx(0.1 + 0.5 + 0.01), 4 + 9 + 30, 3), "spent, job and own"


def test_reservations_never_pass_a_limit_between_threads(tmp_path: Path) -> None:
    holders = [budget(tmp_path, usd=1.0, tokens=1000, calls=1000) for _ in range(4)]
    seen: list[int] = []
    barrier = threading.Barrier(4)

    def work(shared: Budget) -> None:
        barrier.wait()
        for _ in range(10):
            reservation = shared.reserve(*WHO, MOST)
            seen.append(shared.spent.tokens)
            shared.settle(reservation, Spend(0.001, 3))

    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(work, shared) for shared in holders]:
            future.result()
    assert max(seen) <= 4 * 30 + 36 * 3
    assert holders[0].spent == Spend(pytest.approx(0.04), 120, 40)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 50), st.booleans()), max_size=8))
def test_what_is_spent_is_the_sum_of_what_is_settled_and_open(
    tmp_path_factory: pytest.TempPathFactory, requests: list[tuple[int, int, bool]]
) -> None:
    folder = tmp_path_factory.mktemp("spend")
    writer, reader = budget(folder), budget(folder)
    expected = 0
    for spent, most, settled in requests:
        reservation = writer.reserve(*WHO, Spend(0.0, most))
        if settled:
            writer.settle(reservation, Spend(0.0, spent))
        expected += spent if settled else most
        assert reader.spent.tokens == expected
    assert reader.spent.calls == len(requests)


def test_a_line_that_was_cut_off_is_passed_over_and_the_next_ones_stand(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "lines.jsonl")
    assert journal.read() == []
    journal.append({"number": 1})
    with journal.path.open("a") as stream:
        stream.write('{"number": 2, "te')
    assert journal.read() == [{"number": 1}]
    journal.append({"number": 3})
    assert journal.read() == [{"number": 1}, {"number": 3}]
    entries, end = journal.read_from(len('{"number":1}\n'))
    assert entries == [{"number": 3}]
    assert end == journal.path.stat().st_size
