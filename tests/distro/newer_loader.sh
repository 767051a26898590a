#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests of the CPU driver behind the Level Zero loader of Debian sid, with its layers and without.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/newer_loader.sh BUILD FOLDER [OPTION of driver_tests...]
Unpacks the loader of Debian sid, and the C and C++ libraries that it needs, into FOLDER, and runs the driver tests of the build
folder BUILD with it: as they are, with the validation layer, with its checks of leaks, threads and features, and with the
tracing layer. The layers have to be silent. Two checks of the validation layer cannot be used: ZE_ENABLE_HANDLE_LIFETIME refuses
every command for an immediate list, which it takes for closed, and ZEL_ENABLE_EVENTS_CHECKER crashes with several threads. Needs
patchelf (Debian package patchelf) and no root. DEBIAN_MIRROR names another mirror than http://deb.debian.org/debian.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: a build folder and a folder for the packages are needed" >&2; exit 1; }
command -v patchelf > /dev/null || { echo "$0: patchelf is needed (Debian package patchelf)" >&2; exit 1; }
source "$(dirname "$0")/unpack_packages.sh"
folder=$2
stage=$(cd "$1/stage" && pwd)
unpack_newer_loader "$folder"
[ -x "$stage/bin/driver_tests" ] || { echo "$0: build the target driver_tests first" >&2; exit 1; }

# The tests start themselves again, so the dynamic linker and the libraries have to stand in the program. LD_LIBRARY_PATH would
# reach the driver's compiler too, which is a program of this system.
program=$folder/driver_tests
cp "$stage/bin/driver_tests" "$program"
patchelf --set-interpreter "$loader/ld-linux-x86-64.so.2" --force-rpath --set-rpath "$loader" "$program"
version=$(basename "$(readlink -f "$loader/libze_loader.so.1")")
export HIPLZ_CACHE_DIR=$folder/cache

# run TITLE VARIABLE=VALUE...: the tests, and nothing in the output that a layer has written.
run() {
  local title=$1 output=$folder/driver_tests.txt
  shift
  echo "== $version, $title"
  if ! env "$@" "$program" "${options[@]}" > "$output" 2>&1; then
    grep -E 'FAILED|Failure' -A4 "$output" || tail -n 20 "$output"
    exit 1
  fi
  if grep -E '\[(error|warning|warn)\]|ZE_VALIDATION|ZE_TRACING|LEAK = [1-9]' "$output"; then
    echo "$0: a layer complains" >&2
    exit 1
  fi
  tail -n 3 "$output"
}
options=("${@:3}")
run "no layer"
run "validation layer" ZE_ENABLE_VALIDATION_LAYER=1 ZE_ENABLE_PARAMETER_VALIDATION=1
# Children end with everything still there, and one test leaves memory to the end of its context.
options=(--gtest_filter=-Process.*:Device.ContextsOfSomeDevices "${options[@]}")
run "validation layer, further checks" ZE_ENABLE_VALIDATION_LAYER=1 ZEL_ENABLE_BASIC_LEAK_CHECKER=1 \
  ZE_ENABLE_THREADING_VALIDATION=1 ZEL_ENABLE_CERTIFICATION_CHECKER=1
options=("${@:3}")
run "tracing layer" ZE_ENABLE_TRACING_LAYER=1
