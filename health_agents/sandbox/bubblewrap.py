"""The command line of the sandbox: bubblewrap with nothing of the host in it but a read-only interpreter."""

import shutil
import sys
import sysconfig
from pathlib import Path

PACKAGES = (
    "numpy", "numpy.libs", "scipy", "scipy.libs", "pandas", "pandas.libs", "pyarrow", "pyarrow.libs",
    "polars", "_polars_runtime_32", "_polars_runtime_64", "_polars_runtime_compat",
    "statsmodels", "statsmodels.libs", "patsy", "formulaic", "interface_meta", "wrapt", "narwhals",
    "typing_extensions.py", "packaging", "dateutil", "six.py", "tzdata",
)  # fmt: skip
SERVER_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "PYTHONWARNINGS": "ignore",
    "PYTHONTZPATH": "",
    "TZ": "UTC",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "POLARS_MAX_THREADS": "1",
}
PYTHON_FLAGS = ("-s", "-S", "-B", "-P")
_NOBODY = "65534"
_LIBRARY_FOLDERS = ("/lib", "/lib64", "/usr/lib64")


def find() -> str | None:
    """The path of bubblewrap, or None."""
    return shutil.which("bwrap")


def command(bubblewrap: str, seccomp_descriptor: int) -> list[str]:
    """The command up to the interpreter and its flags; the module to run follows.

    Paths inside are neutral (/python, /packages, /sandbox), so that a program learns no name of the host.
    Nothing is writable and there is no /proc: what one program leaves behind the next could read.
    """
    folder = f"python{sys.version_info.major}.{sys.version_info.minor}"
    interpreter = f"/python/bin/{folder}"
    library_path = ":".join(["/python/lib", "/packages/numpy.libs"])
    environment = SERVER_ENVIRONMENT | {
        "PYTHONPATH": "/sandbox:/packages",
        "PYTHONHOME": "/python",
        "LD_LIBRARY_PATH": library_path,
    }
    return [
        bubblewrap, "--unshare-all", "--unshare-user", "--disable-userns",
        "--new-session", "--cap-drop", "ALL", "--uid", _NOBODY, "--gid", _NOBODY, "--hostname", "sandbox",
        "--clearenv", *(word for name, value in environment.items() for word in ("--setenv", name, value)),
        *_system_libraries(), *_interpreter(interpreter, folder), *_packages(),
        "--ro-bind", str(Path(__file__).with_name("inside")), "/sandbox/inside",
        "--remount-ro", "/", "--chdir", "/", "--seccomp", str(seccomp_descriptor),
        "--", interpreter, *PYTHON_FLAGS,
    ]  # fmt: skip


def _system_libraries() -> list[str]:
    """The C library and its like: the loader's folders as they are, and the one of this machine's triplet."""
    words: list[str] = []
    triplet = sysconfig.get_config_var("MULTIARCH")
    if triplet and Path(f"/usr/lib/{triplet}").is_dir():
        words += ["--ro-bind", f"/usr/lib/{triplet}", f"/usr/lib/{triplet}"]
    for folder in _LIBRARY_FOLDERS:
        path = Path(folder)
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), folder]
        elif path.is_dir():
            words += ["--ro-bind", folder, folder]
    loaders = [*Path("/usr/lib").glob("ld-linux*.so*")] if Path("/lib").is_symlink() else []
    return words + [word for loader in loaders for word in ("--ro-bind", str(loader), str(loader))]


def _interpreter(interpreter: str, folder: str) -> list[str]:
    words = ["--ro-bind", str(Path(sys.executable).resolve()), interpreter]
    standard = sysconfig.get_path("stdlib", vars=None)
    words += ["--ro-bind", standard, f"/python/{sys.platlibdir}/{folder}"]
    shared, name = sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME")
    if shared and name and name.startswith("libpython") and (library := Path(shared) / name).is_file():
        words += ["--ro-bind", str(library), f"/python/lib/{name}"]
    return words


def _packages() -> list[str]:
    folder = Path(sysconfig.get_path("platlib"))
    present = [name for name in PACKAGES if (folder / name).exists()]
    return [word for name in present for word in ("--ro-bind", str(folder / name), f"/packages/{name}")]
