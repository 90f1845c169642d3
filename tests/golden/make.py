"""Write the golden folder again after an intended change of results: ``make golden``.

Refuses while results changed and their RESULT_VERSION did not: a store would go on giving out the old ones.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from golden_record import FOLDER, RECORD, demand, read_record, record_of, samples_of, unannounced
from golden_study import make_results


def main() -> int:
    """Make the results, compare them with the record and write it."""
    with tempfile.TemporaryDirectory() as folder:
        results = make_results(Path(folder))
    now = record_of(results)
    if refused := unannounced(read_record(), now):
        print("\n".join(demand(stage, names) for stage, names in refused.items()), file=sys.stderr)
        return 1
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    files = {RECORD: json.dumps(now, indent=1) + "\n", **samples_of(results)}
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"wrote {len(files)} files to {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
