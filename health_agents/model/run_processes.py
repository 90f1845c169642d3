"""What the processes of a run tell each other of a model: requests that wait, and that nothing more is asked.

What a process left behind counts only as long as it lives: whoever still wants it will say so again.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from health_agents.model.answers import create
from health_agents.model.budget import Spend
from health_agents.model.holders import Holder
from health_agents.model.sent import Sender
from outputs.digests import canonical_json
from schemas.errors import PhaError


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that is to go out. encoded: the fields of pydantic-ai's EncodedBatchRequest."""

    sender: Sender
    most: Spend
    encoded: dict[str, str]


class RunProcesses:
    """Processes that ask one model on one account, by what they left below one folder."""

    def __init__(self, folder: Path) -> None:
        self._waiting = folder / "waiting"
        self._refused = folder / "refused"
        self._holder = Holder(folder / "holders")

    def ask_later(self, waiting: Waiting) -> None:
        """Let a request go out with the next job, whichever process sends it."""
        path = self._waiting / self._holder.name / f"{waiting.sender.request_digest}.json"
        create(path, canonical_json(asdict(waiting)).encode())

    def take_waiting(self) -> list[Waiting]:
        """All that is to go out, one a request digest, in that order; it waits no more."""
        taken: dict[str, Waiting] = {}
        for path in self._of_the_living(self._waiting.glob("*/*.json"), lambda path: path.parent.name):
            with suppress(FileNotFoundError):
                one = json.loads(path.read_bytes())
                path.unlink()
                taken[path.stem] = Waiting(Sender(**one["sender"]), Spend(**one["most"]), one["encoded"])
        return [taken[request_digest] for request_digest in sorted(taken)]

    def refuse(self, fault: PhaError) -> None:
        """Let all know that nothing more is asked."""
        told = {"code": fault.code.name, "details": fault.details}
        create(self._refused / f"{self._holder.name}.json", canonical_json(told).encode())

    @property
    def refusal(self) -> PhaError | None:
        """The fault for which nothing more is asked, where a process said so."""
        for path in self._of_the_living(self._refused.glob("*.json"), lambda path: path.stem):
            with suppress(FileNotFoundError):
                told = json.loads(path.read_bytes())
                return PhaError(told["code"], **told["details"])
        return None

    def _of_the_living(self, paths: Iterable[Path], owner: Callable[[Path], str]) -> Iterator[Path]:
        """Files whose process lives; the others are deleted."""
        dead: dict[str, bool] = {}
        for path in paths:
            name = owner(path)
            if name not in dead:
                dead[name] = self._holder.is_dead(name)
            if not dead[name]:
                yield path
            else:
                path.unlink(missing_ok=True)
