#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a build of Level Zero's conformance tests against the CPU driver and says what came of each program.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/level_zero_tests.sh BUILD SUITE FOLDER [PROGRAM...]
Runs the test programs that are there in SUITE, a build folder of oneapi-src/level-zero-tests, or those that are named, with the
driver of the build folder BUILD behind Debian sid's loader, which is unpacked into FOLDER. FOLDER/results has a file for each
program with the outcome of each case, and FOLDER/table.md the table: cases passed, failed and skipped by program, then failures
and skips grouped by test, each with its first message.
The suite needs Boost 1.79, GoogleTest, libpng and the headers of Level Zero 1.17; on Debian 12: libboost1.81 unpacked or
installed, googletest, libpng-dev, and libze-dev of sid unpacked. One part of it will do: what was not built is left out.
HIPLZ_CPU_DEVICES is 2 unless it is set, for the tests that need two devices; test_p2p gets 20, and what
test_copy skips is tried again with two drivers. CASE_SECONDS is the time limit of a case (default
60), PROGRAM_SECONDS that of a program (default 3600). Needs patchelf and cmake, no root.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 3 ] || { echo "$0: a build folder, a build of the suite and a folder for the results are needed" >&2; exit 1; }
command -v patchelf > /dev/null || { echo "$0: patchelf is needed (Debian package patchelf)" >&2; exit 1; }
here=$(cd "$(dirname "$0")" && pwd)
source "$here/unpack_packages.sh"
stage=$(cd "$1/stage" && pwd)
suite=$(cd "$2" && pwd)
mkdir -p "$3"
folder=$(cd "$3" && pwd)
unpack_newer_loader "$folder/packages"

# Programs, kernels and pictures as the suite installs them, into a place that was chosen when it was configured; each of its folders by
# itself, because parts may be missing. Programs start others, so loader and libraries have to stand in them: see newer_loader.sh.
find "$suite" -name cmake_install.cmake -path '*_tests/*' | while read -r script; do
  cmake -DCMAKE_INSTALL_LOCAL_ONLY=ON -P "$script" > /dev/null 2>&1 || true
done
installed=$folder/installed
rm -rf "$installed"
cp -r "$(sed -n 's/^CMAKE_INSTALL_PREFIX:PATH=//p' "$suite/CMakeCache.txt")" "$installed"
find "$installed" -type f -perm -u+x | while read -r program; do
  patchelf --set-interpreter "$loader/ld-linux-x86-64.so.2" --force-rpath --set-rpath "$loader" "$program"
done

# A second driver is a copy of the first, beside the same compiler.
mkdir -p "$folder/second/lib"
cp "$stage/lib/libze_hiplz_cpu.so.1" "$folder/second/lib/"
ln -sfn "$stage/lib/hiplz" "$folder/second/lib/hiplz"

export ZE_ENABLE_ALT_DRIVERS=$stage/lib/libze_hiplz_cpu.so.1 HIPLZ_CPU_AS_GPU=1 HIPLZ_CPU_DEVICES=${HIPLZ_CPU_DEVICES:-2}
export HIPLZ_CACHE_DIR=$folder/cache
python3 "$here/level_zero_tests.py" "$installed" "$folder" "${@:4}"
