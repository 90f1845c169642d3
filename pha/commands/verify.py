"""pha verify RELEASE."""

from pathlib import Path

import click


@click.command()
@click.argument("release", type=click.Path(path_type=Path))
def command(release: Path) -> int:
    """Check RELEASE from its own files: digests, counts, schemas, references, claims. 0 when all holds.

    Of an OUT the newest release is checked.
    """
    from outputs.verify import verify_release
    from schemas.errors import PhaError

    if (release / "latest").is_dir():
        release = (release / "latest").resolve()
    if not (release / "run.json").is_file() and not (release / "datapackage.json").is_file():
        raise PhaError("release_missing")
    problems = verify_release(release)
    for problem in problems:
        click.echo(f"{problem.code}: {problem.what}")
    click.echo(f"problems: {len(problems)}" if problems else "all holds")
    return 1 if problems else 0
