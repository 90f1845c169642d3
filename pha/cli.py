"""The command ``pha``. Each command is a module of pha/commands, imported only when it is called."""

import importlib
import os
import sys
from collections.abc import Sequence

import click

from schemas.errors import PhaError
from tasks.faults import as_coded

COMMANDS = {
    "demo": "A made study through the whole main job.",
    "run": "The main job: exports to a full release.",
    "ingest": "Up to the core tables, alerts and the board.",
    "init": "A new study folder.",
    "check": "What a run would do and what is wrong; writes nothing.",
    "inspect": "What was sent, what looks wrong and what to ask, in plain words.",
    "status": "Who needs attention, why, and what to do next.",
    "labs": "Look at what was read of a lab report.",
    "decide": "Acknowledge, snooze, accept, correct or sign off.",
    "trace": "From a fact back to the files a participant sent.",
    "diff": "What changed from one release to another, and why.",
    "verify": "Check a release from its own files.",
    "sent": "What was sent to a language model about a participant, verbatim.",
    "sandbox": "Run an analysis program on a participant's data.",
    "evaluate": "How good the agents are, by benchmarks with intervals.",
    "synthesize": "A made study alone, with its truth.",
    "explain": "What a code means, who acts and how.",
    "doctor": "What works on this machine, and the remedy for what doesn't.",
}


class _LazyGroup(click.Group):
    """Loads a command's module when the command is called, so that help is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return importlib.import_module(f"pha.commands.{cmd_name}").command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="pha-cohort", prog_name="pha")
def cli() -> None:
    """From wearable exports, surveys and lab reports of a cohort to checked tables and summaries.

    \b
    Try it:        pha demo
    Your study:    pha init STUDY, then pha check STUDY, then pha run STUDY
    Every Monday:  pha status

    Exit codes: 0 done; 1 the run could not be made; 2 wrong use or settings; 3 done, and something needs
    attention that did not at the last release.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: a fault is shown as a coded text; PHA_TRACEBACK=1 shows where it came from."""
    try:
        code = cli.main(args=list(arguments) if arguments is not None else None, standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(1)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except Exception as error:
        if os.environ.get("PHA_TRACEBACK"):
            raise
        sys.exit(_show(as_coded(error)))
    sys.exit(code if isinstance(code, int) else 0)


def _show(error: PhaError) -> int:
    """Tell a coded fault; returns the exit code."""
    click.echo(f"error: {error}", err=True)
    click.echo(f"  next: {error.next_step}\n  more: pha explain {error.code.name}", err=True)
    return 2 if error.code.scope == "usage" else 1
