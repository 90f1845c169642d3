"""Editions are pinned, and texts are written again only when their facts change."""

from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest
from small_study import TOML, Ingested, order_of, write_study

from outputs.store import COHORT, Piece
from schemas.errors import PhaError
from schemas.table import conform
from schemas.tables import TABLES
from tasks.agents import (
    insight_tables,
    insights_one,
    isolation,
    summary_one,
    told_population,
    whole_dossier,
)
from tasks.core import core_one, piece_of
from tasks.ingest import ingest_one
from tasks.ledger import Keys, LedgerRow, keys_of
from tasks.order import Order
from tasks.population import dossier_batch, make_edition, newest_edition, population_pieces, reference_of
from tasks.workspace import Workspace

# After the last day with data: only the calendar goes on.
DAY, NEXT_DAY = "2026-07-01", "2026-07-02"


pytestmark = pytest.mark.slow


class Cohort(NamedTuple):
    """Two people up to their dossiers."""

    workspace: Workspace
    order: Order
    rows: list[LedgerRow]

    @property
    def keys(self) -> Keys:
        return keys_of(self.rows)

    def piece(self, stage: str, owner: str) -> Piece:
        found = piece_of(self.workspace, self.keys, stage, owner)
        assert found is not None
        return found


def on(run: Ingested, day: str) -> Cohort:
    """The made study up to its dossiers, as of a day."""
    order: Order = {**run.order, "as_of": day}
    rows = [*run.rows, *(core_one(run.workspace, order, keys_of(run.rows), name) for name in run.ids)]
    rows += make_edition.fn(order, keys_of(rows))
    return Cohort(run.workspace, order, rows + dossier_batch.fn(run.ids, order, keys_of(rows)))


def cohort(study: Path, day: str, only: list[str] | None = None) -> Cohort:
    """A small study without a file, up to its edition."""
    order, workspace = order_of(study, date.fromisoformat(day), only)
    rows = [row for name in ("P1", "P2", "P3") for row in ingest_one(order, name)]
    rows += [core_one(workspace, order, keys_of(rows), name) for name in ("P1", "P2", "P3") if name != "P3"]
    return Cohort(workspace, order, rows + make_edition.fn(order, keys_of(rows)))


def edition(made: Cohort) -> str:
    return str(made.piece("edition", COHORT).document["edition"])


def seen_by_programs(made: Cohort) -> dict[str, pl.DataFrame]:
    pieces = (made.piece(*of) for of in (("core", "P001"), ("dossier", "P001"), ("edition", COHORT)))
    return insight_tables(made.workspace, *pieces)


