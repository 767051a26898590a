#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Proves the two commands of the README on a bare Debian 12.
usage() {
  cat <<'TEXT'
usage: bash tests/distro/bare_debian12.sh FOLDER [--samples-only]
Makes a Debian 12 in FOLDER, clones this checkout's HEAD into it, and times samples/run.sh and tests/run.sh there.
Run as root. FOLDER is created (or reused if it holds a Debian already; packages installed by an earlier run then stay).
TEXT
}
source "$(dirname "${BASH_SOURCE[0]}")/bare_debian.sh"

make_debian bookworm "$1"
inside "bash samples/run.sh"
[ "${2:-}" = --samples-only ] || inside "bash tests/run.sh"
