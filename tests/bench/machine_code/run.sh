#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bench_compute with machine code for gfx1030, as clang 15 compiles it with AMD's headers, beside the same source compiled by HIPLZ's hipcc.
# usage: run.sh BUILD FOLDER [options of bench_compute]   (AMD's packages are unpacked below FOLDER; bench_compute is built in BUILD)
# Prints for each kernel how fast the machine code is, hipcc's being 1, and the geometric mean.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '3,5s/^# //p' "$0"; exit 1; }
build=$(realpath "$1")
sources=$(realpath "$(dirname "$0")/../compute")
. "$sources/../../distro/amd_compiler.sh"
mkdir -p "$2"
cd "$2"
unpack_amd debian12
shift 2
objects=()
for source in "$sources"/suite.cpp "$sources"/*.hip; do
  object=$(basename "$source").o
  amdclang -x hip -O3 -std=c++20 -ffast-math -c "$source" -o "$object"
  objects+=("$object")
done
amdclang "${objects[@]}" "$build"/tests/bench/compute/native*.o "$build/tests/bench/compute/libbench_compute_host.a" -o machine_code -ldl -lgomp
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 # idle threads of the OpenMP forms would count with --processor-time
status=0
"$build/stage/bench/bench_compute" --csv=ours.csv "$@" || status=1
LD_LIBRARY_PATH=$build/stage/lib/hiplz/amdhip64:$build/stage/lib ./machine_code --csv=machine_code.csv "$@" || status=1
awk -F, 'FNR == 1 { next }
  NR == FNR { ours[$1] = $3; next }
  $1 in ours { ratio = $3 / ours[$1]; logs += log(ratio); ++count; printf "%-22s %6.2f\n", $1, ratio }
  END { if (count) printf "%-22s %6.2f (%d)\n", "geometric mean", exp(logs / count), count }' ours.csv machine_code.csv
exit "$status"