class TestEdition:
    def test_that_of_the_month_is_kept_all_month(self, study: Path) -> None:
        first, later = cohort(study, "2026-06-02"), cohort(study, "2026-06-30")
        assert edition(first) == edition(later) == "2026-06"
        assert (first.rows[-1]["state"], later.rows[-1]["state"]) == ("done", "reused")
        assert edition(cohort(study, "2026-07-01")) == "2026-07"

    def test_every_run_may_have_its_own(self, tmp_path: Path) -> None:
        study = write_study(tmp_path / "study", TOML + '[percentiles]\nrefresh = "every_run"\n')
        assert edition(cohort(study, "2026-06-02")) == "2026-06-02"
        assert edition(cohort(study, "2026-06-03")) == "2026-06-03"

    def test_one_kept_by_hand_stays_whatever_its_age(self, tmp_path: Path) -> None:
        study = write_study(tmp_path / "study", TOML + '[percentiles]\nrefresh = "manual"\n')
        assert edition(cohort(study, "2026-06-02")) == "2026-06-02"
        assert edition(cohort(study, "2026-09-09")) == "2026-06-02"

    def test_it_is_partial_while_somebody_is_pending(self, study: Path) -> None:
        part = cohort(study, "2026-06-02", only=["P1"])
        assert edition(part).startswith("partial-")
        assert newest_edition(part.workspace) is None
        assert edition(cohort(study, "2026-06-03")) == "2026-06"

    def test_a_partial_one_never_stands_in_for_the_months(self, study: Path) -> None:
        whole = cohort(study, "2026-06-02")
        cohort(study, "2026-06-03", only=["P1"])
        assert newest_edition(whole.workspace) == "2026-06"

    def test_withdrawn_people_are_neither_waited_for_nor_counted(self, study: Path) -> None:
        made = cohort(study, "2026-06-02")
        assert not edition(made).startswith("partial-")
        assert "P3" not in [piece.owner for piece in population_pieces(made.workspace, made.keys)]

    def test_values_are_those_of_everybody(self, ingested: Ingested) -> None:
        made = on(ingested, DAY)
        values = made.workspace.store.scan([made.piece("edition", COHORT)], "person_values").collect()
        assert values["participant_id"].unique().sort().to_list() == ingested.ids
        assert made.piece("edition", COHORT).document["people"] == len(ingested.ids)

    def test_the_reference_population_stands_beside_the_cohort(self, ingested: Ingested) -> None:
        made, peers = on(ingested, DAY), reference_of(ingested.workspace)
        assert peers is not None
        editions = made.workspace.store.scan(
            [made.piece("edition", COHORT)], "population_percentiles"
        ).collect()
        assert set(editions["edition"]) == {edition(made), peers.edition}

    def test_a_reference_that_is_not_there_stops_the_run(self, tmp_path: Path) -> None:
        study = write_study(tmp_path / "study", TOML + '[percentiles]\nreference = "peers.parquet"\n')
        with pytest.raises(PhaError, match="reference_invalid") as fault:
            cohort(study, "2026-06-02")
        assert fault.value.code.scope == "usage"
        assert str(tmp_path) not in str(fault.value)

    def test_a_reference_that_is_no_table_stops_the_run(self, tmp_path: Path) -> None:
        study = write_study(tmp_path / "study", TOML + '[percentiles]\nreference = "peers.parquet"\n')
        (study / "peers.parquet").write_bytes(b"no table")
        with pytest.raises(PhaError, match="reference_invalid"):
            cohort(study, "2026-06-02")

    def test_without_one_there_is_none(self, study: Path) -> None:
        assert reference_of(order_of(study)[1]) is None


class TestDossier:
    def test_it_is_made_once_for_an_as_of(self, ingested: Ingested) -> None:
        on(ingested, DAY)
        assert {row["state"] for row in on(ingested, DAY).rows if row["stage"] == "dossier"} == {"reused"}

    def test_someone_without_core_tables_is_pending(self, ingested: Ingested) -> None:
        made = on(ingested, DAY)
        keys = {**made.keys, "core": {"P001": made.keys["core"]["P001"]}}
        rows = dossier_batch.fn(ingested.ids, made.order, keys)
        assert [row["state"] for row in rows] == ["reused", "pending"]

    def test_everybody_waits_for_the_edition(self, ingested: Ingested) -> None:
        made = on(ingested, DAY)
        keys = {stage: owners for stage, owners in made.keys.items() if stage != "edition"}
        assert {row["state"] for row in dossier_batch.fn(ingested.ids, made.order, keys)} == {"pending"}


class TestSummaries:
    def test_the_same_facts_at_a_later_as_of_are_the_same_text(self, ingested: Ingested) -> None:
        first, later = on(ingested, DAY), on(ingested, NEXT_DAY)
        assert first.keys["dossier"]["P001"] != later.keys["dossier"]["P001"]
        texts = [summary_one(made.workspace, made.order, made.keys, "P001") for made in (first, later)]
        assert texts[0]["key"] == texts[1]["key"]
        assert texts[1]["state"] == "reused"

    def test_other_facts_are_another_text(self, ingested: Ingested) -> None:
        made, earlier = on(ingested, DAY), on(ingested, "2026-06-24")
        keys = {summary_one(one.workspace, one.order, one.keys, "P001")["key"] for one in (made, earlier)}
        assert len(keys) == 2

    def test_another_model_is_another_text_only_for_those_who_agreed(self, ingested: Ingested) -> None:
        made = on(ingested, DAY)
        order: Order = {**made.order, "model": "gemini-3-pro"}
        by_rules = summary_one(made.workspace, made.order, made.keys, "P001")
        assert not ingested.workspace.study.participant("P001").external_model
        assert summary_one(made.workspace, order, made.keys, "P001")["key"] == by_rules["key"]

    def test_whom_the_run_does_not_cover_is_pending(self, ingested: Ingested) -> None:
        made = on(ingested, "2026-06-20")
        order: Order = {**made.order, "only": ["P001"]}
        assert summary_one(made.workspace, order, made.keys, "P002")["state"] == "pending"

    def test_a_dossier_names_its_edition_and_holds_its_facts(self, ingested: Ingested) -> None:
        made = on(ingested, DAY)
        piece = made.piece("dossier", "P001")
        dossier = whole_dossier(made.workspace, made.keys, "P001", piece)
        assert dossier.facts["participant_id"].unique().to_list() == ["P001"]
        assert dossier.facts.height == made.workspace.store.scan([piece], "facts").collect().height


