#!/bin/sh
# Makes .venv of the locked packages on the machine's own Python: requirements-ocr.lock, which adds the reading of
# scanned pages, or requirements.lock where that cannot be had. Needs no root where Python and its venv
# module are there; on Debian it installs the missing venv package when it may.
set -eu
python=${1:-python3}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null 2>&1; then sudo -n "$@"; else return 1; fi
}

if ! command -v "$python" >/dev/null 2>&1 || ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    if command -v apt-get >/dev/null 2>&1 && as_root apt-get update -qq && as_root apt-get install -y -qq python3 python3-venv; then
        :
    else
        echo "Python 3.11 or newer with its venv module is missing." >&2
        echo "  Debian or Ubuntu: apt-get install python3 python3-venv    macOS: brew install python@3.12" >&2
        exit 1
    fi
fi
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Python 3.11 or newer is needed; give it with: make PYTHON=/path/to/python3.11 ..." >&2
    exit 1
}

[ -x .uv/bin/uv ] || { "$python" -m venv .uv && .uv/bin/python -m pip install --quiet --disable-pip-version-check uv; }
interpreter=$("$python" -c 'import sys; print(sys.executable)')
[ -x .venv/bin/python ] || .uv/bin/uv venv --quiet --no-config --python "$interpreter" .venv
unset PYTHONDONTWRITEBYTECODE || true
export UV_SYSTEM_CERTS=true  # as pip does: the certificates this machine trusts
sync() { .uv/bin/uv pip sync --quiet --require-hashes --compile-bytecode --python .venv/bin/python "$1"; }
sync requirements-ocr.lock || {
    echo "Scanned lab reports cannot be read on this machine (no packages for it); all else works." >&2
    sync requirements.lock
}
.uv/bin/uv pip install --quiet --no-deps --no-build-isolation --python .venv/bin/python --editable .
