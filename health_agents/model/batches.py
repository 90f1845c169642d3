"""Requests that go out together in batch jobs: what waits, what is under way, what came back.

``_batch/jobs/<id>.json`` is written as soon as a job has its id, before anybody waits for it: whatever
becomes of this process, another one fetches the answers. A job that is fetched moves to ``_batch/done/``; its
raw answers lie in ``_batch/results/<request digest>.json`` until an agent takes them.
"""

import json
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from health_agents.model.answers import create
from health_agents.model.budget import Spend
from health_agents.model.sent import Sender
from outputs.digests import canonical_json


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that is to go out. encoded: pydantic-ai's EncodedBatchRequest."""

    sender: Sender
    most: Spend
    encoded: Any


@dataclass(frozen=True, slots=True)
class Job:
    """A job under way.

    account: the ledger its requests are paid from. handle: the provider's, as JSON. reservations: by request
    digest.
    """

    name: str
    endpoint: str
    model: str
    account: str
    handle: dict[str, Any]
    reservations: dict[str, str]


class Batches:
    """The batch jobs below one folder, and what this process wants to send next.

    sent_here: ids of the jobs that this process sent.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sent_here: set[str] = set()
        self._lock = threading.Lock()
        self._waiting: dict[str, Waiting] = {}
        self._tries: dict[str, int] = {}

    def ask_later(self, waiting: Waiting) -> None:
        """Let a request go out with the next job."""
        with self._lock:
            self._waiting[waiting.sender.request_digest] = waiting

    def take_waiting(self) -> dict[str, Waiting]:
        """All that is to go out, by request digest, in that order; it waits no more."""
        with self._lock:
            taken, self._waiting = self._waiting, {}
        return dict(sorted(taken.items()))

    def jobs(self) -> Iterator[Job]:
        """Jobs under way, whoever sent them."""
        for path in sorted((self.folder / "jobs").glob("*.json")):
            with suppress(FileNotFoundError):
                yield Job(path.stem, **json.loads(path.read_bytes()))

    def is_known(self, request_digest: str) -> bool:
        """A job has the request, or has brought something for it."""
        under_way = any(request_digest in job.reservations for job in self.jobs())
        return under_way or self._result(request_digest).exists()

    def keep_job(self, **job: Any) -> None:
        """Write down that a job is under way: the fields of ``Job`` but its name."""
        create(self.folder / "jobs" / f"{uuid.uuid4().hex}.json", canonical_json(job).encode())

    def end_job(self, job: Job, results: Mapping[str, dict[str, Any]]) -> None:
        """Keep what came back by request digest, then call the job done."""
        for request_digest, result in results.items():
            create(self._result(request_digest), canonical_json(result).encode())
        done = self.folder / "done"
        done.mkdir(exist_ok=True, mode=0o700)
        with suppress(FileNotFoundError):  # Another process was quicker with the same.
            (self.folder / "jobs" / f"{job.name}.json").rename(done / f"{job.name}.json")

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

    def _result(self, request_digest: str) -> Path:
        return self.folder / "results" / f"{request_digest}.json"
