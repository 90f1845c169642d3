"""Both arms of ds-code with a scripted model at the door, the figures, and the command."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner
from scripted_door import MODEL, scripted_door

from evaluation.ds_code.arms import write_as_agent
from evaluation.ds_code.evaluating import Judged, check_benchmark, evaluate_model, summarise
from evaluation.ds_code.items import Item, all_items
from evaluation.ds_code.judging import Verdict
from evaluation.results import text_table, write_evaluation
from health_agents.data_science.agent.asking import RETRIES, Asking, coder_instructions
from health_agents.data_science.frames import FRAMES
from health_agents.sandbox import Sandbox, open_sandbox
from pha.commands.evaluate import command
from schemas.errors import PhaError

ITEMS = all_items()[:3]
STUB = f"def analysis({', '.join(FRAMES)}):\n"
BROKEN = f"{STUB}    return summary_df['nothing']\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as started:
        if started.isolation != "bubblewrap":
            pytest.skip("bubblewrap does not work on this machine (pha doctor says why)")
        yield started


def item_in(prompt: str) -> Item:
    return next(item for item in all_items() if item.stub in prompt)


@pytest.mark.sandbox
class TestArms:
    def test_a_better_agent_is_seen_to_be_better(self, sandbox: Sandbox, tmp_path: Path) -> None:
        """Bare: a program with a planted fault. Agent: breaks first, then mends it from the failure alone."""
        asked: list[str] = []

        def script(instructions: str, prompt: str, _form: dict[str, Any]) -> dict[str, Any]:
            asked.append(prompt)
            item = item_in(prompt)
            if instructions.startswith("Complete"):
                return {"program": f"```python\n{next(iter(item.wrong.values()))}```"}
            return {"program": item.solutions[1] if "<failure>" in prompt else BROKEN}

        evaluation = evaluate_model(scripted_door(tmp_path, script), sandbox, ITEMS)
        agent, bare = evaluation.summary["arms"]["agent"], evaluation.summary["arms"]["bare"]
        assert (agent["rate"], agent["items_whole"]) == (1.0, 3)
        assert 0 < bare["rate"] < 1
        assert bare["items_whole"] == 0
        assert evaluation.summary["agent_minus_bare"]["rate"] == pytest.approx(1 - bare["rate"])
        low, high = evaluation.summary["agent_minus_bare"]["over_items_95"]
        assert 0 < low < high <= 1
        assert any("<failure>\nKeyError in line 2\n</failure>" in prompt for prompt in asked)
        assert evaluation.rows.height == 2 * sum(len(item.cases) for item in ITEMS)

    def test_no_prompt_holds_what_a_test_expects_or_gives(self, sandbox: Sandbox, tmp_path: Path) -> None:
        asked: list[str] = []

        def script(_instructions: str, prompt: str, _form: dict[str, Any]) -> dict[str, Any]:
            asked.append(prompt)
            return {"program": BROKEN}

        write_as_agent(Asking(scripted_door(tmp_path, script), sandbox, "evaluation"), ITEMS[0])
        text = "\n".join(asked)
        assert not [case.name for case in ITEMS[0].cases if case.name in text]
        assert ITEMS[0].solutions[0] not in text

    def test_five_retries_and_no_more(self, sandbox: Sandbox, tmp_path: Path) -> None:
        asked: list[str] = []

        def script(_instructions: str, prompt: str, _form: dict[str, Any]) -> dict[str, Any]:
            asked.append(prompt)
            return {"program": BROKEN.replace("nothing", f"nothing{len(asked)}")}

        write_as_agent(Asking(scripted_door(tmp_path, script), sandbox, "evaluation"), ITEMS[0])
        assert len(asked) == 1 + RETRIES

    def test_a_program_that_runs_and_is_wrong_is_not_sent_back(
        self, sandbox: Sandbox, tmp_path: Path
    ) -> None:
        asked: list[str] = []

        def script(_instructions: str, prompt: str, _form: dict[str, Any]) -> dict[str, Any]:
            asked.append(prompt)
            return {"program": next(iter(ITEMS[0].wrong.values()))}

        write_as_agent(Asking(scripted_door(tmp_path, script), sandbox, "evaluation"), ITEMS[0])
        assert len(asked) == 1

    @pytest.mark.parametrize(
        ("program", "fault"),
        [
            (STUB + "    return {}\n", "the result lacks "),
            ("def analysis(**frames):\n    return {}\n", "the program must define analysis("),
            (STUB + "    pass\n" * 90, "the program is longer than"),
        ],
    )
    def test_what_breaks_the_form_of_the_product_goes_back(
        self, sandbox: Sandbox, tmp_path: Path, program: str, fault: str
    ) -> None:
        asked: list[str] = []

        def script(instructions: str, prompt: str, _form: dict[str, Any]) -> dict[str, Any]:
            asked.append(prompt)
            assert instructions.startswith(coder_instructions("").partition("\n\n\n")[0])
            return {"program": ITEMS[0].solutions[0] if len(asked) > 1 else program}

        door = scripted_door(tmp_path, script)
        assert write_as_agent(Asking(door, sandbox, "evaluation"), ITEMS[0]) == ITEMS[0].solutions[0]
        assert fault in asked[1].partition("<failure>")[2]
        assert {call.agent for call in door.calls} == {"data_science"}

    def test_a_model_that_gives_nothing_fails_every_test(self, sandbox: Sandbox, tmp_path: Path) -> None:
        evaluation = evaluate_model(scripted_door(tmp_path, lambda *_: {"program": ""}), sandbox, ITEMS[:1])
        assert evaluation.summary["arms"]["agent"]["passed"] == 0
        assert evaluation.rows["why"].str.starts_with("no program: ").all()

    def test_a_spent_budget_stops_the_evaluation(self, sandbox: Sandbox, tmp_path: Path) -> None:
        door = scripted_door(tmp_path, lambda *_: {"program": BROKEN}, calls=1)
        with pytest.raises(PhaError) as caught:
            evaluate_model(door, sandbox, ITEMS[:1])
        assert caught.value.code.name == "budget_reached"

    def test_a_second_run_asks_nothing(self, sandbox: Sandbox, tmp_path: Path) -> None:
        def script(_instructions: str, prompt: str, _form: dict[str, Any]) -> dict[str, Any]:
            return {"program": item_in(prompt).solutions[0]}

        def refuse(*_: Any) -> dict[str, Any]:
            raise AssertionError("asked again")

        first = evaluate_model(scripted_door(tmp_path, script), sandbox, ITEMS[:1])
        again = evaluate_model(scripted_door(tmp_path, refuse), sandbox, ITEMS[:1])
        assert first.rows.equals(again.rows)
        assert first.summary == again.summary

    def test_without_a_model_the_benchmark_checks_itself(self, sandbox: Sandbox) -> None:
        evaluation = check_benchmark(sandbox, ITEMS)
        assert set(evaluation.summary["arms"]) == {"solution 1", "solution 2"}
        assert all(score["rate"] == 1 for score in evaluation.summary["arms"].values())
        assert evaluation.summary["faults_planted"] == sum(len(item.wrong) for item in ITEMS)
        assert evaluation.summary["faults_missed"] == []


def judged(arm: str, item_id: str, *passed: bool) -> Judged:
    verdicts = [Verdict(item_id, f"t{n}", "answer", one, "" if one else "x") for n, one in enumerate(passed)]
    return Judged(arm, item_id, "text", tuple(verdicts))


class TestFigures:
    def test_by_hand(self) -> None:
        arms = [
            judged("agent", "a", True, True), judged("agent", "b", True, False, True, True),
            judged("bare", "a", True, False), judged("bare", "b", False, False, True, False),
        ]  # fmt: skip
        summary = summarise(arms).summary
        assert summary["arms"]["agent"]["rate"] == pytest.approx(5 / 6)
        assert summary["arms"]["agent"]["items_whole"] == 1
        assert summary["arms"]["bare"]["rate"] == pytest.approx(2 / 6)
        assert summary["agent_minus_bare"]["rate"] == pytest.approx(0.5)
        assert summary["arms"]["agent"]["by_kind"]["answer"] == pytest.approx(5 / 6)
        assert summary["arms"]["agent"]["by_kind"]["transform"] is None

    def test_what_is_written(self, tmp_path: Path) -> None:
        evaluation = summarise([judged("agent", "a", True, False)])
        write_evaluation(evaluation, tmp_path / "e")
        assert pl.read_parquet(tmp_path / "e" / "results.parquet").equals(evaluation.rows)
        assert json.loads((tmp_path / "e" / "summary.json").read_text())["arms"]["agent"]["passed"] == 1
        assert (tmp_path / "e" / "programs" / "agent" / "a.py").read_text() == "text"
        assert "1 of 2" in (tmp_path / "e" / "table.txt").read_text()

    def test_a_table_is_aligned(self) -> None:
        assert text_table([{"a": "x", "long": "1"}, {"a": "yyy", "long": "2"}]) == "a    long\nx    1\nyyy  2"
        assert text_table([]) == ""


class TestCommand:
    def test_a_model_needs_a_study(self) -> None:
        done = CliRunner().invoke(command, ["ds-code", "--model", MODEL])
        assert done.exit_code == 2
        assert "--study" in done.output

    def test_a_model_must_be_allowed(self, tmp_path: Path) -> None:
        (tmp_path / "study.toml").write_text('[study]\nname = "S"\ntime_zone = "UTC"\n')
        done = CliRunner().invoke(command, ["ds-code", "--model", MODEL, "--study", str(tmp_path)])
        assert isinstance(done.exception, PhaError)
        assert done.exception.code.name == "model_not_allowed"
