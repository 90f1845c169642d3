"""pha sent --participant ID."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pha.options import out_option
from pha.terminal import counted
from schemas.errors import PhaError

if TYPE_CHECKING:
    from health_agents.model.sent import Sending


@click.command()
@out_option
@click.option("--participant", "participant_id", required=True, help="About whom it was.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, with every body as it was sent.")
def command(out: Path, participant_id: str, as_json: bool) -> None:
    """Show what was sent to a language model about a participant, verbatim.

    Each time something was sent has its line: when, by which agent, to which model and address, whether it
    left this machine; then the whole body. A request that failed is there, too: it may have been read.
    """
    from health_agents.model import sent_of

    sendings = list(sent_of(out / "store" / "_answers", participant_id))
    if not sendings:
        _must_be_known(out / "store", participant_id)
    if as_json:
        click.echo(json.dumps([_as_json(one) for one in sendings], indent=2, ensure_ascii=False))
        return
    left = sum(one.left_machine for one in sendings)
    requests = counted(len(sendings), "request")
    click.echo(f"{participant_id}: {requests} to a model; {left:,} of them left this machine.")
    for one in sendings:
        click.echo(f"\n{_headline(one)}\n{_shown(one.body)}")


def _must_be_known(store: Path, participant_id: str) -> None:
    """Whom a run covered has pieces in the store; of others "nothing was sent" would be false comfort."""
    if not store.is_dir():
        raise PhaError("release_missing")
    if not any(piece.name == participant_id for stage in store.iterdir() for piece in stage.glob("*")):
        raise PhaError("participant_unknown", id=participant_id, hint=", or no run has covered them yet")


def _headline(one: "Sending") -> str:
    left = "left this machine" if one.left_machine else "stayed on this machine"
    return f"{one.at_utc}  {one.agent} -> {one.model}  {one.url}  {left}"


def _shown(body: bytes) -> str:
    """The body with its lines and letters as they are; what a terminal would act on is spelled out."""
    text = body.decode(errors="backslashreplace")
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def _as_json(one: "Sending") -> dict[str, Any]:
    told = {name: getattr(one, name) for name in type(one).__slots__ if name != "body"}
    return told | {"body": one.body.decode(errors="backslashreplace")}
