"""Reference pages of ``docs/`` that are generated, so that they cannot go stale.

``python -m pha.docs_pages`` writes them; ``--check`` fails when one differs from what the code says.
"""

from collections.abc import Callable
from pathlib import Path

import click

from ingest.fitbit.declared import with_declared
from outputs.findings.rule_list import with_rules
from pha.codes_page import codes_page
from pha.commands_page import commands_page
from pha.data_dictionary import data_dictionary
from pha.made_study_plots import marginals_picture, week_picture
from pha.settings_page import settings_page
from pha.traps_page import traps_page

DOCS = Path(__file__).parent.parent / "docs"
MEND = "make docs"


def findings_page() -> str:
    """docs/findings.md with its list of rules as they are declared; the rest is written by hand."""
    return with_rules((DOCS / "findings.md").read_text(encoding="utf-8"))


def exports_page() -> str:
    """docs/exports.md with its tables of kinds and measures as they are declared."""
    return with_declared((DOCS / "exports.md").read_text(encoding="utf-8"))


PAGES: dict[str, Callable[[], str]] = {
    "data_dictionary.md": data_dictionary,
    "codes.md": codes_page,
    "settings.md": settings_page,
    "commands.md": commands_page,
    "findings.md": findings_page,
    "made_traps.md": traps_page,
    "exports.md": exports_page,
    "figures/made_week.svg": week_picture,
    "figures/made_marginals.svg": marginals_picture,
}


def write_pages(folder: Path) -> None:
    """Write every generated page."""
    for name, page in PAGES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(page(), encoding="utf-8")


def stale_pages(folder: Path) -> list[str]:
    """Names of pages that are missing or differ from what the code says."""
    return [name for name, page in PAGES.items() if _read(folder / name) != page()]


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


@click.command()
@click.option("--check", is_flag=True, help="Only fail when a page is stale.")
@click.option("--folder", type=click.Path(path_type=Path, exists=True, file_okay=False), default=DOCS)
def main(check: bool, folder: Path) -> None:
    """Write the generated pages of docs/."""
    if not check:
        write_pages(folder)
    elif stale := stale_pages(folder):
        raise click.ClickException(f"stale: {', '.join(stale)}. Mend it with: {MEND}")


if __name__ == "__main__":
    main()
