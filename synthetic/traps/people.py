"""Traps of whose it is: strangers' files, shared accounts, people enrolled twice, folders of nobody."""

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import polars as pl

from synthetic.exports.takeout.archives import write_zip
from synthetic.people.persona import Person
from synthetic.traps.answers import Answer, IdentityVerdict, Problems, Published, Verdict
from synthetic.traps.edits import leaving_out
from synthetic.traps.trap import (
    Answers,
    Frames,
    Life,
    Members,
    Pack,
    Trap,
    nothing,
    one_archive,
    tables_equal,
)

RULE = "identity is compared within and across participants"
PROFILE = r"/Profile\.csv$"
OF_ANOTHER = "from another phone.zip"
LATER = timedelta(days=1, hours=3)
OUTSIDE = 3


def _somebody_else(_: Person, drawn: Person) -> Person:
    """A second registered person with a life, an account and a folder of their own."""
    return drawn


def _enrolled_again(own: Person, drawn: Person) -> Person:
    return replace(own, participant_id=drawn.participant_id)


def _stranger_beside(*left_out: str) -> Pack:
    """Both have their own export; a copy of the companion's, zipped anew, lies in this folder too."""

    def packed(life: Life, members: Members, fitbit: Path) -> None:
        other = life.companion
        one_archive(life, members, fitbit)
        one_archive(other, other.members(), fitbit)
        without = leaving_out(*left_out)(other, other.members()) if left_out else other.members()
        write_zip(life.home(fitbit) / OF_ANOTHER, without, other.request.requested_utc + LATER)

    return packed


def _same_zip(life: Life, members: Members, fitbit: Path) -> None:
    other = life.companion
    one_archive(life, members, fitbit)
    one_archive(other, other.members(), fitbit)
    shutil.copyfile(other.home(fitbit) / other.archive, life.home(fitbit) / OF_ANOTHER)


def _one_account(*left_out: str) -> Pack:
    """Both folders hold an export of one account, asked for on different days."""

    def packed(life: Life, _: Members, fitbit: Path) -> None:
        second = replace(life.companion, recording=life.recording)
        later = second.of(life.recording, life.request.requested_utc + LATER)
        for each, home in ((life, life), (later, life.companion)):
            members = leaving_out(*left_out)(each, each.members()) if left_out else each.members()
            write_zip(home.home(fitbit) / each.archive, members, each.request.requested_utc)

    return packed


def _by_alias(life: Life, members: Members, fitbit: Path) -> None:
    one_archive(life, members, fitbit)
    assert life.person.alias
    life.home(fitbit).rename(fitbit / life.person.alias)


def _set_aside(verdict: IdentityVerdict) -> Answers:
    """The stranger's file is set aside under a verdict, and told under the code of that name."""

    def answers(life: Life) -> tuple[Answer, ...]:
        own = Verdict(life.archive, "matched")
        return tables_equal(life), own, Verdict(OF_ANOTHER, verdict), Problems((verdict,))

    return answers


def _all_aside(verdict: IdentityVerdict) -> Answers:
    return lambda life: (Verdict(life.archive, verdict), Problems((verdict,)), Published(None, None))


def _within_consent(person: Person) -> Person:
    """Consent begins after the first days with data and ends before the last ones."""
    first, last = person.first_day + timedelta(OUTSIDE), person.last_day - timedelta(OUTSIDE)
    return replace(person, consent_from=first, enrolled_on=first, consent_to=last)


def _rows_within(life: Life, frames: Frames) -> Frames:
    """Nights and exercises count by the day they belong to."""
    first, last = life.person.consent_from, life.person.consent_to
    day = {"activities": pl.col("start_time").dt.date()}
    return {
        name: frame.filter(day.get(name, pl.col("date")).is_between(first, last))
        for name, frame in frames.items()
    }


def _only_within(life: Life) -> tuple[Answer, ...]:
    return Published(life.person.consent_from, life.person.consent_to), Problems()


PEOPLE_TRAPS = (
    Trap(
        name="another_with_profile",
        what="Another participant's export lies in this folder, with its profile: the name tells.",
        known=RULE,
        companion=_somebody_else,
        pack=_stranger_beside(),
        answers=_set_aside("identity_mismatch"),
    ),
    Trap(
        name="another_without_profile",
        what="The same without the profile: equal heart rates and log ids in two people's folders tell.",
        known=RULE,
        companion=_somebody_else,
        pack=_stranger_beside(PROFILE),
        companion_truth=nothing,
        answers=_set_aside("overlap_conflict"),
    ),
    Trap(
        name="same_bytes_in_two_folders",
        what="Another participant's very archive lies in this folder too: whose it is can't be told, so both "
        "copies are set aside.",
        known=RULE,
        companion=_somebody_else,
        pack=_same_zip,
        companion_truth=nothing,
        answers=_set_aside("same_bytes"),
    ),
    Trap(
        name="two_people_on_one_account",
        what="Two people share one account and each sends its export, without a profile, on another "
        "day: the logs are the same.",
        known=RULE,
        companion=_somebody_else,
        pack=_one_account(PROFILE),
        truth=nothing,
        companion_truth=nothing,
        answers=_all_aside("overlap_conflict"),
    ),
    Trap(
        name="enrolled_twice",
        what="One person enrolled under two ids and sends the export for both, on different days.",
        known=RULE,
        companion=_enrolled_again,
        pack=_one_account(),
        truth=nothing,
        companion_truth=nothing,
        answers=_all_aside("account_shared"),
    ),
    Trap(
        name="folder_of_an_alias",
        what="The folder bears an older id of the person, which the registry knows.",
        known="re-consented participants",
        cast=lambda person: replace(person, alias=f"old_{person.number}"),
        pack=_by_alias,
    ),
    Trap(
        name="outside_the_consent",
        what="Data begin before the consent and go on after it: neither is published.",
        known="exports hold the whole life of an account",
        days=10,
        cast=_within_consent,
        truth=_rows_within,
        answers=_only_within,
    ),
)
