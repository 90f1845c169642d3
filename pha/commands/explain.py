"""pha explain CODE."""

import difflib
import re

import click

from schemas.errors import CODES, PhaError
from schemas.verdicts import EXPLAINED


@click.command()
@click.argument("code")
def command(code: str) -> None:
    """What CODE means: what happened, who acts, what to do. Verdicts on claims are explained too."""
    if code.lower() in EXPLAINED:
        kind, told = EXPLAINED[code.lower()]
        click.echo(f"{code.lower()}  ({kind})\n  What it means:  {told}")
        return
    found = CODES.get(code.lower())
    if found is None:
        near = difflib.get_close_matches(code.lower(), [*CODES, *EXPLAINED], n=1)
        raise PhaError("code_unknown", wrong=code, hint=f"; did you mean {near[0]}?" if near else "")
    lines = [
        f"{found.name}  ({found.severity})",
        f"  What happened:  {_readable(found.what)}",
        f"  Who acts:       {found.role}",
        f"  What to do:     {_readable(found.next_step)}",
    ]
    if found.message:
        lines.append(f"  Words to send:  {found.message}")
    if found.transient:
        lines.append("  It is tried again on the next run.")
    click.echo("\n".join(lines))


def _readable(text: str) -> str:
    """A code's text without the details of a case: a count or a name stands as an ellipsis."""
    return re.sub(r"\s*\{hint\}", "", re.sub(r"\{(?!hint)\w+\}", "…", text)).strip()
