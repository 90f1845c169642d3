"""README.md of the folder ``shareable/``: what may be passed on, and what was done so that it may."""

from outputs.release_folder import ReleaseName
from outputs.release_readme import plain
from schemas.settings import Settings

_TEXT = """# {study}: tables that may be passed on
{made_up}
From release {name}. Everything else in the release is pseudonymous and stays under the study's own rules.

`shareable_percentiles.parquet` has percentiles of the study's participants, one value a participant and
metric: the median of their valid days in one window, their newest laboratory result, or their newest score.
Column `edition` says which edition a metric is of.

## What was done to protect people

- A group has at least 11 people: everybody, a sex, or an age group of a sex. Where the rest of a group would
  be fewer, the smallest group that is told joins it. So no sum or difference of groups is about fewer.
- A metric is renewed only where the new table and any earlier one, added and subtracted in any way, are about
  no fewer than 11 people. Until then the earlier one stays.
- `n` is rounded down to 5 and values are rounded. The smallest and the largest value of a group are never
  told, and no interval ends on one: a median needs 9 people, quartiles 18, the 10th and 90th 46, the 5th and
  95th 93.
- There is one window a metric, and nothing of single days.

## How to read it

A group that is not there has too few people, or would tell of a group that has. These are percentiles of
people who took part in a study, with the devices they wear; they are not those of a population.

> {study}. Percentiles, release {name}.
"""


def shareable_readme(name: ReleaseName, settings: Settings) -> str:
    """The text of shareable/README.md."""
    return _TEXT.format(
        study=plain(settings.study.name),
        name=name,
        made_up="\n**Made-up people.** No value is of a real person.\n" if settings.study.made_up else "",
    )
