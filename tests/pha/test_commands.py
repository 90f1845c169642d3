"""The command as people use it: help, exit codes, and faults that are told without a traceback."""

import json
import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import get_args

import click
import polars as pl
import pytest
from click.testing import CliRunner, Result

from health_agents.claims import Verdict
from health_agents.sandbox import Outcome
from outputs.decisions import read_decisions
from outputs.parquet import write_table
from pha.cli import COMMANDS, cli, main
from pha.commands.doctor import examine
from pha.commands.sandbox import in_words
from pha.commands_page import all_commands
from pha.prefect_settings import prepare_prefect, reaching_prefect
from schemas.attention import Attention
from schemas.daily_summary import DailySummary
from schemas.errors import CODES, PhaError
from schemas.lab_review import LabReview
from schemas.source_files import SourceFiles
from schemas.summaries import Summaries

pytestmark = pytest.mark.slow

EACH = [(name, command) for name, command, _ in all_commands(cli, "pha")]
TOML = '[study]\nname = "Walk"\ntime_zone = "UTC"\n'
PEOPLE = "participant_id,sex,birth_year\nP1,female,1990\n"
DIGEST = "a" * 64
REPORT = "ab" * 16
EXPORT = "ab12" * 8


def pha(*arguments: str | Path) -> Result:
    """The command in this process."""
    return CliRunner().invoke(cli, [str(part) for part in arguments], standalone_mode=False)


def done(*arguments: str | Path) -> str:
    """What the command prints when it does its work."""
    result = pha(*arguments)
    assert result.exception is None, result.exception
    return result.output


def coded(*arguments: str | Path) -> str:
    """The code that the command ends with."""
    error = pha(*arguments).exception
    assert isinstance(error, PhaError), error
    return error.code.name


