"""The sandbox in ordinary use: outcomes, frames, what happens without bubblewrap."""

import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import date
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from health_agents.data_science.library import reviewed_question
from health_agents.sandbox import Limits, Sandbox, open_sandbox, sandbox_state
from health_agents.sandbox.fork_server import NotStartedError, start_as_child, start_in_bubblewrap
from health_agents.sandbox.inside import landlock, seccomp
from health_agents.sandbox.inside.protocol import Request, pack, unpack
from health_agents.sandbox.inside.syscalls import (
    ALLOWED_TO_PROGRAMS,
    CLONE,
    CLONE3,
    FCNTL,
    FOR_THREADS,
    PATH_LOOKUPS,
    REFUSED_TO_SERVER,
)
from health_agents.sandbox.outcome import Ended, judge
from schemas.errors import PhaError

REPOSITORY = Path(__file__).parents[2]
ALLOW, KILL, EPERM = 0x7FFF0000, 0x80000000, 0x00050001
ASK, ENOSYS, THREAD = 0x7FC00000, 0x00050026, 0x3D0F00


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as started:
        if started.isolation != "bubblewrap":
            pytest.skip("bubblewrap does not work on this machine (pha doctor says why)")
        yield started


OWNER_OF_AN_ENDLESS_PROGRAM = """
import threading, time
from health_agents.sandbox import open_sandbox
with open_sandbox() as sandbox:
    program = "def analysis():\\n    while True: pass\\n"
    threading.Thread(target=sandbox.run, args=(program, {}), daemon=True).start()
    time.sleep(0.3)
    print("up", flush=True)
    time.sleep(60)
"""


def running_below(pid: str) -> list[str]:
    children = subprocess.run(["pgrep", "-P", pid], capture_output=True, text=True).stdout.split()
    return children + [deeper for child in children for deeper in running_below(child)]


