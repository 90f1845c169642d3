#!/bin/sh
# Installs tesseract, the second opinion on scanned lab reports, where it can. Its absence stops nothing: scans are
# then read by one engine, with stricter doubts.
set -u
command -v tesseract >/dev/null 2>&1 && exit 0
if command -v apt-get >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ]; then sudo=""; else sudo="sudo -n"; fi
    # shellcheck disable=SC2086  # empty for root
    $sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends tesseract-ocr tesseract-ocr-eng >/dev/null && exit 0
fi
echo "note: tesseract is missing (apt-get install tesseract-ocr, brew install tesseract); scans get no second opinion."
exit 0
