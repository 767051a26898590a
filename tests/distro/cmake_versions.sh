#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests of CMake projects with the oldest CMake that knows HIP, with Debian 12's and with the newest. The test suite
# takes the one that is installed.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/cmake_versions.sh BUILD FOLDER [VERSION...]
Installs versions of CMake from PyPI into FOLDER, each into an environment of its own (what is there is used again), and
runs the tests toolchain.cmake_* of the build folder BUILD with each. A version is what pip takes behind "cmake": "==3.21.*".
Needs python3-venv and the network, and no root.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: no folder was named" >&2; exit 1; }
build=$1 folder=$2
shift 2
[ $# != 0 ] || set -- '==3.21.*' '==3.25.*' '>=4.4'
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
ctest=$(command -v ctest)
for version; do
  environment=$folder/cmake$version
  [ -x "$environment/bin/cmake" ] ||
    { python3 -m venv "$environment" && "$environment/bin/pip" install -q "cmake$version"; }
  PATH=$environment/bin:$PATH
  echo "== $(cmake --version | head -n 1)"
  "$ctest" --test-dir "$build" -R '^toolchain\.cmake_' --output-on-failure --no-tests=error
  PATH=${PATH#*:}
done
echo "all versions of CMake work"
