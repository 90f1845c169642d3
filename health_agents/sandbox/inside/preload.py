"""Import what programs use before they run: for speed, or, where they can open no file, once and whole."""

import importlib
import pkgutil
import zoneinfo
from collections.abc import Iterator
from types import ModuleType

import pyarrow as pa

LIBRARIES = ("numpy", "pandas", "polars", "scipy", "dateutil")
_FOR_FRAMES = ("numpy", "pandas", "pyarrow.pandas_compat", "pyarrow.compute")
_ON_DEMAND = {
    "polars": ("polars",),
    "scipy": ("scipy.optimize", "scipy.stats"),
    "statsmodels": ("statsmodels.api", "statsmodels.formula.api"),
}
_STANDARD = (
    "abc", "array", "ast", "base64", "bisect", "calendar", "cmath", "collections", "contextlib", "copy",
    "csv", "ctypes", "dataclasses", "datetime", "decimal", "difflib", "enum", "fractions", "functools",
    "gc", "hashlib", "heapq", "inspect", "io", "itertools", "json", "locale", "logging", "math",
    "numbers", "operator", "os", "pathlib", "pickle", "platform", "pprint", "queue", "random", "re",
    "resource", "secrets", "signal", "statistics", "string", "struct", "sys", "textwrap", "threading",
    "time", "traceback", "types", "typing", "unicodedata", "uuid", "warnings", "weakref", "zlib",
    "zoneinfo", "encodings.ascii", "encodings.cp1252", "encodings.latin_1", "encodings.idna",
    "encodings.utf_8_sig", "encodings.utf_16",
)  # fmt: skip
_NOT_FOR_PROGRAMS = ("test", "conftest", "_test", "f2py", "setup", "__main__", "_pyinstaller")
_zones: list[object] = []


def for_frames() -> None:
    """Import what every program needs."""
    for name in _FOR_FRAMES:
        importlib.import_module(name)
    pa.array([""]).to_pandas()  # pyarrow looks for pandas at the first conversion only


def on_demand(library: str) -> None:
    """Import a library that a program is going to use: half a second or two that most programs need not."""
    for name in _ON_DEMAND[library]:
        importlib.import_module(name)


def everything() -> None:
    """Import every module that a program may ask for, and read every time zone.

    Afterwards an import or a zone needs no file; what is not here is not there for a program.
    """
    for name in _STANDARD:
        importlib.import_module(name)
    for name in LIBRARIES:
        _import_below(name)
    on_demand("statsmodels")  # not all below it: some of its modules are scripts
    plain = importlib.import_module("zoneinfo._zoneinfo")  # pandas asks its twins in plain Python
    for key in zoneinfo.available_timezones():
        _zones.extend((zoneinfo.ZoneInfo(key), plain.ZoneInfo(key)))


def _import_below(package: str) -> None:
    for name, is_package in _members(package):
        if is_package:
            _import_below(name)
        else:
            _try_import(name)


def _members(package: str) -> Iterator[tuple[str, bool]]:
    module = _try_import(package)
    if module is not None:
        for found in pkgutil.iter_modules(module.__path__, f"{package}."):
            if not found.name.rpartition(".")[2].startswith(_NOT_FOR_PROGRAMS):
                yield found.name, found.ispkg


def _try_import(name: str) -> ModuleType | None:
    # Some modules need packages that are not here, such as matplotlib; for programs they are missing anyway.
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
