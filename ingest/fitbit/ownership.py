"""Whose the exports of one folder are: each against the registry, then against one another."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from ingest.fitbit.profile import Profile
from ingest.identity import Verdict, compare, contradiction, worse
from schemas.participant import Participant


@dataclass(frozen=True, slots=True)
class Claim:
    """What an export tells of its owner: profiles (one, unless people mixed), ids of logs and of devices.

    names_owner: whether its rows name the owner by an id of the study, None where they name nobody.
    """

    profiles: tuple[Profile, ...]
    logs: set[str]
    devices: set[str]
    names_owner: bool | None = None

    def __repr__(self) -> str:
        """Nothing of the person may reach a log."""
        return "Claim()"


def judge(claims: Sequence[Claim], participant: Participant) -> list[Verdict]:
    """A verdict for each export of a folder. An id of the study in its rows proves or disproves the owner.

    What the registry can't tell, the other exports may: one that contradicts the profile of a matched export
    is another person's; where none matched and two accounts contradict each other, nobody can say whose the
    folder is, and both are. One without a profile that shares a log or a device with a matched one is its
    owner's.
    """
    verdicts = [_by_registry(claim, participant) for claim in claims]
    matched = [claim for claim, verdict in zip(claims, verdicts, strict=True) if verdict.outcome == "matched"]
    unchecked = [claim for claim, verdict in zip(claims, verdicts, strict=True) if _is_open(verdict)]
    return [
        _among_others(claim, matched or unchecked, matched) if _is_open(verdict) else verdict
        for claim, verdict in zip(claims, verdicts, strict=True)
    ]


def _by_registry(claim: Claim, participant: Participant) -> Verdict:
    verdict = compare(None, participant)
    for number, profile in enumerate(claim.profiles):
        found = compare(profile.person, participant)
        verdict = found if number == 0 else worse(verdict, found)
    if claim.names_owner is False:
        return Verdict("identity_mismatch", ("participant id",))
    return Verdict("matched") if claim.names_owner and _is_open(verdict) else verdict


def _is_open(verdict: Verdict) -> bool:
    return verdict.outcome == "unchecked"


def _among_others(claim: Claim, sure: Sequence[Claim], matched: Sequence[Claim]) -> Verdict:
    for other in sure:
        if differing := _contradiction(claim, other):
            return Verdict("identity_mismatch", tuple(f"{name} (between exports)" for name in differing))
    own = not claim.profiles and any(
        claim.logs & other.logs or claim.devices & other.devices for other in matched
    )
    return Verdict("matched" if own else "unchecked")


def _contradiction(claim: Claim, other: Claim) -> tuple[str, ...]:
    for one, two in product(claim.profiles, other.profiles):
        if one.account != two.account and (differing := contradiction(one.person, two.person)):
            return differing
    return ()
