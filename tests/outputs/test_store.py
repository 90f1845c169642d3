"""The store: done means that the record is there; the first writer wins; failures are remembered."""

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest
from store_worker import metric

from outputs.digests import file_sha256
from outputs.store import Piece, Result, Store
from schemas.errors import CODES, PhaError
from schemas.table import conform
from schemas.tables import TABLES

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
PERMANENT = next(code.name for code in CODES.values() if code.scope == "input" and not code.transient)
TRANSIENT = next(code.name for code in CODES.values() if code.scope == "input" and code.transient)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "out" / "store")


def made(label: str = "one") -> Result:
    return Result(tables={"metrics": metric(label)}, document={"writer": label})


def fails(code: str) -> Callable[[], Result]:
    def make() -> Result:
        raise PhaError(code)

    return make


def never() -> Result:
    raise AssertionError("work that was done must not be done again")


# ---- what is kept ----


def test_a_piece_is_found_as_it_was_put(store: Store) -> None:
    piece = store.put("stage", "P1", "key", made(), seconds=1.23456)
    assert store.find("stage", "P1", "key") == piece
    assert (piece.state, piece.document, piece.seconds) == ("done", {"writer": "one"}, 1.235)


def test_its_files_are_named_by_stage_owner_key_and_table(store: Store) -> None:
    piece = store.put("stage", "P1", "key", made())
    folder = store.root / "stage" / "P1"
    assert store.table_path(piece, "metrics") == folder / "key.metrics.parquet"
    assert store.table_path(piece, "facts") is None
    assert {path.name for path in folder.iterdir()} == {".lock", "key.json", "key.metrics.parquet"}


def test_the_record_holds_the_digests_of_its_tables(store: Store) -> None:
    piece = store.put("stage", "P1", "key", made())
    assert piece.tables == {"metrics": file_sha256(store.root / "stage" / "P1" / "key.metrics.parquet")}


def test_the_result_digest_is_of_tables_and_document_alone(store: Store) -> None:
    one = store.put("stage", "P1", "key", made(), seconds=1)
    same = store.put("stage", "P2", "other", made(), seconds=2)
    document = store.put(
        "stage", "P3", "key", Result(tables={"metrics": metric("one")}, document={"writer": "two"})
    )
    table = store.put(
        "stage", "P4", "key", Result(tables={"metrics": metric("two")}, document={"writer": "one"})
    )
    assert one.result_digest == same.result_digest
    assert len({one.result_digest, document.result_digest, table.result_digest}) == 3


def test_another_key_is_another_piece(store: Store) -> None:
    store.put("stage", "P1", "key", made("one"))
    store.put("stage", "P1", "key2", made("two"))
    assert store.find("stage", "P1", "key3") is None
    found = [store.find("stage", "P1", key) for key in ("key", "key2")]
    assert [piece.document["writer"] for piece in found if piece] == ["one", "two"]


def test_rows_of_many_pieces_are_scanned_together(store: Store) -> None:
    pieces = [store.put("stage", owner, "key", made(owner)) for owner in ("P1", "P2")]
    bare = store.put("stage", "P3", "key", Result())
    assert store.scan([*pieces, bare], "metrics").collect()["label"].sort().to_list() == ["P1", "P2"]
    assert store.scan([bare], "metrics").collect().is_empty()


def test_private_names_lie_apart_for_the_owner_only(store: Store) -> None:
    store.put("stage", "P1", "key", Result(private={"file1": "Anna's watch.zip"}))
    private = store.root.parent / "private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert json.loads((private / "stage" / "P1" / "key.json").read_bytes()) == {"file1": "Anna's watch.zip"}
    assert not [path for path in store.root.rglob("*") if path.is_file() and b"Anna" in path.read_bytes()]


# ---- once ----


def test_work_is_done_once(store: Store) -> None:
    assert not store.get_or_make("stage", "P1", "key", made).reused
    again = store.get_or_make("stage", "P1", "key", never)
    assert again.reused
    assert again.piece.document == {"writer": "one"}


def test_the_first_result_stays(store: Store) -> None:
    first = store.put("stage", "P1", "key", made("one"))
    assert store.put("stage", "P1", "key", made("two")) == first
    path = store.table_path(first, "metrics")
    assert path is not None
    assert pl.read_parquet(path)["label"].to_list() == ["one"]
    assert file_sha256(path) == first.tables["metrics"]


def whole(store: Store) -> Piece:
    """The piece, after looking that record and tables are of one writer."""
    piece = store.find("stage", "P1", "key")
    assert piece is not None
    path = store.table_path(piece, "metrics")
    assert path is not None
    assert pl.read_parquet(path)["label"].to_list() == [piece.document["writer"]]
    assert file_sha256(path) == piece.tables["metrics"]
    return piece


