"""The door: permission, kept answers, budget, pace, retries and the record, around every request."""

import asyncio
import threading
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import BaseModel

from health_agents.model.answers import Answers
from health_agents.model.batches import Batches
from health_agents.model.budget import Budget, Spend
from health_agents.model.calls import Call, calls_journal
from health_agents.model.pace import Pace
from health_agents.model.policy import Endpoint, check_model, find_endpoint
from health_agents.model.prices import Price, Tokens, price_by_name
from health_agents.model.retries import Retries
from health_agents.model.run_processes import RunProcesses
from health_agents.model.sent import Sent, audit_folder
from outputs.digests import digest
from schemas.errors import PhaError
from schemas.settings import Settings

if TYPE_CHECKING:
    from pydantic_ai.models import Model

Output = TypeVar("Output", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Answer(Generic[Output]):
    """A model's answer in its declared form, and the requests it took (kept answers included)."""

    output: Output
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class RequestSettings:
    """How a model is asked; part of every digest. Output tokens include the model's thinking."""

    temperature: float = 0.0
    max_output_tokens: int = 16_384
    timeout_seconds: float = 180.0


@dataclass(frozen=True, slots=True)
class Polling:
    """Seconds between looks at a batch job: the first, and the longest it grows to by half each time."""

    first: float = 30.0
    longest: float = 600.0


@dataclass(frozen=True, slots=True)
class BatchMode:
    """The jobs of all runs, and what the processes of this run tell each other."""

    batches: Batches
    processes: RunProcesses


class ModelDoor:
    """Asks one model in the name of a study. May be shared by threads; not called from inside an event loop.

    cache: folder of kept answers, budgets and the audit. account: the run whose budget and record it shares
    with other processes (none: its own). scripted: a pydantic-ai model that answers instead of the endpoint
    (tests). Raises the usage errors of ``check_model`` when made.
    """

    def __init__(
        self,
        settings: Settings,
        cache: Path,
        *,
        environ: Mapping[str, str],
        name: str | None = None,
        account: str | None = None,
        scripted: "Model | None" = None,
        retries: Retries | None = None,
        request: RequestSettings | None = None,
        polling: Polling | None = None,
        today: date | None = None,
    ) -> None:
        self.name = name or settings.model.name
        self.scripted = scripted
        self.retries = retries or Retries()
        self.request = request or RequestSettings()
        self.polling = polling or Polling()
        self.endpoint = self._permitted_endpoint(settings, environ)
        run = account or uuid.uuid4().hex
        self.answers = Answers(cache)
        self.sent = Sent(audit_folder(cache))
        self.budget = Budget(settings.budget, cache / "_spend" / f"{run}.jsonl")
        self.batch = self._batch_mode(cache, run) if settings.model.batch else None
        self.pace = Pace()
        self._record = calls_journal(cache, run)
        self._price = self._find_price(today or datetime.now(UTC).date())
        self._lock = threading.Lock()
        self._calls: list[Call] = []
        self._closed: PhaError | None = None

    def ask(
        self, agent: str, participant_id: str, system: str, prompt: str, output_type: type[Output]
    ) -> Answer[Output]:
        """One question with an answer of a declared form.

        agent and participant_id go into budget, record and audit only, never into the request. Raises
        (PhaError) budget_reached, model_rate_limited, model_unavailable (nothing more is asked),
        model_waiting (in batch mode: ask again after ``fetch_batches``), or model_failed with the outcome:
        empty, blocked, refused, leaked, cut off, malformed, timed out, unreachable, or the endpoint's status.
        """
        # pydantic-ai and its clients take two seconds to load: only when a model is really asked.
        from health_agents.model.conversation import Conversation

        conversation = Conversation(self, agent, participant_id)
        output = asyncio.run(conversation.hold(system, prompt, output_type))
        return Answer(output, tuple(conversation.calls))

    def fetch_batches(self) -> bool:
        """Send what was asked as batch jobs and wait for their answers, and for those of earlier processes.

        Returns whether asking again gets further. Until then ``ask`` raises model_waiting.
        """
        if self.batch is None or self.endpoint is None:
            return False
        from health_agents.model.batch_jobs import fetch

        return asyncio.run(fetch(self, self.batch, self.endpoint))

    @property
    def calls(self) -> list[Call]:
        """All requests of this door so far, failed ones included."""
        with self._lock:
            return list(self._calls)

    @property
    def is_outside(self) -> bool:
        """What is asked leaves this machine."""
        return self.endpoint is not None and not self.endpoint.is_this_machine

    def record(self, call: Call) -> None:
        """Add a request to the record, in memory and, where it was really made, on disk."""
        if not call.cached:
            self._record.append(asdict(call))
        with self._lock:
            self._calls.append(call)

    def close(self, code: str, **details: object) -> PhaError:
        """Ask nothing more in this process (in batch mode: in this run); returns what all get from now on."""
        self._closed = PhaError(code, **details)
        if self.batch is not None:
            self.batch.processes.refuse(self._closed)
        return self._closed

    def require_open(self) -> None:
        """Raise the fault for which nothing more is asked, if there is one."""
        closed = self._closed or (self.batch.processes.refusal if self.batch else None)
        if closed is not None:
            raise PhaError(closed.code.name, **closed.details)

    def cost(self, tokens: Tokens, *, batch: bool = False) -> float | None:
        """US dollars, or None where the model is in no price list."""
        return None if self._price is None else self._price.cost(tokens, batch=batch)

    def most(self, request_characters: int, *, batch: bool = False) -> Spend:
        """The most a request of so many characters can cost: a token is hardly ever shorter than two."""
        tokens = Tokens(request_characters // 2 + 1, self.request.max_output_tokens)
        return Spend(self.cost(tokens, batch=batch), tokens.total)

    def _find_price(self, day: date) -> Price | None:
        # A scripted model costs what the one of its name would.
        return price_by_name(self.name, day, self.endpoint.location if self.endpoint else "global")

    def _batch_mode(self, cache: Path, run: str) -> BatchMode | None:
        if self.endpoint is None:
            return None
        folder = cache / "_batch"
        place = digest(self.endpoint.url, self.endpoint.model, run)
        return BatchMode(Batches(folder), RunProcesses(folder / "runs" / place))

    def _permitted_endpoint(self, settings: Settings, environ: Mapping[str, str]) -> Endpoint | None:
        if self.name not in settings.model.allow:
            raise PhaError("model_not_allowed", model=self.name)
        if self.scripted is not None:
            return None
        check_model(settings, self.name, environ)
        return find_endpoint(settings, self.name, environ)
