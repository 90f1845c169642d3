#!/bin/sh
# Installs bubblewrap, the jail for analysis programs, where it can. Its absence stops nothing here:
# `pha doctor` says what then does not work.
set -u
command -v bwrap >/dev/null 2>&1 && exit 0
if [ "$(uname)" != Linux ]; then
    echo "note: bubblewrap exists on Linux only; reviewed programs run in a limited child process (pha doctor)."
    exit 0
fi
if command -v apt-get >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ]; then sudo=""; else sudo="sudo -n"; fi
    # shellcheck disable=SC2086  # empty for root
    $sudo apt-get update -qq && $sudo apt-get install -y -qq bubblewrap >/dev/null && exit 0
fi
echo "note: bubblewrap is missing (apt-get install bubblewrap, dnf install bubblewrap); see pha doctor."
exit 0
