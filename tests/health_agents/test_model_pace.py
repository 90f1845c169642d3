"""How many requests are under way: slow start, one cut an episode, additive growth, waits for everybody."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from gemini_server import GeminiServer, Reply, failure, structured
from pydantic import BaseModel

from health_agents.model import ModelDoor, Retries
from health_agents.model.pace import Pace
from schemas.settings import Settings

MODEL = "gemini-2.5-flash"


class Word(BaseModel):
    """The form of the tests."""

    word: str


def answered(pace: Pace, count: int) -> None:
    for _ in range(count):
        pace.answered()


def test_slow_start_adds_a_place_for_every_answer() -> None:
    pace = Pace(most=10)
    assert pace.places == 2
    answered(pace, 3)
    assert pace.places == 5
    answered(pace, 50)
    assert pace.places == 10


def test_one_cut_for_one_episode() -> None:
    pace = Pace()
    answered(pace, 14)
    with ExitStack() as under_way:
        episodes = [under_way.enter_context(pace.place()) for _ in range(16)]
        for episode in episodes:
            pace.limited(episode, 0.0)
    assert pace.places == 8
    with pace.place() as next_episode:
        pace.limited(next_episode, 0.0)
    assert pace.places == 4


def test_after_a_cut_places_grow_by_one_for_a_full_round() -> None:
    pace = Pace()
    answered(pace, 6)
    with pace.place() as episode:
        pace.limited(episode, 0.0)
    grown: list[int] = []
    for _ in range(4):
        answered(pace, pace.places)
        grown.append(pace.places)
    assert pace.places == grown[-1] <= 8
    assert all(later - earlier <= 1 for earlier, later in zip([4, *grown], grown, strict=False))
    assert grown[-1] > 4


def test_there_is_always_one_place() -> None:
    pace = Pace()
    for _ in range(5):
        with pace.place() as episode:
            pace.limited(episode, 0.0)
    assert pace.places == 1


def test_a_wait_holds_for_requests_that_never_saw_the_429() -> None:
    pace = Pace()
    with pace.place() as episode:
        pace.limited(episode, 0.2)
    started = time.monotonic()
    with pace.place():
        assert time.monotonic() - started >= 0.19


def test_no_more_than_the_places_are_under_way() -> None:
    pace = Pace(most=3)
    under_way, highest, lock = 0, 0, threading.Lock()

    def work(_: int) -> None:
        nonlocal under_way, highest
        with pace.place():
            with lock:
                under_way += 1
                highest = max(highest, under_way)
            time.sleep(0.002)
            with lock:
                under_way -= 1
            pace.answered()

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(work, range(40)))
    assert highest == 3


def test_a_limit_of_the_endpoint_is_found_and_everybody_is_served(tmp_path: Path) -> None:
    """The server takes three at a time and says 429 to more: all are answered, most at the first try."""
    with GeminiServer(structured({"word": "yes"})) as server:
        server.limit(
            3, failure(429, retry_info="0.05s"), Reply(structured({"word": "yes"}).body, delay_seconds=0.05)
        )
        settings = Settings.model_validate(
            {"study": {"name": "S", "time_zone": "UTC"}, "model": {"name": MODEL, "allow": [MODEL]}}
        )
        environ = {"GOOGLE_GEMINI_BASE_URL": server.url, "GEMINI_API_KEY": "k"}
        door = ModelDoor(settings, tmp_path, environ=environ, retries=Retries(attempts=8, first_wait=0.02))
        with ThreadPoolExecutor(10) as pool:
            texts = list(
                pool.map(lambda n: door.ask("t", f"P-{n}", "s", f"prompt {n}", Word).output.word, range(24))
            )
    assert texts == ["yes"] * 24
    outcomes = [call.outcome for call in door.calls]
    assert outcomes.count("answered") == 24
    assert outcomes.count("rate limited") <= 24
