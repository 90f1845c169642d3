"""pha explain CODE."""

import difflib

import click

from schemas.errors import CODES, PhaError


@click.command()
@click.argument("code")
def command(code: str) -> None:
    """What CODE means: what happened, who acts, what to do."""
    found = CODES.get(code)
    if found is None:
        near = difflib.get_close_matches(code, CODES, n=1)
        raise PhaError("code_unknown", wrong=code, hint=f"; did you mean {near[0]}?" if near else "")
    lines = [
        f"{found.name}  ({found.severity})",
        f"  What happened:  {found.what}",
        f"  Who acts:       {found.role}",
        f"  What to do:     {found.next_step}",
    ]
    if found.message:
        lines.append(f"  Words to send:  {found.message}")
    if found.transient:
        lines.append("  It is tried again on the next run.")
    click.echo("\n".join(lines))
