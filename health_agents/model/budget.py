"""The budget: every request reserves what it could cost at most, before it is sent, in one ledger.

All processes of a run share the ledger: a line for what is set aside, a line for what it came to. What a
process that died had set aside is free again.
"""

import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from health_agents.model.holders import Holder
from health_agents.model.journal import Journal, Lines
from schemas.errors import PhaError
from schemas.settings import BudgetSection, Limits

JOB = "job"
Scope = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Spend:
    """Money (None: unknown price), tokens in and out, and requests."""

    usd: float | None
    tokens: int
    calls: int = 1

    def __add__(self, other: "Spend") -> "Spend":
        usd = (self.usd or 0.0) + (other.usd or 0.0)
        return Spend(usd, self.tokens + other.tokens, self.calls + other.calls)

    def __sub__(self, other: "Spend") -> "Spend":
        return self + Spend(-(other.usd or 0.0), -other.tokens, -other.calls)


NOTHING = Spend(0.0, 0, 0)


class Budget:
    """What may still be spent by a run, on a participant and by an agent; a limit is never passed.

    account: the ledger of the run; whoever names the same one shares it.
    """

    def __init__(self, limits: BudgetSection, account: Path) -> None:
        self._limits = limits
        self.account = account
        self._journal = Journal(account)
        self._holder = Holder(account.with_suffix(".holders"))
        self._read = 0
        self._open: dict[str, dict[str, Any]] = {}
        self._spent: dict[Scope, Spend] = {}

    def reserve(self, agent: str, participant_id: str, most: Spend, *, lasting: str | None = None) -> str:
        """Set aside the most a request can cost; returns what to settle it by.

        lasting: what to settle it by if it outlives this process, as the requests of a batch job do.
        Raises budget_reached with the limit.
        """
        reservation = lasting or uuid.uuid4().hex
        entry = {"id": reservation, "agent": agent, "participant_id": participant_id, **asdict(most)}
        with self._journal.held() as lines:
            self._catch_up()
            self._require(entry, most, lines)
            lines.append(entry | {"holder": JOB if lasting else self._holder.name})
        return reservation

    def settle(self, reservation: str, spent: Spend) -> None:
        """Replace what was set aside by what the request really took."""
        settle_in(self.account, reservation, spent)

    def check(self, agent: str, participant_id: str, most: Spend) -> None:
        """Raise budget_reached where such a request could not be made now."""
        entry = {"agent": agent, "participant_id": participant_id}
        with self._journal.held() as lines:
            self._catch_up()
            self._require(entry, most, lines)

    @property
    def spent(self) -> Spend:
        """What the run has spent or set aside by now."""
        with self._journal.held():
            self._catch_up()
            return self._spent.get(("run", ""), NOTHING)

    def _require(self, entry: dict[str, Any], most: Spend, lines: Lines) -> None:
        if self._passed(entry, most) is not None:
            self._free_the_dead(lines)
        if (limit := self._passed(entry, most)) is not None:
            raise PhaError("budget_reached", limit=limit)

    def _passed(self, entry: dict[str, Any], most: Spend) -> str | None:
        """The limit that one more request would pass, in words."""
        for scope, limits, words in self._limited(entry):
            would_be = self._spent.get(scope, NOTHING) + most
            if limits.calls is not None and would_be.calls > limits.calls:
                return f"{limits.calls} calls{words}"
            if limits.tokens is not None and would_be.tokens > limits.tokens:
                return f"{limits.tokens} tokens{words}"
            if limits.usd is not None and (would_be.usd or 0.0) > limits.usd:
                return f"{limits.usd:.2f} USD{words}"
        return None

    def _limited(self, entry: dict[str, Any]) -> Iterator[tuple[Scope, Limits | BudgetSection, str]]:
        run, participant, agent = _scopes(entry)
        yield run, self._limits, ""
        yield participant, self._limits.participant, " a participant"
        if agent[1] in self._limits.agents:
            yield agent, self._limits.agents[agent[1]], f" of {agent[1]}"

    def _catch_up(self) -> None:
        """Add what others wrote since."""
        entries, self._read = self._journal.read_from(self._read)
        for entry in entries:
            spend = Spend(entry["usd"], entry["tokens"], entry["calls"])
            if "id" in entry:
                self._open[entry["id"]] = entry
                self._add(entry, spend)
            elif (reserved := self._open.pop(entry["settles"], None)) is not None:
                most = Spend(reserved["usd"], reserved["tokens"], reserved["calls"])
                self._add(reserved, spend - most)

    def _add(self, entry: dict[str, Any], spend: Spend) -> None:
        for scope in _scopes(entry):
            self._spent[scope] = self._spent.get(scope, NOTHING) + spend

    def _free_the_dead(self, lines: Lines) -> None:
        """Free what is set aside by processes that are no more."""
        holders = {entry["holder"] for entry in self._open.values()} - {JOB}
        dead = {holder for holder in holders if self._holder.is_dead(holder)}
        for reservation, entry in list(self._open.items()):
            if entry["holder"] in dead:
                lines.append({"settles": reservation, **asdict(NOTHING)})
        self._catch_up()


def settle_in(account: Path, reservation: str, spent: Spend) -> None:
    """Settle a reservation in the ledger it stands in, which may be that of an earlier run."""
    Journal(account).append({"settles": reservation, **asdict(spent)})


def _scopes(entry: dict[str, Any]) -> tuple[Scope, Scope, Scope]:
    return ("run", ""), ("participant", entry["participant_id"]), ("agent", entry["agent"])