def test_of_many_processes_one_wins_and_all_get_its_piece(store: Store, tmp_path: Path) -> None:
    start = tmp_path / "start"
    command = [sys.executable, str(HERE / "store_worker.py"), "race", str(store.root)]
    writers = [
        subprocess.Popen(
            [*command, f"writer{number}", str(start)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=HERE.parents[1],
            env={"PYTHONPATH": str(HERE.parents[1])},
        )
        for number in range(4)
    ]
    start.touch()
    told = {writer.communicate()[0] for writer in writers}
    piece = whole(store)
    assert told == {f"{piece.document['writer']} {piece.result_digest}\n"}


def test_of_many_threads_one_wins_and_all_get_its_piece(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        pieces = list(pool.map(lambda number: store.put("stage", "P1", "key", made(f"w{number}")), range(24)))
    assert pieces == [whole(store)] * 24


# ---- killed ----


def kill_before_the_record(store: Store) -> None:
    killed = subprocess.run(
        [sys.executable, str(HERE / "store_worker.py"), "die", str(store.root)],
        check=False,
        cwd=HERE.parents[1],
        env={"PYTHONPATH": str(HERE.parents[1])},
    )
    assert killed.returncode == 9


def test_killed_between_table_and_record_nothing_is_done(store: Store) -> None:
    kill_before_the_record(store)
    assert (store.root / "stage" / "P1" / "key.metrics.parquet").is_file()
    assert store.find("stage", "P1", "key") is None


def test_after_a_kill_the_work_is_done_anew_and_whole(store: Store) -> None:
    kill_before_the_record(store)
    assert not store.get_or_make("stage", "P1", "key", made).reused
    assert whole(store).document == {"writer": "one"}


def test_a_fault_while_writing_leaves_no_half_file(store: Store) -> None:
    wrong = Result(tables={"metrics": metric("one").with_columns(decimals=pl.lit("many"))})
    with pytest.raises(pl.exceptions.InvalidOperationError):
        store.put("stage", "P1", "key", wrong)
    assert [path.name for path in (store.root / "stage" / "P1").iterdir()] == [".lock"]


# ---- failures ----


def test_a_permanent_failure_is_remembered_and_not_tried_again(store: Store) -> None:
    failed = store.get_or_make("stage", "P1", "key", fails(PERMANENT))
    assert (failed.piece.state, failed.piece.code, failed.reused) == ("failed", PERMANENT, False)
    assert failed.piece.result_digest == PERMANENT
    assert store.get_or_make("stage", "P1", "key", never).reused


def test_a_transient_failure_is_tried_again(store: Store) -> None:
    assert store.get_or_make("stage", "P1", "key", fails(TRANSIENT)).piece.transient
    mended = store.get_or_make("stage", "P1", "key", made)
    assert (mended.piece.state, mended.reused) == ("done", False)
    assert store.get_or_make("stage", "P1", "key", never).reused


def test_a_transient_failure_may_become_a_permanent_one(store: Store) -> None:
    store.get_or_make("stage", "P1", "key", fails(TRANSIENT))
    assert store.get_or_make("stage", "P1", "key", fails(PERMANENT)).piece.code == PERMANENT


@pytest.mark.parametrize("code", [PERMANENT, TRANSIENT])
def test_a_failure_never_replaces_a_result(store: Store, code: str) -> None:
    done = store.put("stage", "P1", "key", made())
    assert store.put_failure("stage", "P1", "key", PhaError(code)) == done
    assert store.find("stage", "P1", "key") == done


def test_a_fault_of_use_is_not_kept(store: Store) -> None:
    usage = next(code.name for code in CODES.values() if code.scope == "usage")
    with pytest.raises(PhaError):
        store.get_or_make("stage", "P1", "key", fails(usage))
    assert store.find("stage", "P1", "key") is None


def test_a_failure_holds_the_safe_text_of_its_code(store: Store) -> None:
    piece = store.put_failure("stage", "P1", "key", PhaError(PERMANENT))
    assert piece.what == PhaError(PERMANENT).what
    assert json.loads((store.root / "stage" / "P1" / "key.json").read_bytes())["what"] == piece.what


def test_when_things_ran_is_no_part_of_what_came_out(tmp_path: Path) -> None:
    """model_calls holds latencies: two makings of one text are equal work."""

    def made(latency: float) -> str:
        call = {
            "call_id": "c", "participant_id": "P1", "agent": "a", "model": "m", "left_machine": False,
            "latency_seconds": latency, "request_digest": "d", "cached": False, "outcome": "answered",
        }  # fmt: skip
        calls = conform(pl.LazyFrame([call]), TABLES["model_calls"])
        piece = Store(tmp_path / str(latency)).put("summaries", "P1", "k", Result({"model_calls": calls}))
        return piece.result_digest

    assert made(0.5) == made(1.5)
