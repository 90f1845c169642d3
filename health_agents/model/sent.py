"""The audit: what was sent to a model, verbatim, and about whom; written before it leaves.

``_sent/<participant_id>.jsonl`` has a line for every time something was sent; ``_sent/bodies/<digest>.json``
is the body as it went over the wire. No header is kept: keys travel there.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from health_agents.model.answers import create
from health_agents.model.journal import Journal


@dataclass(frozen=True, slots=True)
class Sender:
    """On whose behalf a request is made; url: where it goes, without what follows a question mark."""

    participant_id: str
    agent: str
    model: str
    left_machine: bool
    request_digest: str


@dataclass(frozen=True, slots=True)
class Sending:
    """One time something was sent."""

    at_utc: str
    url: str
    agent: str
    model: str
    left_machine: bool
    request_digest: str
    body: bytes


def sent_of(answers: Path, participant_id: str) -> "Iterator[Sending]":
    """All that was sent about a participant, below a folder of kept answers."""
    return Sent(audit_folder(answers)).read(participant_id)


def audit_folder(answers: Path) -> Path:
    """Where the audit lies below a folder of kept answers."""
    return answers / "_sent"


class Sent:
    """The audit below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, sender: Sender, url: str, body: bytes) -> None:
        """Write down what is about to leave."""
        digest = sha256(body).hexdigest()
        create(self._body(digest), body)
        when = datetime.now(UTC).isoformat(timespec="seconds")
        line = asdict(sender) | {"url": url.partition("?")[0], "at_utc": when, "body": digest}
        self._journal(sender.participant_id).append(line)

    def read(self, participant_id: str) -> Iterator[Sending]:
        """All that was sent about a participant, in the order it was."""
        for line in self._journal(participant_id).read():
            content = self._body(line["body"]).read_bytes()
            told = {name: line[name] for name in Sending.__slots__ if name != "body"}
            yield Sending(**told, body=content)

    def _journal(self, participant_id: str) -> Journal:
        return Journal(self._folder / f"{participant_id}.jsonl")

    def _body(self, digest: str) -> Path:
        return self._folder / "bodies" / digest[:2] / f"{digest}.json"
