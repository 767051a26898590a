#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests of the layer neo with Intel's driver, its compiler and the Level Zero loader of Debian sid.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/newer_intel_driver.sh BUILD FOLDER [PATTERN]
Unpacks Intel's driver, its compiler and the loader of Debian sid, and the libraries that they need, into FOLDER, and runs the tests
of the layer neo with them, as the build folder BUILD has them: all whose names match PATTERN (a regular expression of Python; all
that have been built by default). That driver no longer knows skl. Needs patchelf (Debian package patchelf), 270 MB in FOLDER and
no root. DEBIAN_MIRROR names another mirror than http://deb.debian.org/debian.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: a build folder and a folder for the packages are needed" >&2; exit 1; }
command -v patchelf > /dev/null || { echo "$0: patchelf is needed (Debian package patchelf)" >&2; exit 1; }
here=$(cd "$(dirname "$0")" && pwd)
source "$here/unpack_packages.sh"
unpack_newer_loader "$2"
unpack_packages sid "$2" libze-intel-gpu1 libigdgmm12 libigc2 zlib1g
ctest --test-dir "$1" -L neo --show-only=json-v1 | python3 "$here/run_with_libraries.py" "$loader" "$1" "${3:-}"
