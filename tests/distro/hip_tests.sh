#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds AMD's own tests of HIP, unchanged, with an installed HIPLZ, runs each test case by itself, and counts by chapter.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
jobs=2
limit=120
build=yes
while [ $# != 0 ]; do
  case $1 in
    -j*) jobs=${1#-j} ;;
    --limit=*) limit=${1#--limit=} ;;
    --no-build) build=no ;;
    -*)
      cat <<TEXT
usage: bash tests/distro/hip_tests.sh [-jN] [--limit=SECONDS] [--no-build] CLONE PREFIX FOLDER [CHAPTER...]
CLONE is a clone of https://github.com/ROCm/hip-tests, PREFIX an installed HIPLZ (or stage of a build folder). Configures the
clone's Catch tests in FOLDER, builds each CHAPTER (a folder of catch/unit; without one, all of
them, with the mathematics last) with N compilers at a time (default: 2), and runs its test cases one by one, each for at most
SECONDS (default: 120). --no-build runs what is there. All of it takes several hours of processor time, most of it compilation.
Leaves in FOLDER: results.tsv (chapter, outcome, case, program), logs/CASE.txt, and table.txt with the counts and, for each
case that failed, its cause from $here/hip_tests_causes.tsv.
Cases on AMD's own list of disabled tests for Linux are not run. Needs CMake, Ninja, Python and cpp.
TEXT
      [ "$1" = --help ]; exit ;;
    *) break ;;
  esac
  shift
done
[ $# -ge 3 ] || { echo "$0: a clone, a prefix and a folder are needed (--help)" >&2; exit 1; }
clone=$(cd "$1" && pwd)
prefix=$(cd "$2" && pwd)
mkdir -p "$3"
folder=$(cd "$3" && pwd)
shift 3
first="memory stream event graph device kernel module rtc texture surface atomics warp cooperativeGrps errorHandling occupancy printf"
last="deviceLib math"
if [ $# = 0 ]; then
  others=$(cd "$clone/catch/unit" && for each in */; do echo "${each%/}"; done)
  for each in $first $last; do others=$(sed "/^$each\$/d" <<< "$others"); done
  # shellcheck disable=SC2086 # words are wanted
  set -- $first $others $last
fi

# AMD keeps its list of disabled tests as a text for the preprocessor. No GPU is defined: what is disabled for one of them is run.
cpp -P -w -DGITHASH='""' "$clone/catch/hipTestMain/config/config_amd_linux" > "$folder/disabled.json"
programs=$folder/build
if [ ! -f "$programs/build.ninja" ]; then
  cmake -G Ninja -S "$clone/catch" -B "$programs" -DHIP_PLATFORM=amd -DHIP_PATH="$prefix" -DROCM_PATH="$prefix" \
    > "$folder/configure.log" 2>&1 || { tail -n 20 "$folder/configure.log"; exit 1; }
fi
ninja -C "$programs" -t query build_tests > "$folder/targets.txt"
for chapter in "$@"; do
  mapfile -t targets < <(sed -n -E "s, +(\|\|? )?(catch_tests/unit/$chapter/.*),\2,p" "$folder/targets.txt" | sort -u)
  if [ ${#targets[@]} = 0 ]; then
    echo "$chapter: nothing to build"
    continue
  fi
  if [ $build = yes ]; then # the others are run all the same
    nice -n 5 ninja -C "$programs" -k 0 -j "$jobs" "${targets[@]}" > "$folder/build_$chapter.log" 2>&1 || true
  fi
  python3 "$here/run_catch_cases.py" "$folder" "$clone" "$chapter" "$limit"
done
python3 "$here/run_catch_cases.py" "$folder" --table "$here/hip_tests_causes.tsv" | tee "$folder/table.txt"
