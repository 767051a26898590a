#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Proves the two commands of the README on a bare Debian 13, whose LLVM is 19 and whose Level Zero loader is 1.20.
usage() {
  cat <<'TEXT'
usage: bash tests/distro/debian13.sh FOLDER [OPTION of tests/run.sh...]
Makes a Debian 13 in FOLDER, clones this checkout's HEAD into it, and times samples/run.sh and tests/run.sh there.
Run as root. FOLDER is created (or reused if it holds a Debian already; packages installed by an earlier run then stay).
Intel's driver is not in Debian 13, so the layer neo is skipped.
TEXT
}
source "$(dirname "${BASH_SOURCE[0]}")/bare_debian.sh"

make_debian trixie "$1"
inside "bash samples/run.sh"
inside "bash tests/run.sh ${*:2}"