class TestInsights:
    def test_programs_see_nothing_after_the_last_day_that_arrived(self, ingested: Ingested) -> None:
        made = on(ingested, DAY)
        tables = seen_by_programs(made)
        through = tables["participants"]["data_through"].item()
        assert tables["daily_summary"]["date"].max() == through
        assert through < date.fromisoformat(DAY)

    def test_programs_do_not_see_the_calendar_go_on(self, ingested: Ingested) -> None:
        first, later = on(ingested, DAY), on(ingested, NEXT_DAY)
        assert edition(first) != edition(later)
        seen = [seen_by_programs(made) for made in (first, later)]
        assert set(seen[0]["participant_percentiles"]["edition"]) >= {"cohort"}
        for name, frame in seen[0].items():
            assert frame.equals(seen[1][name]), name

    def test_programs_see_that_data_are_too_old(self, ingested: Ingested) -> None:
        made = on(ingested, DAY)
        through = made.workspace.store.scan([made.piece("core", "P001")], "participants").collect()
        last = through["data_through"].item()
        for days, seen in ((14, 0), (15, 15)):
            later = on(ingested, (last + timedelta(days)).isoformat())
            assert seen_by_programs(later)["participants"]["days_behind"].item() == seen

    def test_of_people_of_the_study_programs_see_only_what_may_be_passed_on(self, ingested: Ingested) -> None:
        made, peers = on(ingested, DAY), reference_of(ingested.workspace)
        assert peers is not None
        shared = pl.DataFrame(
            {
                "metric": ["steps"],
                "sex": ["all"],
                "age_group": ["all"],
                "percentile": ["50"],
                "value": [8210.0],
            }
        ).with_columns(n=pl.lit(10), edition=pl.lit("2026-01"), window=pl.lit("last_30_days"))
        shareable = shared.with_columns(unit=pl.lit("steps"), quantile_type=pl.lit(8)).lazy()
        whole = made.workspace.store.scan([made.piece("edition", COHORT)], "population_percentiles")
        told = told_population(whole, conform(shareable, TABLES["shareable_percentiles"]), edition(made))
        assert set(told["edition"]) == {"cohort", peers.edition}
        (row,) = told.filter(pl.col("edition") == "cohort").to_dicts()
        assert (row["definition"], row["value"], row["n"]) == ("person", 8210.0, 10)
        of_reference = whole.filter(pl.col("edition") == peers.edition).collect()
        assert told.filter(pl.col("edition") != "cohort").height == of_reference.height > 0

    def test_someone_without_a_dossier_is_pending(self, ingested: Ingested) -> None:
        made = on(ingested, DAY)
        keys = {stage: owners for stage, owners in made.keys.items() if stage != "dossier"}
        assert [row["state"] for row in insights_one(made.order, keys, "P001")] == ["pending"]

    @pytest.mark.sandbox
    def test_they_are_asked_once_for_what_the_programs_see(self, ingested: Ingested) -> None:
        assert isolation() is not None
        first, later = on(ingested, DAY), on(ingested, NEXT_DAY)
        rows = [row for made in (first, later) for row in insights_one(made.order, made.keys, "P001")]
        assert rows[0]["key"] == rows[1]["key"]
        assert rows[1]["state"] == "reused"
        answered = ingested.workspace.store.find("insights", "P001", rows[0]["key"])
        assert answered is not None
        questions = ingested.workspace.store.scan([answered], "insights").select(pl.len()).collect().item()
        assert questions == len(ingested.workspace.study.settings.questions.ids)