def is_running(pid: str) -> bool:
    """It is there and not merely waiting to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture(scope="module")
def child() -> Iterator[Sandbox]:
    server = start_as_child()
    yield Sandbox(server, "child_process", "bubblewrap is not installed")
    server.close()


@pytest.mark.sandbox
class TestRunning:
    def test_a_result_comes_back_with_plain_numbers(self, sandbox: Sandbox) -> None:
        program = (
            "import numpy as np\nimport pandas as pd\n"
            "def analysis():\n"
            "    return {'i': np.int64(1), 'f': np.float32(0.5), 'b': np.bool_(True),\n"
            "            'd': pd.Timestamp('2025-01-02'), 'n': None, 'l': [1, (2, 3)]}\n"
        )
        outcome = sandbox.run(program, {})
        assert outcome.kind == "ok"
        assert outcome.isolation == "bubblewrap"
        assert outcome.result == {
            "i": 1, "f": 0.5, "b": True, "d": "2025-01-02T00:00:00", "n": None, "l": [1, [2, 3]]
        }  # fmt: skip

    def test_frames_arrive_as_pandas_with_their_values(self, sandbox: Sandbox) -> None:
        frame = pl.DataFrame(
            {
                "date": [date(2025, 1, 1), date(2025, 1, 2), date(2025, 1, 3)],
                "steps": [1, None, 3],
                "hrv": [0.5, None, 1.5],
                "valid_day": [True, None, False],
                "device": ["Charge 6", None, "é"],
                "bed_time": ["2025-01-01T23:05", None, "2025-01-03T00:00"],
            }
        ).with_columns(pl.col("bed_time").str.to_datetime())
        program = (
            "def analysis(summary_df):\n"
            "    df = summary_df\n"
            "    return {'index': [str(d.date()) for d in df.index], 'steps': df.steps.sum(),\n"
            "            'missing': int(df.steps.isna().sum()), 'valid': len(df[df.valid_day]),\n"
            "            'device': df.device.dropna().tolist(), 'bed': df.bed_time.iloc[0],\n"
            "            'columns': list(df.columns)}\n"
        )
        assert sandbox.run(program, {"summary_df": frame}).result == {
            "index": ["2025-01-01", "2025-01-02", "2025-01-03"],
            "steps": 4.0,
            "missing": 1,
            "valid": 1,
            "device": ["Charge 6", "é"],
            "bed": "2025-01-01T23:05:00",
            "columns": ["steps", "hrv", "valid_day", "device", "bed_time"],
        }

    def test_a_frame_without_rows_arrives(self, sandbox: Sandbox) -> None:
        frame = pl.DataFrame(schema={"date": pl.Date, "steps": pl.Int64})
        program = (
            "def analysis(summary_df):\n    return {'n': len(summary_df), 'e': bool(summary_df.empty)}\n"
        )
        assert sandbox.run(program, {"summary_df": frame}).result == {"n": 0, "e": True}

    def test_a_large_frame_arrives_whole(self, sandbox: Sandbox) -> None:
        frame = pl.DataFrame({"bpm": range(1_000_000)})
        outcome = sandbox.run("def analysis(hr):\n    return {'sum': int(hr.bpm.sum())}\n", {"hr": frame})
        assert outcome.result == {"sum": 499_999_500_000}

    @pytest.mark.parametrize(
        ("program", "error", "line"),
        [
            ("def analysis():\n    x = 1\n    return 1 / 0\n", "ZeroDivisionError", 3),
            ("def f():\n    raise KeyError('k')\ndef analysis():\n    f()\n", "KeyError", 2),
            ("import numpy as np\ndef analysis():\n    np.linalg.inv(np.zeros((2, 2)))\n", "LinAlgError", 3),
            ("def analysis(:\n", "SyntaxError", 1),
            ("x = 1\n", "KeyError", None),
            ("import prefect\ndef analysis(): pass\n", "ModuleNotFoundError", 1),
            ("def analysis(summary_df): pass\n", "TypeError", None),
        ],
    )
    def test_an_error_is_told_by_type_and_line(
        self, sandbox: Sandbox, program: str, error: str, line: int | None
    ) -> None:
        outcome = sandbox.run(program, {})
        assert (outcome.kind, outcome.error_type, outcome.line) == ("failed", error, line)

    def test_equal_programs_give_equal_random_numbers(self, sandbox: Sandbox) -> None:
        program = (
            "import random\nimport numpy as np\n"
            "def analysis():\n"
            "    return {'x': [random.random(), np.random.rand(), hash('text'), *{'a', 'b'}]}\n"
        )
        assert sandbox.run(program, {}) == sandbox.run(program, {})
        with open_sandbox() as other:
            assert other.run(program, {}) == sandbox.run(program, {})

    def test_scipy_and_pandas_work_under_the_filter(self, sandbox: Sandbox) -> None:
        program = (
            "import numpy as np\nimport pandas as pd\nfrom scipy import optimize, signal, stats\n"
            "def analysis():\n"
            "    x = np.arange(100.0)\n"
            "    frame = pd.DataFrame({'g': list('ab') * 50, 'x': x})\n"
            "    return {'lr': stats.linregress(x, 2 * x).slope, 'inv': np.linalg.inv(np.eye(3) * 2)[0, 0],\n"
            "            'min': round(optimize.minimize_scalar(lambda v: (v - 3) ** 2).x, 6),\n"
            "            'g': frame.groupby('g').x.mean().to_dict(),\n"
            "            'week': len(pd.Series(x, pd.date_range('2025', periods=100, tz='Europe/Berlin'))\n"
            "            .resample('W').mean()),\n"
            "            'rolling': frame.x.rolling(7).mean().iloc[-1], 's': frame.g.str.upper().iloc[0],\n"
            "            'detrended': abs(signal.detrend(x).sum()) < 1e-9}\n"
        )
        outcome = sandbox.run(program, {})
        assert outcome.result == {
            "lr": 2.0, "inv": 0.5, "min": 3.0, "g": {"a": 49.0, "b": 50.0}, "week": 15, "rolling": 96.0,
            "s": "A", "detrended": True,
        }  # fmt: skip

    def test_statsmodels_works_under_the_filter(self, sandbox: Sandbox) -> None:
        program = (
            "import numpy as np\nimport pandas as pd\nimport statsmodels.api as sm\n"
            "import statsmodels.formula.api as smf\n"
            "def analysis():\n"
            "    days = pd.DataFrame({'t': np.arange(50.0), 'kind': ['a', 'b'] * 25})\n"
            "    days['steps'] = 100 + 3 * days.t + 20 * (days.kind == 'b')\n"
            "    fit = smf.ols('steps ~ t + C(kind)', days).fit()\n"
            "    lags = sm.tsa.acf(days.t, nlags=1, fft=False)\n"
            "    return {'slope': round(fit.params['t'], 6), 'b': round(fit.params['C(kind)[T.b]'], 6),\n"
            "            'acf': round(lags[1], 2)}\n"
        )
        for _ in range(2):  # imported for the first program that names it, there for the next
            assert sandbox.run(program, {}).result == {"slope": 3.0, "b": 20.0, "acf": 0.94}

    def test_a_library_is_imported_for_the_first_program_that_names_it(self) -> None:
        unnamed = "import sys\ndef analysis():\n    return {'there': 'sci' 'py.stats' in sys.modules}\n"
        with open_sandbox() as fresh:
            found = [fresh.run(program, {}).result for program in (unnamed, unnamed + "# scipy\n")]
        assert found == [{"there": False}, {"there": True}]

    def test_polars_works_and_agrees_with_pandas(self, sandbox: Sandbox) -> None:
        program = (
            "import numpy as np\nimport polars as pl\n"
            "def analysis():\n"
            "    x = np.arange(9000.0)\n"
            "    frame = pl.DataFrame({'g': np.arange(9000) % 7, 'x': x, 's': ['a', 'b'] * 4500})\n"
            "    mean = frame.lazy().group_by('g').agg(pl.col('x').mean()).sort('g').collect()\n"
            "    wide = frame.pivot('s', index='g', values='x', aggregate_function='mean').sort('g')\n"
            "    joined = frame.lazy().join(frame.lazy().unique('g'), on='g').collect(engine='streaming')\n"
            "    plain = frame.to_pandas().groupby('g').x.mean()\n"
            "    return {'equal': mean['x'].to_list() == plain.tolist(), 'wide': list(wide.shape),\n"
            "            'joined': len(joined), 'rolling': frame['x'].rolling_mean(7)[-1]}\n"
        )
        expected = {"equal": True, "wide": [7, 3], "joined": 9000, "rolling": 8996.0}
        for _ in range(5):  # how many threads it takes differs from run to run
            assert sandbox.run(program, {}).result == expected

    def test_threads_take_turns(self, sandbox: Sandbox) -> None:
        results: list[int] = []

        def run(n: int) -> None:
            outcome = sandbox.run(f"def analysis():\n    return {{'n': {n}}}\n", {})
            results.append(outcome.result["n"] if outcome.result else -1)

        threads = [threading.Thread(target=run, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(results) == list(range(8))

    def test_it_outlives_the_thread_that_opened_it(self) -> None:
        opened: list[Sandbox] = []
        with ExitStack() as stack:
            thread = threading.Thread(target=lambda: opened.append(stack.enter_context(open_sandbox())))
            thread.start()
            thread.join()
            assert opened[0].run("def analysis():\n    return {'n': 1}\n", {}).result == {"n": 1}

    def test_nothing_goes_on_when_its_owner_is_killed(self) -> None:
        owner = subprocess.Popen(
            [sys.executable, "-c", OWNER_OF_AN_ENDLESS_PROGRAM], stdout=subprocess.PIPE, cwd=REPOSITORY
        )
        assert owner.stdout is not None
        with owner.stdout as said:
            said.readline()
        below = running_below(str(owner.pid))
        assert below
        owner.kill()
        owner.wait()
        for _ in range(100):
            if not any(is_running(pid) for pid in below):
                return
            time.sleep(0.1)
        pytest.fail("processes of the sandbox outlived their owner")

    def test_a_server_that_was_killed_is_told(self) -> None:
        with open_sandbox() as broken:
            for pid in running_below(str(broken._server._process.pid)):  # pyright: ignore[reportPrivateUsage]
                with suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            with pytest.raises(PhaError, match="it ended while a program ran"):
                broken.run("def analysis():\n    return {}\n", {})


class TestWithoutBubblewrap:
    def test_a_program_that_nobody_reviewed_is_refused(self, child: Sandbox) -> None:
        with pytest.raises(PhaError, match="bubblewrap is not installed") as caught:
            child.run("def analysis():\n    return {}\n", {})
        assert caught.value.code.name == "sandbox_missing"

    def test_a_reviewed_program_with_one_letter_changed_is_refused(self, child: Sandbox) -> None:
        program = reviewed_question("sleep_regularity").program
        with pytest.raises(PhaError, match="sandbox_missing"):
            child.run(program.replace("60", "61", 1), {})

    def test_a_reviewed_program_runs_in_a_child_process(self, child: Sandbox) -> None:
        outcome = child.run(reviewed_question("sleep_regularity").program, {})
        # Without frames it fails in its own code: it did run.
        assert (outcome.kind, outcome.error_type, outcome.isolation) == (
            "failed",
            "TypeError",
            "child_process",
        )

    @pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")
    def test_no_bubblewrap_leads_to_landlock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nowhere")
        assert sandbox_state() == ("landlock", "bubblewrap is not installed")

    def test_no_wall_at_all_leads_to_the_child_process(self) -> None:
        with open_sandbox("child_process") as weak:
            assert weak.isolation == "child_process"
            with pytest.raises(PhaError, match="sandbox_missing"):
                weak.run("def analysis():\n    return {}\n", {})

    @pytest.mark.parametrize(
        ("says", "reason"),
        [
            ("bwrap: No permissions to create new namespace", "user namespaces are not allowed here"),
            ("bwrap: Unknown option --disable-userns", "bubblewrap is older than 0.8"),
            ("bwrap: Can't find source path /home/jane", "it ended with code 1 while starting"),
        ],
    )
    def test_the_reason_is_told_without_paths(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: str, reason: str
    ) -> None:
        script = tmp_path / "bwrap"
        script.write_text(f'#!/bin/sh\necho "{says}" >&2\nexit 1\n')
        script.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(NotStartedError) as caught:
            start_in_bubblewrap()
        assert str(caught.value) == reason


class TestJudging:
    @pytest.mark.parametrize(
        ("status", "cpu", "kind"),
        [
            (24, 10.0, "time_limit"),
            (9, 11.0, "time_limit"),
            (9, 1.0, "memory_limit"),
            (11, 1.0, "failed"),
            (31, 0, "failed"),
        ],
    )
    def test_signals(self, status: int, cpu: float, kind: str) -> None:
        assert judge(b"", Ended(status, cpu), Limits(cpu_seconds=10), "", "bubblewrap").kind == kind

    def test_what_was_stopped_from_outside_is_named_so_whatever_it_wrote(self) -> None:
        ended = Ended(0, 0.0, "output_limit")
        assert judge(b'{"result": {}}', ended, Limits(), "", "bubblewrap").kind == "output_limit"

    @given(st.binary(max_size=200))
    def test_any_bytes_give_an_outcome_without_them(self, output: bytes) -> None:
        outcome = judge(output, Ended(0, 0.0), Limits(), "def analysis(): pass", "bubblewrap")
        assert outcome.kind in {"ok", "failed", "memory_limit", "result_invalid"}
        assert outcome.line in {None, 1}


@given(st.text(), st.dictionaries(st.text("ab_", min_size=1), st.binary()), st.integers(1, 9), st.integers(1))
def test_a_request_survives_packing(program: str, frames: dict[str, bytes], cpu: int, memory: int) -> None:
    program = program.encode("utf-8", "ignore").decode()
    request = Request(program, frames, cpu, memory)
    assert unpack(pack(request)) == request


class TestFilters:
    """The filters, read by a small interpreter of their instructions."""

    @staticmethod
    def decide(code: bytes, audit: int, number: int, *arguments: int) -> int:
        data = struct.pack("=iIQ6Q", number, audit, 0, *arguments, *[0] * (6 - len(arguments)))
        at, word = 0, 0
        while True:
            operation, if_true, if_false, operand = struct.unpack_from("HBBI", code, at * 8)
            at += 1
            if operation == 0x20:
                (word,) = struct.unpack_from("=I", data, operand)
            elif operation == 0x15:
                at += if_true if word == operand else if_false
            elif operation == 0x35:
                at += if_true if word >= operand else if_false
            else:
                return operand

    @pytest.mark.parametrize("may_look_up_paths", [True, False])
    @pytest.mark.parametrize("machine", seccomp.MACHINES.values(), ids=seccomp.MACHINES)
    def test_a_program_may_do_what_is_listed_and_nothing_else(
        self, machine: seccomp.Machine, may_look_up_paths: bool
    ) -> None:
        code = seccomp.filter_for_programs(machine, may_look_up_paths)
        lists = [ALLOWED_TO_PROGRAMS, FOR_THREADS, *([PATH_LOOKUPS] if may_look_up_paths else [])]
        allowed = {pair[machine.column] for calls in lists for pair in calls.values()} - {None}
        decisions = {number: self.decide(code, machine.audit, number) for number in range(600)}
        assert {number for number, action in decisions.items() if action == ALLOW} == allowed
        refused = {number: action for number, action in decisions.items() if number not in allowed}
        assert refused.pop(CLONE3[machine.column]) == ENOSYS  # so that the C library takes clone
        assert set(refused.values()) == {EPERM}

    @pytest.mark.parametrize("machine", seccomp.MACHINES.values(), ids=seccomp.MACHINES)
    def test_clone_starts_threads_and_nothing_else(self, machine: seccomp.Machine) -> None:
        code, clone = seccomp.filter_for_programs(machine, may_look_up_paths=True), CLONE[machine.column]
        assert self.decide(code, machine.audit, clone, THREAD) == ALLOW
        fork, vfork, new_user, traced = 0x11, 0x4111, THREAD | 0x10000000, THREAD | 0x2000
        for flags in (0, fork, vfork, new_user, traced, THREAD & ~0x10000):
            assert self.decide(code, machine.audit, clone, flags) == EPERM

    @pytest.mark.parametrize("machine", seccomp.MACHINES.values(), ids=seccomp.MACHINES)
    def test_the_start_of_a_thread_is_asked_about_or_refused(self, machine: seccomp.Machine) -> None:
        clone = CLONE[machine.column]
        for counted, action in ((True, ASK), (False, EPERM)):
            code = seccomp.filter_for_threads(machine, counted)
            assert self.decide(code, machine.audit, clone, THREAD) == action
            assert {self.decide(code, machine.audit, n) for n in range(600)} == {ALLOW}

    @pytest.mark.parametrize("machine", seccomp.MACHINES.values(), ids=seccomp.MACHINES)
    def test_fcntl_duplicates_and_nothing_else(self, machine: seccomp.Machine) -> None:
        code, fcntl = seccomp.filter_for_programs(machine, may_look_up_paths=True), FCNTL[machine.column]
        decisions = {command: self.decide(code, machine.audit, fcntl, 3, command) for command in range(1100)}
        assert {command for command, action in decisions.items() if action == ALLOW} == {1030}

    @pytest.mark.parametrize("machine", seccomp.MACHINES.values(), ids=seccomp.MACHINES)
    def test_the_server_may_do_all_but_what_is_listed(self, machine: seccomp.Machine) -> None:
        code = seccomp.filter_for_server(machine)
        refused = {pair[machine.column] for pair in REFUSED_TO_SERVER.values()}
        assert {n for n in range(600) if self.decide(code, machine.audit, n) == EPERM} == refused

    @pytest.mark.parametrize(
        "make",
        [partial(seccomp.filter_for_programs, may_look_up_paths=True), seccomp.filter_for_server],
        ids=["program", "server"],
    )
    def test_another_machine_or_numbering_is_killed(self, make: Callable[[seccomp.Machine], bytes]) -> None:
        x86, arm = seccomp.MACHINES["x86_64"], seccomp.MACHINES["aarch64"]
        assert self.decide(make(x86), arm.audit, 0) == KILL
        assert self.decide(make(x86), 0x40000003, 0) == KILL  # 32-bit calls of the same processor
        assert self.decide(make(x86), x86.audit, 0x40000000) == KILL
        assert self.decide(make(arm), x86.audit, 63) == KILL

    def test_what_a_program_may_do_is_not_refused_to_the_server(self) -> None:
        assert not set(ALLOWED_TO_PROGRAMS | FOR_THREADS | PATH_LOOKUPS) & set(REFUSED_TO_SERVER)

    def test_the_dangerous_calls_are_on_no_list_of_allowed_ones(self) -> None:
        dangerous = {
            "fork",
            "clone",
            "clone3",
            "execve",
            "socket",
            "ptrace",
            "kill",
            "tgkill",
            "fcntl",
            "prlimit64",
        }
        assert not dangerous & set(ALLOWED_TO_PROGRAMS | FOR_THREADS | PATH_LOOKUPS)