def ended(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Exit code and error stream of the entry point."""
    with pytest.raises(SystemExit) as end:
        main([str(part) for part in arguments])
    return end.value.code, capsys.readouterr().err  # pyright: ignore[reportReturnType]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    root = tmp_path / "study"
    root.mkdir()
    (root / "study.toml").write_text(TOML)
    (root / "participants.csv").write_text(PEOPLE)
    return root


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """An OUT with a release that has one matter and one text."""
    folder = tmp_path / "out" / "releases" / "2026-06-01-full-0123456789ab"
    release = folder / "tables"
    matter = {
        "attention_id": "m1", "participant_id": "P1", "kind": "file", "code": "not_a_zip",
        "severity": "high", "role": "coordinator", "what": "w", "next_step": "n",
        "first_seen": date(2026, 6, 1), "state": "new",
    }  # fmt: skip
    text = {
        "participant_id": "P1", "reader": "clinician", "status": "verified", "sections_json": "[]",
        "text_sha256": DIGEST, "written_by": "rules",
    }  # fmt: skip
    write_table(pl.DataFrame([matter]), Attention, release / "attention.parquet")
    doubtful = {
        "participant_id": "P1", "file_id": REPORT, "row_no": 2, "page": 1, "bbox_json": "[0,0,1,1]",
        "reasons": "value_unreadable", "raw_name": "Glucose", "raw_value": "9l", "raw_unit": "mg/dL",
    }  # fmt: skip
    settled = doubtful | {"row_no": 1, "reasons": "superseded", "superseded_by": "cd" * 16}
    write_table(pl.DataFrame([text]), Summaries, release / "summaries.parquet")
    write_table(pl.DataFrame([settled, doubtful]), LabReview, release / "lab_review.parquet")
    sent = {
        "file_id": EXPORT, "participant_id": "P1", "source": "fitbit", "form": "zip", "bytes": 1,
        "content_digest": "ef" * 16, "identity": "unchecked",
        **{f"rows_{name}": 0 for name in ("read", "staged", "merged", "rejected", "ignored")},
    }  # fmt: skip
    day = {"participant_id": "P1", "date": date(2026, 5, 30), "day_state": "worn", "steps": 7000}
    day |= dict.fromkeys(("tz_change", "is_partial", "break_before", "wear_from_steps"), False)
    write_table(pl.DataFrame([sent]), SourceFiles, release / "source_files.parquet")
    write_table(pl.DataFrame([day]), DailySummary, release / "daily_summary.parquet")
    (tmp_path / "out" / "latest").symlink_to(folder)
    return tmp_path / "out"


class TestHelp:
    @pytest.mark.parametrize(("name", "command"), EACH, ids=[name for name, _ in EACH])
    def test_every_command_says_what_it_is_for(self, name: str, command: object) -> None:
        result = pha(*name.split()[1:], "--help")
        assert result.exit_code == 0
        assert result.output.startswith(f"Usage: cli {' '.join(name.split()[1:])}".rstrip())
        assert command.help  # pyright: ignore[reportAttributeAccessIssue]

    def test_every_module_of_a_command_is_a_command_and_the_reverse(self) -> None:
        modules = (Path(__file__).parents[2] / "pha" / "commands").glob("*.py")
        assert {path.stem for path in modules} - {"__init__"} == set(COMMANDS)

    def test_every_option_is_explained(self) -> None:
        for name, command in EACH:
            for option in command.params:
                if option.param_type_name == "option":
                    assert getattr(option, "help", None), (name, option.name)

    def test_help_needs_no_heavy_package(self) -> None:
        program = (
            "import sys\nfrom pha.cli import cli\n"
            "cli.main(['--help'], standalone_mode=False)\n"
            "print({'prefect', 'pandas', 'pdfplumber', 'great_expectations', 'scipy'} & set(sys.modules))"
        )
        shown = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
        )
        assert shown.stdout.splitlines()[-1] == "set()"

    def test_the_version_is_told(self) -> None:
        assert pha("--version").output.startswith("pha, version ")


class TestExplain:
    @pytest.mark.parametrize("code", CODES)
    def test_every_code_is_explained(self, code: str) -> None:
        told = pha("explain", code).output
        assert told.startswith(f"{code}  (")
        assert "{" not in told
        for text in (CODES[code].what, CODES[code].next_step):
            assert all(words.strip() in told for words in re.split(r"\{\w+\}", text))

    def test_details_of_a_case_stand_as_an_ellipsis_and_case_does_not_matter(self) -> None:
        told = pha("explain", "Registry_Person_GONE").output
        assert "participants.csv: … (in all …)." in told
        assert told.startswith("registry_person_gone  (high)")
        assert pha("explain", "participant_unknown").output.count("… is not in participants.csv.") == 1

    def test_words_to_send_and_another_try_are_told_where_there_are_any(self) -> None:
        assert "Words to send:" in pha("explain", "not_a_zip").output
        assert "Words to send:" not in pha("explain", "disk_full").output
        assert "tried again" in pha("explain", "disk_full").output

    def test_a_mistyped_code_gets_a_hint(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, told = ended(capsys, "explain", "not_a_zipp")
        assert code == 2
        assert "did you mean not_a_zip?" in told


class TestInit:
    def test_what_it_makes_passes_the_check(self, tmp_path: Path) -> None:
        folder = tmp_path / "new"
        assert pha("init", folder).exit_code == 0
        assert {path.name for path in folder.iterdir()} == {
            ".pha-secret", "study.toml", "participants.csv", "letter_to_participants.md",
            "fitbit", "labs", "surveys",
        }  # fmt: skip
        checked = pha("check", folder, "--out", tmp_path / "out")
        assert checked.return_value == 0, checked.output
        assert "a run can begin, but it would have nothing to publish" in checked.output

    def test_only_its_owner_can_read_it(self, tmp_path: Path) -> None:
        pha("init", tmp_path / "new")
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "new" / ".pha-secret").stat().st_mode & 0o777 == 0o600

    def test_a_folder_in_use_is_left_alone(self, study: Path, capsys: pytest.CaptureFixture[str]) -> None:
        before = sorted(study.iterdir())
        code, told = ended(capsys, "init", study)
        assert (code, "not empty" in told) == (2, True)
        assert sorted(study.iterdir()) == before


class TestCheck:
    def test_it_writes_nothing(self, study: Path, tmp_path: Path) -> None:
        (study / "fitbit" / "P1").mkdir(parents=True)
        (study / "fitbit" / "P1" / "takeout.zip").write_bytes(b"no archive")
        before = sorted(tmp_path.rglob("*"))
        told = pha("check", study, "--out", tmp_path / "out")
        assert "not_a_zip" in told.output
        assert sorted(tmp_path.rglob("*")) == before

    def test_settings_that_stop_a_run_end_with_2(self, study: Path, tmp_path: Path) -> None:
        (study / "study.toml").write_text(TOML + "colour = 1\n")
        checked = pha("check", study, "--out", tmp_path / "out")
        assert checked.return_value == 2
        assert "line 4" in checked.output

    def test_json_holds_the_same(self, study: Path, tmp_path: Path) -> None:
        told = json.loads(pha("check", study, "--out", tmp_path / "out", "--json").output)
        assert [remark["code"] for remark in told["remarks"]] == ["folder_missing"]
        assert told["stops"] is False
        assert told["nothing_to_publish"] is True


class TestDoctor:
    def test_every_fault_has_its_remedy(self) -> None:
        findings = list(examine())
        assert any(finding.what.startswith("Python 3.") for finding in findings)
        assert all(finding.works or finding.remedy for finding in findings)

    def test_the_exit_code_says_whether_all_works(self) -> None:
        told = pha("doctor")
        assert told.return_value == (1 if "NO  " in told.output else 0)
        assert told.output.count("remedy:") == told.output.count("NO  ")


class TestDecide:
    def test_acknowledging_adds_a_line(self, study: Path, out: Path) -> None:
        told = done(
            "decide", "acknowledge", "m1", "--study", study, "--out", out, "--by", "Ada", "--reason", "ok"
        )
        assert "next run" in told
        (decision,) = read_decisions(study / "decisions.csv")
        assert (decision.decision, decision.target, decision.by, decision.reason) == (
            "acknowledge", "m1", "Ada", "ok",
        )  # fmt: skip

    def test_snoozing_keeps_its_last_day(self, study: Path, out: Path) -> None:
        done("decide", "snooze", "m1", "--until", "2099-07-31", "--study", study, "--out", out, "--by", "Ada")
        (decision,) = read_decisions(study / "decisions.csv")
        assert (decision.decision, decision.until) == ("snooze", date(2099, 7, 31))

    def test_a_snooze_that_is_over_at_the_newest_release_is_refused(
        self, study: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ("--study", study, "--out", out, "--by", "Ada")
        code, told = ended(capsys, "decide", "snooze", "m1", "--until", "2026-05-31", *words)
        assert (code, "newest release is as of 2026-06-01" in told) == (2, True)
        assert not (study / "decisions.csv").exists()
        done("decide", "snooze", "m1", "--until", "2026-06-01", *words)
        assert read_decisions(study / "decisions.csv")[0].until == date(2026, 6, 1)

    def test_signing_names_the_text_that_was_read(self, study: Path, out: Path) -> None:
        pha(
            "decide",
            "sign-off",
            "P1",
            "--reader",
            "clinician",
            "--study",
            study,
            "--out",
            out,
            "--by",
            "Dr A",
        )
        (decision,) = read_decisions(study / "decisions.csv")
        assert (decision.target, decision.reader, decision.digest) == ("P1", "clinician", DIGEST)

    def test_a_reading_is_decided_on_as_it_was_printed(self, study: Path, out: Path) -> None:
        words = ("--study", study, "--out", out, "--by", "Ada", "--reason", "seen on paper")
        done("decide", "accept", f"{REPORT}:2", *words)
        done("decide", "correct", f"{REPORT}:2", "glucose 91 mg/dL", *words)
        accepted, corrected = read_decisions(study / "decisions.csv")
        assert (accepted.decision, accepted.expect, accepted.value) == ("accept", "Glucose: 9l mg/dL", None)
        assert (corrected.decision, corrected.expect, corrected.value) == (
            "correct", "Glucose: 9l mg/dL", "glucose 91 mg/dL",
        )  # fmt: skip

    def test_an_export_and_its_days_are_decided_on_as_they_stand(self, study: Path, out: Path) -> None:
        words = ("--study", study, "--out", out, "--by", "Ada")
        done("decide", "accept", EXPORT, *words)
        done("decide", "correct", EXPORT, "clock utc", *words)
        done("decide", "correct", "P1:2026-05-30:steps", "set aside", *words)
        done("decide", "correct", "P1:2026-05-30..2026-06-02", "Europe/Paris", *words)
        found = [(d.target, d.expect, d.value) for d in read_decisions(study / "decisions.csv")]
        assert found == [
            (EXPORT, "unchecked", None),
            (EXPORT, "ef" * 16, "clock utc"),
            ("P1:2026-05-30:steps", "7000", "set aside"),
            ("P1:2026-05-30..2026-06-02", "unknown", "Europe/Paris"),
        ]

    @pytest.mark.parametrize(
        "words",
        [
            ("accept", "P1:2026-05-30:steps"),
            ("accept", "ab" * 16),
            ("correct", "P1:2026-05-30:floors", "set aside"),
            ("correct", "P1:2026-05-31:steps", "set aside"),
            ("correct", "P2:2026-05-30..2026-05-30", "Europe/Paris"),
            ("correct", "nothing", "set aside"),
        ],
    )
    def test_what_no_release_tells_is_not_decided_on(
        self, study: Path, out: Path, words: tuple[str, ...]
    ) -> None:
        told = coded("decide", *words, "--study", study, "--out", out, "--by", "Ada")
        assert told == "decision_target_unknown"
        assert not (study / "decisions.csv").exists()

    def test_a_correction_that_is_none_is_refused(
        self, study: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ("--study", study, "--out", out, "--by", "Ada")
        code, told = ended(capsys, "decide", "correct", f"{REPORT}:2", "glucose 91 %", *words)
        assert (code, "glucose 91 mg/dL" in told) == (2, True)
        assert not (study / "decisions.csv").exists()

    def test_nobody_decides_nothing(self, study: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
        words = ("--study", study, "--out", out, "--by", " ")
        code, told = ended(capsys, "decide", "acknowledge", "m1", *words)
        assert (code, "--by" in told, "say who decides" in told) == (2, True, True)
        assert not (study / "decisions.csv").exists()

    def test_reversed_days_are_told_as_such(
        self, study: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ("Europe/Paris", "--study", study, "--out", out, "--by", "Ada")
        code, told = ended(capsys, "decide", "correct", "P1:2026-06-02..2026-05-30", *words)
        assert (code, "the last day comes before the first" in told) == (2, True)

    def test_signing_a_text_without_a_page_says_so(self, study: Path, out: Path) -> None:
        path = (out / "latest").resolve() / "tables" / "summaries.parquet"
        frame = pl.read_parquet(path).with_columns(reader=pl.lit("participant"))
        frame.write_parquet(path)
        words = ("--reader", "participant", "--study", study, "--out", out, "--by", "Dr A")
        assert "No page is made of this text" in done("decide", "sign-off", "P1", *words)
        page = out / "latest" / "reports" / "participant" / "P1.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.touch()
        assert "No page" not in done("decide", "sign-off", "P1", *words)

    def test_decisions_follow_each_other(self, study: Path, out: Path) -> None:
        for name in ("Ada", "Bo"):
            done("decide", "acknowledge", "m1", "--study", study, "--out", out, "--by", name)
        assert [decision.by for decision in read_decisions(study / "decisions.csv")] == ["Ada", "Bo"]

    @pytest.mark.parametrize(
        "words",
        [
            ("acknowledge", "m2"),
            ("snooze", "m2", "--until", "2099-07-31"),
            ("sign-off", "P2", "--reader", "clinician"),
            ("sign-off", "P1", "--reader", "participant"),
            ("accept", f"{'ab' * 16}:3"),
            ("accept", f"{'ab' * 16}:1"),
            ("correct", "nonsense", "glucose 91 mg/dL"),
        ],
    )
    def test_what_the_release_does_not_hold_cannot_be_decided(
        self, study: Path, out: Path, words: tuple[str, ...]
    ) -> None:
        code = coded("decide", *words, "--study", study, "--out", out, "--by", "Ada")
        assert code == "decision_target_unknown"
        assert not (study / "decisions.csv").exists()

    def test_without_a_release_there_is_nothing_to_decide(self, study: Path, tmp_path: Path) -> None:
        code = coded(
            "decide", "acknowledge", "m1", "--study", study, "--out", tmp_path / "none", "--by", "Ada"
        )
        assert code == "release_missing"


class TestWithoutARelease:
    def test_status_says_so(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        code, told = ended(capsys, "status", "--out", tmp_path / "none")
        assert (code, "There is no release at the given path." in told) == (2, True)
        assert not (tmp_path / "none").exists()

    def test_verify_of_a_missing_path_ends_with_2(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, told = ended(capsys, "verify", tmp_path / "none")
        assert (code, "release_missing" in told) == (2, True)

    def test_verify_of_a_folder_that_is_no_release_is_wrong_use(self, tmp_path: Path) -> None:
        assert coded("verify", tmp_path) == "release_missing"

    def test_verify_of_a_release_that_lost_a_file_finds_problems(self, tmp_path: Path) -> None:
        (tmp_path / "run.json").write_text("{}")
        told = pha("verify", tmp_path)
        assert told.return_value == 1
        assert told.output.splitlines()[0].startswith("release_damaged: ")

    def test_a_program_needs_a_release(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text("def analysis(*frames): return {}\n")
        code = coded(
            "sandbox", tmp_path / "program.py", "--release", tmp_path / "none", "--participant", "P1"
        )
        assert code == "release_missing"

    @pytest.mark.parametrize(
        ("outcome", "told"),
        [
            (Outcome("failed", "landlock", None, "KeyError", 3), "failed: it ended with KeyError, line 3"),
            (Outcome("failed", "landlock", None, "SIGSEGV"), "failed: it ended with SIGSEGV"),
            (Outcome("time_limit", "landlock"), "time_limit: it computed for 10 s, or waited to 60 s"),
            (Outcome("output_limit", "landlock"), "output_limit: its result is larger than 64 KiB"),
        ],
    )
    def test_an_outcome_of_a_program_is_told_in_a_line(self, outcome: Outcome, told: str) -> None:
        assert in_words(outcome) == told


class TestExitCodes:
    @pytest.mark.parametrize(
        "words",
        [
            ("walk",),
            ("run",),
            ("run", "study", "--as-of", "28.6.2026"),
            ("demo", "--participants", "0"),
            ("synthesize", "x", "--days", "many"),
            ("synthesize", "x", "--preset", "traps", "--days", "9"),
            ("decide", "acknowledge", "m1"),
            ("explain",),
        ],
        ids=" ".join,
    )
    def test_wrong_use_is_2(self, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
        code, told = ended(capsys, *words)
        assert code == 2
        assert "Traceback" not in told

    @pytest.mark.parametrize("command", ["run", "ingest"])
    def test_a_study_that_is_not_there_is_2(
        self, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, told = ended(capsys, command, tmp_path / "none", "--out", tmp_path / "out")
        assert code == 2
        assert told.startswith("error: study_missing: ")
        assert "more: pha explain study_missing" in told

    def test_a_model_that_is_not_listed_is_2(
        self, study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, told = ended(capsys, "run", study, "--out", tmp_path / "out", "--model", "gemini-3-pro")
        assert (code, "model_not_allowed" in told) == (2, True)

    def test_an_unknown_id_in_only_is_2(
        self, study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, told = ended(capsys, "run", study, "--out", tmp_path / "out", "--only", "P1,P9")
        assert (code, "participant_unknown" in told) == (2, True)

    def test_help_is_0(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert ended(capsys, "--help")[0] == 0


class TestFaults:
    """A folder where a file should be is a fault nobody foresaw; its text holds the path."""

    @pytest.fixture
    def broken(self, study: Path) -> Path:
        (study / "decisions.csv").mkdir()
        return study

    def check(self, study: Path, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pha", "check", str(study), "--out", str(study.parent / "out")],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env={**os.environ, **environ},
        )

    def test_they_are_told_by_type_and_place_without_a_traceback(self, broken: Path) -> None:
        ended = self.check(broken)
        assert ended.returncode == 1
        assert ended.stderr.startswith(
            "error: unexpected: An unexpected fault of type IsADirectoryError at outputs/decisions.py:"
        )
        assert "Traceback" not in ended.stderr
        assert str(broken) not in ended.stderr + ended.stdout

    def test_the_traceback_is_there_when_asked_for(self, broken: Path) -> None:
        ended = self.check(broken, PHA_TRACEBACK="1")
        assert ended.returncode == 1
        assert "Traceback (most recent call last)" in ended.stderr
        assert "IsADirectoryError" in ended.stderr


class TestPrefect:
    def test_an_api_that_cannot_be_reached_has_a_code(self) -> None:
        with pytest.raises(PhaError) as fault, reaching_prefect():
            raise RuntimeError("Failed to reach API at http://127.0.0.1:9/api/")
        assert fault.value.code.name == "prefect_unavailable"

    def test_other_faults_pass(self) -> None:
        with pytest.raises(RuntimeError, match="generator"), reaching_prefect():
            raise RuntimeError("generator ignored GeneratorExit")

    def test_the_environment_wins_and_nothing_leaves(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in [name for name in os.environ if name.startswith("PREFECT_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("PREFECT_HOME", "elsewhere")
        monkeypatch.setattr(os, "environ", dict(os.environ))
        prepare_prefect(tmp_path)
        assert os.environ["PREFECT_HOME"] == "elsewhere"
        assert os.environ["DO_NOT_TRACK"] == "1"
        assert os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"

    @pytest.mark.prefect
    def test_a_run_without_its_api_ends_with_1_and_the_code(self, study: Path) -> None:
        ended = subprocess.run(
            [sys.executable, "-m", "pha", "ingest", str(study), "--out", str(study.parent / "out")],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env={**os.environ, "PREFECT_API_URL": "http://127.0.0.1:9/api"},
        )
        assert ended.returncode == 1
        assert ended.stderr.startswith("error: prefect_unavailable: ")


def test_a_study_cannot_be_made_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    told = pha("synthesize", tmp_path / "file" / "made", "--participants", "1", "--days", "1")
    assert isinstance(told.exception, click.BadParameter)
    assert "nothing can be written there" in str(told.exception)


def test_status_takes_its_folder_either_way(out: Path) -> None:
    empty = {"study": "Walk", "made_up": False, "shown": None, "run": None, "limits_set_by": "Dr A"}
    lists = {"held": [], "matters": [], "people": [], "counts": {}, "limits": {}}
    (out / "status.json").write_text(json.dumps(empty | lists))
    assert done("status", out) == done("status", "--out", out)
    assert coded("status", out / "none") == "release_missing"


@pytest.mark.parametrize("word", [*get_args(Verdict), "fits_dictionary", "conflicting_answers"])
def test_verdicts_and_rules_on_answers_are_explained(word: str) -> None:
    assert word not in CODES
    assert "What it means:" in done("explain", word)
