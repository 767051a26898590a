#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# find_package.sh WAY STAGE PREFIX CLANG FOLDER: builds tests/ecosystem/project in FOLDER in one of three WAYs and runs its programs.
# hipcc and clang take C++ sources with the targets of the libraries, which bring hip::device; hip is CMake's language HIP.
set -euo pipefail
way=$1 stage=$2 prefix=$3 clang=$4 folder=$5
case $way in
  hipcc) options=("-DCMAKE_CXX_COMPILER=$stage/bin/hipcc") ;;
  clang) options=("-DCMAKE_CXX_COMPILER=$clang") ;;
  hip) options=(-DAS_HIP=ON "-DCMAKE_HIP_COMPILER=$stage/lib/hiplz/clang/clang++") ;;
  *) echo "$0: $way?" >&2; exit 1 ;;
esac
rm -rf "$folder"
cmake -S "$(dirname "$0")/project" -B "$folder" -G Ninja "-DCMAKE_PREFIX_PATH=$stage;$prefix/usr" "${options[@]}"
cmake --build "$folder"
ctest --test-dir "$folder" --output-on-failure --no-tests=error
