"""Time and memory of reading lab reports, against bare pdfplumber on the same pages.

python benchmarks/labs.py [--people 2] [--files 200]

Bare is what any reader by positions must do: open, ``dedupe_chars(tolerance=1)``, ``extract_words`` and
close, page by page. CPU seconds of one process, the better of two rounds. Then one process reads ``--files``
files and tells how its memory grows after the first tenth of them. The bounds are those of the project: 1.5
times, flat.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pdfplumber

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from ingest.labs import ingest_labs  # noqa: E402
from ingest.labs.shown import source_of  # noqa: E402
from schemas.participant import Participant  # noqa: E402
from synthetic.labs.draws import reports_of  # noqa: E402
from synthetic.labs.files import lab_file, write_file  # noqa: E402
from synthetic.labs.layouts import LAYOUTS  # noqa: E402
from synthetic.people.persona import make_person  # noqa: E402

SECRET = b"of a benchmark"
SEED, DAYS = 5, 60
Case = tuple[str, Participant, Path]


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        cases = _made(Path(folder), options.people)
        print("| layout | files | bare, ms a file | read, ms a file | times |\n|---|---|---|---|---|")
        for layout in LAYOUTS:
            _tell(layout, [case for case in cases if case[0] == layout])
        _tell("all", cases)
        _tell_memory(cases, options.files)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=2)
    parser.add_argument("--files", type=int, default=200)
    return parser.parse_args()


def _made(folder: Path, people: int) -> list[Case]:
    cases: list[Case] = []
    for number in range(1, people + 1):
        person = make_person(number, DAYS, SEED)
        born = person.birth_date
        owner = Participant(
            person.participant_id, person.sex, born.year, "UTC", birth_date=born, name=person.name
        )
        for report in reports_of(person, DAYS, SEED, tuple(LAYOUTS), wide=True):
            file = lab_file(report)
            write_file(file, folder / person.participant_id)
            cases.append((report.layout, owner, folder / person.participant_id / file.name))
    return cases


def _tell(name: str, cases: Sequence[Case]) -> None:
    bare, read = (1000 * _seconds(do, cases) / len(cases) for do in (_bare, _read))
    print(f"| {name} | {len(cases)} | {bare:.0f} | {read:.0f} | {read / bare:.2f} |")


def _seconds(do: Callable[[Case], None], cases: Sequence[Case]) -> float:
    rounds: list[float] = []
    for _ in range(2):
        started = time.process_time()
        for case in cases:
            do(case)
        rounds.append(time.process_time() - started)
    return min(rounds)


def _bare(case: Case) -> None:
    with pdfplumber.open(case[2]) as pdf:
        for page in pdf.pages:
            page.dedupe_chars(tolerance=1).extract_words(x_tolerance=1.5, y_tolerance=1, extra_attrs=["size"])
            page.close()


def _read(case: Case) -> None:
    ingest_labs(case[1], [source_of(case[2])], SECRET)


def _tell_memory(cases: Sequence[Case], files: int) -> None:
    """Peak memory of this process after a tenth of the files and after all."""
    first = max(files // 10, len(cases))
    for n in range(first):
        _read(cases[n % len(cases)])
    before = _peak_mib()
    for n in range(first, files):
        _read(cases[n % len(cases)])
    print(f"\npeak memory: {before:.0f} MiB after {first} files, {_peak_mib():.0f} MiB after {files}")


def _peak_mib() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
