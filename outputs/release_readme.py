"""README.md of a release: what it is, how to read it, how to cite it, and its limits."""

from outputs.release_folder import ReleaseName
from schemas.settings import Settings

_TEXT = """# {study}: release {name}
{made_up}
A fixed copy of the study's data as of {as_of} ({kind}). Nothing in this folder changes; `pha verify` on it
proves that nothing did.

| where | what |
|---|---|
| `tables/` | the tables, as Parquet; `heart_rate_minutes/` and `steps_minutes/` hold one file a participant |
{shareable}| `datapackage.json` | every table, column, type, unit and description, with digests |
| `data_docs/index.html` | the checks this release passed |
| `reports/` | pages for people |
| `run.json` | settings, versions, counts, digests and cost of the run |

## Reading it

Python, with this project installed:

```python
import pha
release = pha.open_release("{name}")
release.scan("daily_summary").filter(day_state="worn").collect()
release.describe("daily_summary")
```

Polars, pandas, DuckDB and R read the files alike:

```python
import polars as pl
pl.scan_parquet("tables/daily_summary.parquet")
pl.scan_parquet("tables/heart_rate_minutes/*.parquet")
```

```python
import pandas as pd
pd.read_parquet("tables/daily_summary.parquet")
```

```sql
SELECT participant_id, median(steps) FROM 'tables/daily_summary.parquet' WHERE valid_day GROUP BY 1;
```

```r
library(arrow)
daily <- read_parquet("tables/daily_summary.parquet")
minutes <- open_dataset("tables/heart_rate_minutes")
```

Columns that end in `_utc` are instants in UTC; other times are the participant's local clock, without a zone.

## Citing it

> {study}. Release {name}, as of {as_of}{edition}.

The run id, the last part of the name, stands for everything the release was made from.

## Limits

- The tables are pseudonymous, not anonymous: pass them on only under the study's own rules. What may be
  passed on stands in `shareable/`, with what was done so that it may.
- Percentiles are of this study's cohort or of the reference named beside them, not of the general public.
- Findings and texts are prompts for a clinician, never a diagnosis; a text is a draft until it is signed.
- A missing value on a worn day means that the device gave none. It is never zero.
"""


_SHAREABLE = "| `shareable/` | percentiles under disclosure control, which may be passed on |\n"


def readme(name: ReleaseName, settings: Settings, edition: str | None) -> str:
    """The text of README.md."""
    return _TEXT.format(
        study=plain(settings.study.name),
        name=name,
        as_of=name.as_of.isoformat(),
        shareable=_SHAREABLE if name.kind == "full" else "",
        kind="all tables" if name.kind == "full" else "core tables only",
        made_up="\n**Made-up people.** No row is of a real person.\n" if settings.study.made_up else "",
        edition=f", percentile edition {edition}" if edition else "",
    )


def plain(text: str) -> str:
    """A study's name on one line, with what Markdown or HTML would read as a mark taken literally."""
    return "".join(f"\\{mark}" if mark in "\\`*_[]<>#|" else mark for mark in " ".join(text.split()))
