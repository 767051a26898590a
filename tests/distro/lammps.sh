#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A large program end to end: LAMMPS, unchanged, with Kokkos' HIP back end by hipcc, beside its serial build and Kokkos' OpenMP back end.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
case "${1:---help}" in
  -*)
    cat <<TEXT
usage: bash tests/distro/lammps.sh BUILD FOLDER [BENCHMARK...]
Downloads LAMMPS of 4 February 2025 (Debian 13's source package) and Kokkos 4.7 into FOLDER and builds LAMMPS three times with its own
CMake files: serial, with Kokkos' OpenMP back end (-O3 -march=native), and with Kokkos' HIP back end by hipcc of the
configured build folder BUILD. Source files that the benchmarks do not need are left out (tests/lammps/prune.py), the others are as
they are. Then it runs LAMMPS' own benchmarks, all four (lj, eam, chain, rhodo) or those that are told:
  once with each build, and compares the thermodynamic output with the serial build's;
  in turns with OpenMP and HIP on the same processors, and prints how their times compare.
What is built already is not built again. A variable of the environment changes how it measures: ROUNDS (3) is how often.
Needs curl, xz, CMake, Ninja, Python, the OpenMP library of the clang that
HIPLZ is built with, half an hour or more, and no root.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: a build folder and a folder for LAMMPS are needed" >&2; exit 1; }
build=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2

. "$here/kokkos_sources.sh"
archive=$folder/lammps_20250204+dfsg.1.orig.tar.xz
[ -f "$archive" ] || curl -fsSL -o "$archive" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}/pool/main/l/lammps/${archive##*/}"
echo "3671165bd52fad36734e0a9136c5bc5ecb225e03988f8c89aa13366a8b53b1c7  $archive" | sha256sum --check --quiet
if [ ! -d "$folder/lammps" ]; then
  rm -rf "$folder/unpacked"
  mkdir "$folder/unpacked"
  tar -x -f "$archive" -C "$folder/unpacked" --strip-components=1 --wildcards '*/cmake' '*/src' '*/lib/README' '*/tools' '*/bench'
  python3 "$here/../lammps/prune.py" "$folder/unpacked/src"
  ln -s "$folder/source" "$folder/unpacked/lib/kokkos" # where LAMMPS has a copy of Kokkos itself, which Debian takes out
  mv "$folder/unpacked" "$folder/lammps"
fi

cmake --build "$build" --target hiplz hiplz_toolchain hiplz_clang hiplz_offload_bundler hipcc hipconfig ze_hiplz_cpu \
  ze_hiplz_cpu_compiler hiplz_cpu_builtins
stage=$(cd "$build/stage" && pwd)
clang=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

# build_lammps NAME OPTION...: configures LAMMPS in FOLDER/NAME and builds it.
build_lammps() {
  local name=$1
  shift
  cmake -G Ninja -S "$folder/lammps/cmake" -B "$folder/$name" -DCMAKE_BUILD_TYPE=Release -DBUILD_MPI=OFF -DWITH_JPEG=OFF \
    -DWITH_PNG=OFF -DWITH_GZIP=OFF -DWITH_FFMPEG=OFF -DWITH_CURL=OFF -DFFT=KISS -DPKG_MOLECULE=ON -DPKG_MANYBODY=ON \
    -DPKG_KSPACE=ON -DPKG_RIGID=ON "$@" > "$folder/$name.log" 2>&1 || { tail -n 20 "$folder/$name.log"; exit 1; }
  cmake --build "$folder/$name" --target lmp -- -k 0
}
build_lammps serial -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG -w" -DBUILD_OMP=OFF
# GFX1100 stands for warps of 32 threads.
build_lammps hip -DCMAKE_CXX_COMPILER="$stage/bin/hipcc" -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG -w" -DBUILD_OMP=OFF -DPKG_KOKKOS=ON \
  -DFFT_KOKKOS=KISS -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_HIP=ON -DKokkos_ARCH_AMD_GFX1100=ON -DKokkos_ENABLE_ROCTHRUST=OFF
build_lammps openmp -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_CXX_FLAGS_RELEASE="-O3 -march=native -DNDEBUG -w" -DBUILD_OMP=ON -DPKG_KOKKOS=ON \
  -DFFT_KOKKOS=KISS -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP=ON

export KOKKOS_DISABLE_WARNINGS=1 HIPLZ_CACHE_DIR="$folder/cache"
exec python3 "$here/../lammps/compare.py" "$folder" --rounds="${ROUNDS:-3}" "$@"
