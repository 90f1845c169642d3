"""pha verify RELEASE."""

from pathlib import Path

import click


@click.command()
@click.argument("release", type=click.Path(path_type=Path))
def command(release: Path) -> int:
    """Check RELEASE from its own files: digests, counts, schemas, references, claims. 0 when all holds."""
    from outputs.verify import verify_release
    from schemas.errors import PhaError

    if not release.is_dir():
        raise PhaError("release_missing")
    problems = verify_release(release)
    for problem in problems:
        click.echo(f"{problem.code}: {problem.what}")
    click.echo(f"problems: {len(problems)}" if problems else "all holds")
    return 1 if problems else 0
