"""What a hostile program tries, and what it gets. Each attack runs in the real sandbox."""

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from health_agents.sandbox import Limits, Outcome, Sandbox, open_sandbox
from health_agents.sandbox.inside.protocol import Request, pack
from health_agents.sandbox.outcome import judge

pytestmark = pytest.mark.sandbox

SECRET = "the-secret-of-this-test"
REFUSALS = {"PermissionError", "FileNotFoundError", "OSError"}
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module", params=["bubblewrap", "landlock"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """Each wall in its turn: every attack is tried on both."""
    os.environ["PROBE_SECRET"] = SECRET
    try:
        with open_sandbox(request.param) as started:
            if started.isolation != request.param:
                pytest.skip(f"{request.param} does not work on this machine (pha doctor says why)")
            yield started
            assert attempt(started, "return {'alive': True}").result == {"alive": True}
    finally:
        del os.environ["PROBE_SECRET"]


def only_in_bubblewrap(sandbox: Sandbox) -> None:
    if sandbox.isolation != "bubblewrap":
        pytest.skip("it is bubblewrap that hides this")


def attempt(
    sandbox: Sandbox, body: str, limits: Limits | None = None, frames: dict[str, pl.DataFrame] | None = None
) -> Outcome:
    """Run a program whose analysis has this body; os, sys, ctypes and np are imported."""
    lines = ["import ctypes, os, sys", "import numpy as np", "def analysis(**frames):", *body.splitlines()]
    program = "\n".join(lines[:3] + [f"    {line}" for line in lines[3:]])
    return sandbox.run(program, frames or {}, limits)


def refused(outcome: Outcome) -> bool:
    return outcome.kind == "failed" and outcome.error_type in {
        "PermissionError",
        "FileNotFoundError",
        "OSError",
    }


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/etc/hosts",
        "/root",
        "/home",
        "/proc/1/environ",
        "/proc/self/maps",
        "/sys",
        "/dev/shm",
        "/tmp",
    ],
)
def test_host_paths_are_not_there(sandbox: Sandbox, path: str) -> None:
    assert attempt(sandbox, f"return {{'there': os.path.exists({path!r})}}").result == {"there": False}


def test_the_project_and_its_data_are_not_there(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "P2.parquet").write_text("another participant")
    for path in (REPOSITORY, tmp_path / "P2.parquet"):
        assert refused(attempt(sandbox, f"os.stat({str(path)!r})"))


def test_only_the_interpreter_and_its_libraries_are_there(sandbox: Sandbox) -> None:
    only_in_bubblewrap(sandbox)
    outcome = attempt(sandbox, "return {'root': os.listdir('/'), 'packages': os.listdir('/packages')}")
    assert outcome.result is not None
    assert set(outcome.result["root"]) <= {"lib", "lib64", "usr", "python", "packages", "sandbox"}
    assert {"pandas", "polars"} <= set(outcome.result["packages"])
    assert not {"prefect", "pydantic", "google"} & set(outcome.result["packages"])


def test_no_way_leads_up_out_of_the_root(sandbox: Sandbox) -> None:
    for path in ("/../../etc/passwd", "/proc/1/root/etc/passwd", "/sandbox/inside/../../etc/passwd"):
        assert refused(attempt(sandbox, f"open({path!r})"))


def test_the_environment_holds_nothing_of_the_host(sandbox: Sandbox) -> None:
    outcome = attempt(sandbox, "return {'names': sorted(os.environ), 'all': str(dict(os.environ))}")
    assert outcome.result is not None
    assert SECRET not in outcome.result["all"]
    assert not {"HOME", "USER", "PATH", "PROBE_SECRET"} & set(outcome.result["names"])
    assert str(Path.home()) not in outcome.result["all"]


def test_bubblewrap_itself_has_an_empty_environment(sandbox: Sandbox) -> None:
    only_in_bubblewrap(sandbox)
    # Its environment is that of process 1 inside: --clearenv spares the child's only.
    processes = subprocess.run(["pgrep", "-P", str(os.getpid()), "bwrap"], capture_output=True, text=True)
    environments = [Path(f"/proc/{pid}/environ").read_bytes() for pid in processes.stdout.split()]
    assert environments
    assert set(environments) == {b""}


def test_names_of_the_host_are_hidden(sandbox: Sandbox) -> None:
    only_in_bubblewrap(sandbox)
    outcome = attempt(
        sandbox, "return {'where': [sys.prefix, sys.executable, np.__file__, *sys.path], 'uid': os.getuid()}"
    )
    assert outcome.result is not None
    assert all(path.startswith(("/python", "/packages", "/sandbox")) for path in outcome.result["where"])
    assert outcome.result["uid"] == 65534


@pytest.mark.parametrize(
    "body",
    [
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
        "import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
        "import socket; socket.socket(socket.AF_UNIX)",
        "import socket; socket.socketpair()",
        "import socket; s = socket.socket(fileno=3); s.sendmsg([b'x'])",
        "import socket; socket.getaddrinfo('localhost', 80); raise OSError",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000')",
    ],
)
def test_no_sockets(sandbox: Sandbox, body: str) -> None:
    outcome = attempt(sandbox, body)
    assert outcome.kind == "failed"


def test_a_listener_of_the_host_is_out_of_reach(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        assert refused(attempt(sandbox, f"import socket; socket.create_connection(('127.0.0.1', {port}))"))
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.parametrize(
    "body",
    [
        "os.fork()",
        "os.execv('/python/bin/python3', ['python'])",
        "os.posix_spawn(sys.executable, ['python'], {})",
        "import subprocess; subprocess.run([sys.executable, '-c', 'pass'])",
        "os.system('true') == 0 or os.fork()",
        "os.kill(1, 9)",
        "os.kill(os.getppid(), 9)",
        "os.killpg(0, 9)",
        "os.setuid(0)",
        "os.chroot('/')",
        "os.memfd_create('x')",
        "os.pidfd_open(1)",
        "os.sched_setaffinity(0, {0})",
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
        "import resource; resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))",
        "import fcntl; fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())",
        "import mmap; open('/dev/mem')",
    ],
)
def test_no_processes_and_no_rights(sandbox: Sandbox, body: str) -> None:
    outcome = attempt(sandbox, body)
    assert outcome.kind == "failed"
    assert outcome.error_type in {"PermissionError", "FileNotFoundError", "ValueError", "OSError"}


@pytest.mark.parametrize(
    ("name", "x86_64", "aarch64"),
    [
        ("clone", 56, 220),
        ("clone3", 435, 435),
        ("ptrace", 101, 117),
        ("process_vm_readv", 310, 270),
        ("mount", 165, 40),
        ("unshare", 272, 97),
        ("setns", 308, 268),
        ("bpf", 321, 280),
        ("io_uring_setup", 425, 425),
        ("userfaultfd", 323, 282),
        ("keyctl", 250, 219),
        ("tgkill", 234, 131),
        ("execveat", 322, 281),
        ("pidfd_getfd", 438, 438),
        ("shmget", 29, 194),
        ("dup", 32, 23),
    ],
)
def test_raw_system_calls_are_refused(sandbox: Sandbox, name: str, x86_64: int, aarch64: int) -> None:
    number = x86_64 if os.uname().machine == "x86_64" else aarch64
    body = (
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        f"returned = libc.syscall({number}, 0, 0, 0, 0, 0)\n"
        "return {'returned': returned, 'errno': ctypes.get_errno()}"
    )
    # clone3 isn't there rather than refused, so that the C library falls back to clone, whose flags are seen.
    assert attempt(sandbox, body).result == {"returned": -1, "errno": 38 if name == "clone3" else 1}, name


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="x32 numbers exist on x86_64 only")
def test_x32_numbers_end_the_program(sandbox: Sandbox) -> None:
    outcome = attempt(sandbox, "ctypes.CDLL(None).syscall(0x40000000 + 41, 1, 1, 0)")
    assert (outcome.kind, outcome.error_type) == ("failed", "SIGSYS")


@pytest.mark.parametrize("stack", [0, 32768])
def test_threads_are_counted(sandbox: Sandbox, stack: int) -> None:
    # Not by RLIMIT_NPROC, which binds no program of a host's root.
    body = (
        f"import threading, time\nthreading.stack_size({stack})\nstarted = 0\n"
        "try:\n"
        "    while True:\n"
        "        threading.Thread(target=time.sleep, args=(0.05,)).start()\n"
        "        started += 1\n"
        "except RuntimeError: return {'started': started}"
    )
    assert attempt(sandbox, body).result == {"started": 64}


def test_a_thread_is_as_confined_as_the_program(sandbox: Sandbox) -> None:
    body = (
        "import threading\nseen = []\n"
        "def attack():\n"
        "    for way in (os.fork, lambda: open('/etc/passwd'), lambda: os.kill(1, 9)):\n"
        "        try: seen.append(str(way()))\n"
        "        except OSError as error: seen.append('refused')\n"
        "thread = threading.Thread(target=attack)\nthread.start()\nthread.join()\n"
        "return {'seen': seen}"
    )
    assert attempt(sandbox, body).result == {"seen": ["refused"] * 3}


def test_threads_of_one_program_leave_the_next_its_own(sandbox: Sandbox) -> None:
    body = (
        "import threading, time\n"
        "for _ in range(60): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "return {'started': 60}"
    )
    for _ in range(3):
        assert attempt(sandbox, body).result == {"started": 60}


def test_threads_that_compute_share_one_limit(sandbox: Sandbox) -> None:
    body = (
        "import threading\n"
        "def spin():\n    while True: sum(range(1000))\n"
        "for _ in range(8): threading.Thread(target=spin).start()\n"
        "spin()"
    )
    assert attempt(sandbox, body, Limits(cpu_seconds=1, wall_seconds=30)).kind == "time_limit"


@pytest.mark.parametrize(
    "body",
    [
        "import pickle\nclass Bomb:\n    def __reduce__(self): return os.fork, ()\n"
        "return {'x': pickle.loads(pickle.dumps(Bomb()))}",
        "import pickle\npickle.loads(b\"cos\\nsystem\\n(S'touch x'\\ntR.\")\nos.fork()",
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.clone(ctypes.c_void_p(), ctypes.c_void_p(), 0x10000011, None) < 0: raise OSError('EINVAL')",
        "os.symlink('/etc/passwd', 'link')\nopen('link')",
        "os.link('/etc/passwd', 'link')",
        "os.unshare(0x10000000) if hasattr(os, 'unshare') else os.setgid(0)",
        "import time\ntime.clock_settime(time.CLOCK_REALTIME, 0)",
        "import signal\ntry: signal.setitimer(signal.ITIMER_REAL, 0.01)\n"
        "except signal.ItimerError as error: raise OSError from error",
        "os.setsid()",
        "os.nice(-5)",
        "os.dup2(0, 3)\nos.dup(3)",
        "os.pipe()",
        "import multiprocessing\nmultiprocessing.Process(target=print).start()",
    ],
)
def test_poisoned_bytes_links_namespaces_and_clocks(sandbox: Sandbox, body: str) -> None:
    outcome = attempt(sandbox, body)
    assert outcome.kind == "failed"
    assert outcome.error_type in REFUSALS | {"ModuleNotFoundError", "AttributeError"}


@pytest.mark.parametrize(
    "stream", [b"", b"ARROW1\0\0", b"\xff\xff\xff\xff\xf0\xff\xff\x7f", bytes(range(256))]
)
def test_a_poisoned_arrow_stream_ends_its_own_program_alone(sandbox: Sandbox, stream: bytes) -> None:
    server = sandbox._server  # pyright: ignore[reportPrivateUsage]
    program = "def analysis(**frames):\n    return {'ran': 1}\n"
    output, ended = server.run(pack(Request(program, {"labs_df": stream}, 5, 1 << 31)), Limits())
    assert judge(output, ended, Limits(), program, sandbox.isolation).kind != "ok"
    assert attempt(sandbox, "return {'alive': 1}").result == {"alive": 1}


def test_a_file_that_the_host_opens_later_is_not_inherited(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "P2.csv"
    path.write_text(SECRET)
    with path.open("rb") as other:
        os.set_inheritable(other.fileno(), True)
        body = (
            "found = []\n"
            "for fd in range(3, 64):\n"
            "    try: found.append(os.pread(fd, 99, 0).decode())\n"
            "    except OSError: pass\n"
            "return {'found': found}"
        )
        assert attempt(sandbox, body).result == {"found": []}


@pytest.mark.parametrize(
    "body",
    [
        "x = bytearray(1 << 33)",
        "x = np.ones(1 << 31)",
        "x = []\nwhile True: x.append(bytearray(1 << 24))",
        "x = 'a'\nwhile True: x += x",
    ],
)
def test_memory_is_limited(sandbox: Sandbox, body: str) -> None:
    assert attempt(sandbox, body, Limits(memory_bytes=1 << 30)).kind == "memory_limit"


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ],
)
def test_computing_is_limited(sandbox: Sandbox, body: str) -> None:
    assert attempt(sandbox, body, Limits(cpu_seconds=1, wall_seconds=30)).kind == "time_limit"


@pytest.mark.parametrize(
    "body",
    [
        "import time; time.sleep(60)",
        "os.close(3)\nimport time; time.sleep(60)",
        "os.write(3, b'{')\nimport time; time.sleep(60)",
    ],
)
def test_waiting_is_limited(sandbox: Sandbox, body: str) -> None:
    assert attempt(sandbox, body, Limits(wall_seconds=0.5)).kind == "time_limit"


@pytest.mark.parametrize(
    "body",
    [
        "return {'x': 'a' * 1_000_000}",
        "return {str(n): n for n in range(100_000)}",
        "while True: os.write(3, b'x' * 65536)",
    ],
)
def test_output_is_limited(sandbox: Sandbox, body: str) -> None:
    assert attempt(sandbox, body).kind == "output_limit"


def test_printing_goes_nowhere(sandbox: Sandbox, capfd: pytest.CaptureFixture[str]) -> None:
    body = "print('out'); print('err', file=sys.stderr); os.write(1, b'raw'); os.write(2, b'raw')\nreturn {}"
    assert attempt(sandbox, body).kind == "ok"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "path", ["/x", "/tmp/x", "/sandbox/inside/program.py", "/packages/six.py", "/python/x", "x"]
)
def test_nothing_can_be_written(sandbox: Sandbox, path: str) -> None:
    assert refused(attempt(sandbox, f"open({path!r}, 'w').write('x')"))


def test_no_other_descriptor_is_open(sandbox: Sandbox) -> None:
    body = (
        "found = []\n"
        "for fd in range(4096):\n"
        "    try: os.lseek(fd, 0, os.SEEK_CUR)\n"
        "    except OSError as error:\n"
        "        if error.errno == 9: continue\n"
        "    found.append(fd)\n"
        "return {'open': found}"
    )
    secret = os.open(__file__, os.O_RDONLY)
    os.set_inheritable(secret, True)
    try:
        result = attempt(sandbox, body).result
        with open_sandbox(sandbox.isolation) as other:
            result_of_later_one = attempt(other, body).result
    finally:
        os.close(secret)
    # 0 to 2 are the null device, 3 the program's own channel.
    assert result == result_of_later_one == {"open": [0, 1, 2, 3]}


@pytest.mark.parametrize(
    "body",
    [
        "return {'x': float('nan')}",
        "return {'x': float('inf')}",
        "return {'x': np.float64('nan')}",
        "return {'x': object()}",
        "return {('a', 'b'): 1}",
        "return [1]",
        "return None",
        "d = {}\nd['d'] = d\nreturn d",
        "class Odd(dict):\n    def items(self): raise ValueError('secret')\nreturn Odd(a=1)",
        "os._exit(0)",
        "os.write(3, b'not json'); os._exit(0)",
        'os.write(3, b\'{"result": {"x": NaN}}\'); os._exit(0)',
        'os.write(3, b\'{"result": {"x": 1e999}}\'); os._exit(0)',
        "os.write(3, b'{\"result\": [1]}'); os._exit(0)",
        "os.write(3, b'[' * 60000); os._exit(0)",
        "os.write(3, b'{\"result\": {\"x\": ' + b'9' * 5000 + b'}}'); os._exit(0)",
        'os.write(3, b\'{"result": {}}{"result": {}}\'); os._exit(0)',
        "os.write(3, bytes(range(128, 255))); os._exit(0)",
    ],
)
def test_poisoned_results_are_invalid(sandbox: Sandbox, body: str) -> None:
    assert attempt(sandbox, body).kind == "result_invalid"


@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError('weight 82 kg')",
        "raise type('weight82kg', (Exception,), {})('weight 82 kg')",
        "raise type('ValueError weight 82 kg', (ValueError,), {})",
        'os.write(3, b\'{"error": "weight 82 kg", "line": 82}\'); os._exit(0)',
        'os.write(3, b\'{"error": "KeyError", "line": "weight 82 kg"}\'); os._exit(0)',
        "sys.exit('weight 82 kg')",
        "raise KeyboardInterrupt('weight 82 kg')",
    ],
)
def test_an_error_carries_no_value_out(sandbox: Sandbox, body: str) -> None:
    outcome = attempt(sandbox, body)
    assert outcome.kind == "failed"
    assert "82" not in repr(outcome)


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        ("ctypes.string_at(0)", "SIGSEGV"),
        ("sys.setrecursionlimit(10**9)\ndef f(): return f()\nf()", None),
        ("ctypes.CDLL(None).abort()", None),
    ],
)
def test_a_crash_is_a_failure(sandbox: Sandbox, body: str, ending: str | None) -> None:
    outcome = attempt(sandbox, body, Limits(cpu_seconds=1))
    assert outcome.kind in {"failed", "memory_limit", "time_limit"}
    assert ending is None or outcome.error_type == ending


def test_a_library_patched_by_one_program_does_not_reach_the_next(sandbox: Sandbox) -> None:
    patch = (
        "import json\n"
        "np.mean = lambda x: 42\n"
        'json.dumps = lambda *a, **k: \'{"result": {"mean": 42}}\'\n'
        "sys.modules['pandas'] = None\n"
        "sys.path.insert(0, '/tmp')\n"
        "return {'mean': np.mean([1, 2])}"
    )
    honest = "import pandas\nreturn {'mean': np.mean([1, 2]), 'path': '/tmp' in sys.path}"
    assert attempt(sandbox, patch).result == {"mean": 42}
    assert attempt(sandbox, honest).result == {"mean": 1.5, "path": False}


def test_a_library_imported_late_is_not_patched_for_the_next_either(sandbox: Sandbox) -> None:
    patch = "import statsmodels.api as sm\nsm.OLS = 42\nsm.add_constant = len\nreturn {'patched': sm.OLS}"
    honest = "import statsmodels.api as sm\nreturn {'columns': sm.add_constant(np.arange(3.0)).shape[1]}"
    assert attempt(sandbox, patch).result == {"patched": 42}
    assert attempt(sandbox, honest).result == {"columns": 2}


def memory_of(pid: str) -> bytes:
    """All writable memory of a process."""
    chunks: list[bytes] = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights = line.split()[:2]
            if rights.startswith("rw") and "[v" not in line:
                start, end = (int(word, 16) for word in span.split("-"))
                memory.seek(start)
                chunks.append(memory.read(end - start))
    return b"".join(chunks)


def descendants(pid: str) -> list[str]:
    below = subprocess.run(["pgrep", "-P", pid], capture_output=True, text=True).stdout.split()
    return below + [deeper for child in below for deeper in descendants(child)]


def test_the_server_never_holds_data(sandbox: Sandbox) -> None:
    # So nothing of one participant is in the memory that the program of the next one inherits.
    frames = {"labs_df": pl.DataFrame({"value_text": ["MARKER" + "82kg" * 5]})}
    program = "assert frames['labs_df'].iloc[0, 0].endswith('82kg')\nreturn {'PROGRAM' 'TEXT82': 1}"
    assert attempt(sandbox, program, frames=frames).kind == "ok"
    try:
        first = str(sandbox._server._process.pid)  # pyright: ignore[reportPrivateUsage]
        memory = b"".join(memory_of(pid) for pid in [first, *descendants(first)])
    except PermissionError:
        pytest.skip("this machine does not let a process look into its children")
    assert b"run_and_exit" in memory  # the search finds what is there
    assert b"MARKER82kg" not in memory
    assert b"PROGRAM' 'TEXT82" not in memory


def test_text_of_the_data_is_never_run(sandbox: Sandbox) -> None:
    frames = {"labs_df": pl.DataFrame({"__import__('os')._exit(0)": ["'; raise SystemExit #"]})}
    outcome = attempt(sandbox, "return {'v': frames['labs_df'].iloc[0, 0]}", frames=frames)
    assert outcome.result == {"v": "'; raise SystemExit #"}
