"""Edits of an export's members, one member in memory at a time."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from synthetic.exports.members import Member
from synthetic.exports.takeout.json_text import json_file, pretty
from synthetic.traps.trap import Edit, Life, Members

Records = list[dict[str, Any]]


def leaving_out(*patterns: str) -> Edit:
    """Without members whose path has one of the patterns."""
    unwanted = re.compile("|".join(patterns))
    return lambda _, members: (member for member in members if not unwanted.search(member.path))


def changing(pattern: str, change: Callable[[Life, bytes], bytes]) -> Edit:
    """With other bytes in members whose path has the pattern."""

    def edit(life: Life, members: Members) -> Iterator[Member]:
        for member in members:
            yield (
                Member(member.path, change(life, member.content))
                if re.search(pattern, member.path)
                else member
            )

    return edit


def changing_records(pattern: str, change: Callable[[Life, Records], Records]) -> Edit:
    """With other records in JSON members whose path has the pattern, printed as the vendor prints them."""

    def printed(life: Life, content: bytes) -> bytes:
        return json_file("", map(pretty, change(life, json.loads(content)))).content

    return changing(pattern, printed)


def adding(make: Callable[[Life], Iterable[Member]]) -> Edit:
    """With more members at the end."""

    def edit(life: Life, members: Members) -> Iterator[Member]:
        yield from members
        yield from make(life)

    return edit


def in_turn(*edits: Edit) -> Edit:
    """One edit after the other."""

    def edit(life: Life, members: Members) -> Members:
        for each in edits:
            members = each(life, members)
        return members

    return edit
