"""docs/commands.md: every command with its options, from the commands themselves."""

import inspect
import re
from collections.abc import Iterator

import click

from pha.cli import cli
from pha.markdown import code, page, table

Told = tuple[str, click.Command, click.Context]


def commands_page() -> str:
    """The page's text."""
    (_, root, _), *below = all_commands(cli, "pha")
    contents = table(
        ["command", "what it does"],
        (
            [f"[`{name}`](#{name.replace(' ', '-')})", command.get_short_help_str(200)]
            for name, command, _ in below
        ),
    )
    return page("Commands", _prose(root), contents, *map(_section, below))


def all_commands(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[Told]:
    """A command and all below it, each with its full name and the context it would run in."""
    context = click.Context(command, info_name=name.split()[-1], parent=parent)
    yield name, command, context
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            if found is not None:
                yield from all_commands(found, f"{name} {child}", context)


def _section(told: Told) -> str:
    name, command, context = told
    options = [option for option in command.params if isinstance(option, click.Option)]
    records = [record for option in options if (record := option.get_help_record(context))]
    parts = [f"## {name}", f"```\n{_usage(command, context)}\n```", _prose(command)]
    if records:
        parts.append(table(["option", "meaning"], ([code(names), about] for names, about in records)))
    return "\n\n".join(parts)


def _usage(command: click.Command, context: click.Context) -> str:
    return " ".join([context.command_path, *command.collect_usage_pieces(context)])


def _prose(command: click.Command) -> str:
    """The help text; a part that keeps its lines (click's mark \\\b) becomes a block of code."""
    parts = re.split(r"\n\s*\n", inspect.cleandoc(command.help or ""))
    return "\n\n".join(_part(part) for part in parts)


def _part(text: str) -> str:
    kept = text.removeprefix("\b\n")
    return text if kept == text else f"```\n{kept}\n```"
