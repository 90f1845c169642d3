"""How right lab reports are read: printed results of layouts against their truth, with every kind of failure.

Run: python benchmarks/lab_layouts.py [LAYOUT ...] [--results 2000] [--seed 5] [--samples FOLDER]
     python benchmarks/lab_layouts.py --folder DIR      reports with their truth beside them (lab_folder.py)
     python benchmarks/lab_layouts.py LAYOUT --write DIR     made reports in that form
Without a layout: all made ones, the composed ones, then the held-out ones. About 0.2 s a page.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from scipy.stats import beta

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.lab_folder import labelled_reports, layouts_in, write_report
from benchmarks.lab_matching import Row, Score, add_report
from benchmarks.lab_samples import sample_reports
from ingest.labs import ingest_labs
from ingest.source_file import SourceFile
from schemas.participant import Participant
from synthetic.labs.composed import COMPOSED, composed_reports
from synthetic.labs.draws import reports_of
from synthetic.labs.files import lab_file
from synthetic.labs.held_out import HELD_OUT, held_out_reports
from synthetic.labs.layouts import LAYOUTS
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person, make_person

DAYS = 400
SECRET = b"a benchmark's secret"
MISPLACED = 10
SHOWN_EXAMPLES = 12
CONFIDENCE = 0.95
HEADER = (
    "| layout | reports | printed | accepted right | in review | missed | WRONG | wrong at most (95 %) | "
    "other person's rows |\n|---|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True, slots=True)
class Read:
    accepted: Sequence[Row]
    review: Sequence[Row]
    problems: list[str]


def read(content: bytes, participant: Participant) -> Read:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.pdf"
        path.write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        result = ingest_labs(participant, [SourceFile(path, path.name, len(content), digest)], SECRET)
    tables = {name: result.tables[name].lazy().collect() for name in ("lab_results", "lab_review")}
    return Read(
        accepted=tables["lab_results"].filter(~pl.col("derived")).to_dicts(),
        review=tables["lab_review"].to_dicts(),
        problems=[problem["code"] for problem in result.document["problems"]],
    )


def registered(person: Person) -> Participant:
    born = person.birth_date
    return Participant(person.participant_id, person.sex, born.year, "UTC", birth_date=born, name=person.name)


def made_reports(layout: str, seed: int) -> Iterator[tuple[Person, LabFile]]:
    """A report a person, for as many people as are asked for; a made layout's is wide."""
    for number in count():
        person = make_person(number, DAYS, seed)
        if layout in HELD_OUT:
            yield person, next(held_out_reports(layout, [person], seed))
        elif layout in COMPOSED:
            yield person, next(composed_reports(layout, [person], seed))
        else:
            yield person, lab_file(reports_of(person, DAYS, seed, (layout,), wide=True)[0])


def score_layout(layout: str, results: int, seed: int) -> Score:
    """Over the first people whose reports hold so many results; ten reports also lie with a stranger."""
    score = Score()
    for person, file in made_reports(layout, seed):
        got = read(file.content, registered(person))
        add_report(score, file.rows.to_dicts(), got.accepted, got.review)
        score.reasons.update(got.problems)
        if score.reports <= MISPLACED:
            stranger = registered(make_person(person.number + 1, DAYS, seed))
            score.of_another += len(read(file.content, stranger).accepted)
        if score.printed >= results:
            return score
    raise AssertionError("people never end")


def score_folder(paths: list[Path]) -> Score:
    """Over all reports of a folder; the first ten also lie with somebody else."""
    score = Score()
    stranger = registered(make_person(0, DAYS, 1))
    for owner, content, truth in labelled_reports(paths):
        got = read(content, owner)
        add_report(score, truth, got.accepted, got.review)
        score.reasons.update(got.problems)
        if score.reports <= MISPLACED:
            score.of_another += len(read(content, stranger).accepted)
    return score


def write_layout(layout: str, results: int, seed: int, folder: Path) -> None:
    """As many made reports of a layout as hold so many results."""
    printed = 0
    for person, file in made_reports(layout, seed):
        rows: list[Row] = [dict(row) for row in file.rows.to_dicts()]
        write_report(folder / layout, registered(person), file.name, file.content, rows)
        printed += len(rows)
        if printed >= results:
            return


def score_samples(folder: Path) -> Score:
    score = Score()
    for participant, content, truth in sample_reports(folder):
        got = read(content, participant)
        add_report(score, truth, got.accepted, got.review)
        score.reasons.update(got.problems)
    return score


def most_wrong(score: Score) -> float:
    """Clopper-Pearson: the share of wrong among accepted rows that 95 % confidence does not exceed."""
    wrong = score.wrong.total()
    return 1.0 if wrong == score.accepted else float(beta.ppf(CONFIDENCE, wrong + 1, score.accepted - wrong))


def line_of(name: str, score: Score) -> str:
    def share(number: int) -> str:
        return f"{number} ({number / max(score.printed, 1):.2%})"

    cells: list[Any] = [name, score.reports, score.printed, share(score.right), share(score.in_review)]
    bound = f"{most_wrong(score):.3%}" if score.accepted else "none accepted"
    cells += [share(score.missed), score.wrong.total(), bound, score.of_another]
    return f"| {' | '.join(map(str, cells))} |"


def print_details(name: str, score: Score) -> None:
    print(f"\n{name}: accepted {score.accepted}, repeated {score.repeated}, noise in review {score.noise}")
    for title in ("wrong", "unlike", "reasons"):
        counted = getattr(score, title).most_common()
        if counted:
            print(f"  {title}: " + ", ".join(f"{kind} {number}" for kind, number in counted))
    for example in sorted(set(score.examples), reverse=True)[:SHOWN_EXAMPLES]:
        print(f"  {example}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("layouts", nargs="*", metavar="LAYOUT")
    parser.add_argument("--results", type=int, default=2000, help="printed results a layout")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--samples", type=Path, help="labelled reports: FOLDER/synthetic, FOLDER/public")
    parser.add_argument("--folder", type=Path, help="reports with their truth: NAME.pdf and NAME.json")
    parser.add_argument("--write", type=Path, help="write made reports into this folder and read none")
    options = parser.parse_args()
    if unknown := set(options.layouts) - {*LAYOUTS, *COMPOSED, *HELD_OUT}:
        parser.error(f"no such layout: {', '.join(sorted(unknown))}")
    given = options.samples or options.folder
    chosen = options.layouts or ([] if given else [*LAYOUTS, *COMPOSED, *HELD_OUT])
    if options.write:
        for layout in chosen:
            write_layout(layout, options.results, options.seed, options.write)
        return
    scores: dict[str, Score] = {}
    print(HEADER, flush=True)
    for layout in chosen:
        scores[layout] = score_layout(layout, options.results, options.seed)
        print(line_of(layout, scores[layout]), flush=True)
    for layout, paths in layouts_in(options.folder).items() if options.folder else ():
        scores[layout] = score_folder(paths)
        print(line_of(layout, scores[layout]), flush=True)
    if options.samples:
        scores["samples"] = score_samples(options.samples)
        print(line_of("samples", scores["samples"]), flush=True)
    for name, score in scores.items():
        print_details(name, score)


if __name__ == "__main__":
    main()
