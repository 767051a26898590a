#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the generators of kernels for a time, on a build.
set -euo pipefail
usage() {
  cat <<'TEXT'
usage: bash tests/fuzz/run.sh BUILD [--seconds=N] [--seed=N] [--keep=FOLDER]
Runs fuzz_kernels of the build folder BUILD for N seconds (600), a twentieth of that with grids beyond 2^31 threads, and programs of
csmith for N seconds. Seeds begin with --seed (a random one). Programs that fail are kept in FOLDER (the current one). Ends with 0
only if all results are right. Installs csmith if it is missing, which needs root and Debian.
TEXT
}
build='' seconds=600 seed=$((RANDOM * 1000)) keep=.
for argument; do
  case "$argument" in
    --help) usage; exit 0 ;;
    --seconds=*) seconds=${argument#*=} ;;
    --seed=*) seed=${argument#*=} ;;
    --keep=*) keep=${argument#*=} ;;
    -*) usage >&2; exit 1 ;;
    *) build=$argument ;;
  esac
done
[ -n "$build" ] || { usage >&2; exit 1; }
packages=(csmith)
command -v csmith >/dev/null || { apt-get update -q && apt-get install -y -q --no-install-recommends "${packages[@]}"; }
mkdir -p "$keep"
status=0
generator=$build/tests/fuzz/kernels/fuzz_kernels
"$generator" --go-on --seconds="$seconds" --seed="$seed" --keep="$keep" || status=1
"$generator" --go-on --huge --seconds=$((seconds / 20)) --seed="$seed" --keep="$keep" || status=1
python3 "$(dirname "$0")/csmith/run.py" "$build" --seconds="$seconds" --seeds="$seed-$((seed + 1000000))" --keep="$keep" || status=1
exit "$status"
