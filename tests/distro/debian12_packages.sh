#!/usr/bin/env bash
# Proves that the .deb packages name everything that they need: installs them with apt in a bare Debian 12, compiles there
# and runs. The test toolchain.debian_packages installs them in a copy of this system, which has all that already.
usage() {
  cat <<'TEXT'
usage: bash tests/distro/debian12_packages.sh BUILD FOLDER
Makes the packages of the build folder BUILD, makes a bare Debian 12 in FOLDER with debootstrap (about 0.5 GB; what is there is
used again), and there installs the packages, compiles and runs programs, and removes the packages. Needs root and the network.
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
inside "apt-get purge -y -q libhiplz1 hiplz-cpu && [ ! -e /opt/hiplz ] && [ ! -e /usr/bin/hipcc ]"
echo "the packages work on a bare Debian 12"
