"""Batch jobs below one folder: which are under way, and what came back.

``jobs/<name>.json`` is written before a job is made, under a name that the job bears at the provider, too:
whatever becomes of this process, another one finds the job and fetches its answers. A job that is fetched
moves to ``done/``; its raw answers lie in ``results/<request digest>.json`` until an agent takes them.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from health_agents.model.answers import create, replace
from health_agents.model.budget import Spend, settle_in
from outputs.digests import canonical_json


@dataclass(frozen=True, slots=True)
class Job:
    """A job that is being made or under way.

    account: the ledger its requests are paid from. requests: their digests. group: pydantic-ai's, of what
    they share. input_file: the provider's name of what was uploaded. handle: pydantic-ai's, as JSON; None
    as long as nobody wrote down that the job was made.
    """

    name: str
    endpoint: str
    model: str
    account: str
    requests: tuple[str, ...]
    group: str
    input_file: str | None = None
    handle: dict[str, Any] | None = None

    def reservation(self, request_digest: str) -> str:
        """What a request of the job is settled by in its ledger."""
        return f"{self.name}/{request_digest}"

    def settle(self, request_digest: str, spent: Spend) -> None:
        """Replace what was set aside for a request by what it really took."""
        settle_in(Path(self.account), self.reservation(request_digest), spent)


class Batches:
    """The jobs, and how often this process has used up a result of each request."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._tries: dict[str, int] = {}

    def jobs(self) -> Iterator[Job]:
        """Jobs being made and under way, whoever makes them."""
        for path in sorted((self.folder / "jobs").glob("*.json")):
            with suppress(FileNotFoundError):
                yield _read_job(path.read_bytes())

    def is_known(self, request_digest: str) -> bool:
        """A job has the request, or has brought something for it."""
        under_way = any(request_digest in job.requests for job in self.jobs())
        return under_way or self._result(request_digest).exists()

    def keep(self, job: Job) -> None:
        """Write down what is known of a job by now."""
        replace(self._job(job), canonical_json(asdict(job)).encode())

    def drop(self, job: Job) -> None:
        """The job was never made."""
        self._job(job).unlink(missing_ok=True)

    def end(self, job: Job, results: Mapping[str, dict[str, Any]]) -> None:
        """Keep what came back by request digest, then call the job done."""
        for request_digest, result in results.items():
            create(self._result(request_digest), canonical_json(result).encode())
        done = self.folder / "done"
        done.mkdir(exist_ok=True, mode=0o700)
        with suppress(FileNotFoundError):  # Another process was quicker with the same.
            self._job(job).rename(done / f"{job.name}.json")

    def result(self, request_digest: str) -> dict[str, Any] | None:
        """What came back for a request: pydantic-ai's BatchResult as JSON, or None."""
        try:
            return json.loads(self._result(request_digest).read_bytes())
        except FileNotFoundError:
            return None

    def take_result(self, request_digest: str) -> int:
        """The result is used up; returns how many this process has used up for the request."""
        self._result(request_digest).unlink(missing_ok=True)
        with self._lock:
            self._tries[request_digest] = self._tries.get(request_digest, 0) + 1
            return self._tries[request_digest]

    def _job(self, job: Job) -> Path:
        return self.folder / "jobs" / f"{job.name}.json"

    def _result(self, request_digest: str) -> Path:
        return self.folder / "results" / f"{request_digest}.json"


@lru_cache(maxsize=64)
def _read_job(content: bytes) -> Job:
    """A job of up to 2,000 requests is looked at for each request that waits, but read once."""
    told: dict[str, Any] = json.loads(content)
    told["requests"] = tuple(told["requests"])
    return Job(**told)
