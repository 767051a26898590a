#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Proves that the .deb packages name everything that they need: installs them with apt in a bare Debian 12, compiles there
# and runs. The test toolchain.debian_packages installs them in a copy of this system, which has all that already.
usage() {
  cat <<'TEXT'
usage: bash tests/distro/debian12_packages.sh BUILD FOLDER
Makes the packages of the build folder BUILD, makes a bare Debian 12 in FOLDER with debootstrap (about 2 GB; what is there is
used again), and there installs the packages, compiles and runs programs, also beside Debian's own HIP, has lintian look at
the packages, and removes them. Needs root and the network.
TEXT
}
source "$(dirname "${BASH_SOURCE[0]}")/bare_debian.sh"
[ $# = 2 ] || { usage >&2; exit 1; }
build=$1
make_debian bookworm "$2"
rm -rf "$folder/packages"
cpack --config "$build/CPackConfig.cmake" -B "$folder/packages" >/dev/null
cp "$source_tree"/tests/toolchain/programs/{square.hip,check.h} "$folder/packages/"
cat >"$folder/packages/compile_at_run_time.cpp" <<'C'
#include <hip/hiprtc.h>
int main() {
  hiprtcProgram program;
  return hiprtcCreateProgram(&program, "__global__ void f(int *p) { *p = threadIdx.x; }", "f.hip", 0, nullptr, nullptr) ||
         hiprtcCompileProgram(program, 0, nullptr);
}
C
cat >"$folder/packages/interop.cpp" <<'C'
#include <hip/hip_runtime_api.h>
#include <hiplz/interop.h>
int main() { return hipInit(0); }
C
cat >"$folder/packages/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.21)
project(square LANGUAGES CXX HIP)
add_executable(square square.hip)
C
install='DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends'
inside "apt-get update -q && cd /packages && $install ./libhiplz1_*.deb ./hiplz-cpu_*.deb && hiplz-info"
inside "cd /packages && $install ./*.deb && hipconfig --check"
inside "cd /packages && hipcc square.hip -o square && ./square"
inside "cd /packages && hipcc compile_at_run_time.cpp -lhiprtc -o compile_at_run_time && ./compile_at_run_time"
inside "$install cmake ninja-build g++ && cd /packages && cmake -B build -G Ninja && cmake --build build && build/square"
compile_with_everything='hipcc square.hip -o square && ./square && hipcc -fgpu-rdc -c square.hip -o square.o &&
  hipcc -fgpu-rdc --hip-link square.o -o relocatable && ./relocatable &&
  clang++-15 $(pkg-config --variable=hipflags hip) square.hip $(pkg-config --libs hip) -o by_clang && ./by_clang &&
  g++ interop.cpp $(pkg-config --cflags --libs hip) -o interop && ./interop &&
  g++ compile_at_run_time.cpp $(pkg-config --cflags --libs hiprtc) -o run_time && HIPLZ_CACHE=0 ./run_time &&
  rm -rf build && cmake -B build -G Ninja && cmake --build build && build/square'
inside "$install pkg-config && cd /packages && $compile_with_everything"
inside "$install lintian && cd /packages && lintian --allow-root --fail-on error ./*.deb"
# Debian's headers of HIP in /usr/include do no harm. Its hipcc has the name of ours, so apt takes one of them away.
inside "$install libamdhip64-dev && [ -e /usr/include/hip/hip_runtime.h ] && cd /packages && $compile_with_everything"
# A library of AMD's as Debian installs it, with AMD's headers beside it.
project='-S tests/ecosystem/project -G Ninja -DCMAKE_PREFIX_PATH=/opt/hiplz'
inside "$install librocprim-dev && for compiler in hipcc clang++-15; do cmake $project -B /packages/\$compiler \
  -DCMAKE_CXX_COMPILER=\$compiler && cmake --build /packages/\$compiler && ctest --test-dir /packages/\$compiler || exit; done"
inside "$install hipcc && ! dpkg -s hiplz-dev >/dev/null 2>&1 && [ ! -L /usr/bin/hipcc ]"
inside "cd /packages && $install --allow-downgrades ./hiplz-dev_*.deb && [ \$(readlink -f /usr/bin/hipcc) = /opt/hiplz/bin/hipcc ]"
inside "apt-get purge -y -q libhiplz1 hiplz-cpu && [ ! -e /opt/hiplz ] && [ ! -e /usr/bin/hipcc ]"
echo "the packages work on a bare Debian 12"
