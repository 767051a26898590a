# SPDX-License-Identifier: MIT
# CMake's HIP language: with the compiler that CMake finds through hipconfig; and with the stock clang++ named, GPUs of
# another vendor, and make. HIP and find_package(hip) in one project is the last.
[ -z "${HIPLZ_SANITIZE:-}" ] || export LDFLAGS="-fsanitize=$HIPLZ_SANITIZE"
build() { # FOLDER TARGETS... -- OPTIONS...
  local folder=$1 targets=
  shift
  while [ "$1" != -- ]; do targets="$targets $1"; shift; done
  shift
  cmake -S "$here/projects/hip_language" -B "$folder" "-DPROGRAMS=$programs" "$@" >cmake.log 2>&1 &&
    cmake --build "$folder" --target $targets >build.log 2>&1 ||
    { cat cmake.log build.log >&2; fail "the project in $folder cannot be built"; }
  lacks cmake.log 'Warning'
  lacks build.log 'warning'
}

PATH=$stage/bin:$PATH build found all -- -G Ninja "-DCMAKE_INSTALL_PREFIX=$PWD/installed"
for program in square app plain relocatable; do runs "found/$program"; done
# The options that newer CMake adds for the platform `spirv` would take the device library away.
lacks found/build.ninja '[-]nogpulib|spirv_fixups|libCHIP'
contains cmake.log 'HIP compiler identification is Clang'
cmake --build found >again.log
contains again.log 'no work to do'
cmake --install found >install.log
LD_LIBRARY_PATH=$stage/lib:$PWD/installed/lib runs installed/bin/app

# By hipconfig in PATH for the folder alone: the compiler is named.
PATH=$stage/bin:$PATH build stock square -- -G "Unix Makefiles" "-DCMAKE_HIP_COMPILER=$clang" \
  "-DCMAKE_HIP_ARCHITECTURES=gfx90a;gfx1100" -DCMAKE_BUILD_TYPE=Debug
runs stock/square
cmake stock >again.log 2>&1 || fail "$(cat again.log)"
make -C stock square >again.log 2>&1
lacks again.log 'Building HIP'

# Without hipconfig: the prefix's clang++ says where it is. With ocloc, a GPU of Intel's gets native code.
architecture=generic
if command -v ocloc >ocloc; then architecture=skl; fi
build named square -- -G Ninja "-DCMAKE_HIP_COMPILER=$stage/lib/hiplz/clang/clang++" -DCMAKE_HIP_ARCHITECTURES=$architecture
runs named/square
[ $architecture = generic ] || contains named/square 'hip-spirv64-intel-native--skl'

mkdir both
printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(both LANGUAGES CXX HIP)' 'find_package(hip REQUIRED)' \
  'find_package(hiprtc REQUIRED)' 'add_executable(both square.hip host.cpp)' \
  'target_link_libraries(both PRIVATE hip::host hip::amdhip64 hiprtc::hiprtc)' >both/CMakeLists.txt
printf '%s\n' '#include <hip/hip_runtime_api.h>' '#include <hip/hiprtc.h>' 'int version() {' '  int major = 0, minor = 0;' \
  '  return hipGetDeviceCount(&major) + hiprtcVersion(&major, &minor);' '}' >both/host.cpp
cp "$programs/square.hip" "$programs/check.h" both/
cmake -S both -B both/build -G Ninja "-DCMAKE_PREFIX_PATH=$stage" -DCMAKE_CXX_COMPILER=g++ \
  "-DCMAKE_HIP_COMPILER=$stage/lib/hiplz/clang/clang++" >cmake.log 2>&1 || fail "$(cat cmake.log)"
cmake --build both/build >build.log 2>&1 || fail "$(cat build.log)"
runs both/build/both

# The language alone: C++ files that include HIP, of the same target or of another, need nothing more.
mkdir alone
printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(alone LANGUAGES CXX HIP)' 'add_library(host STATIC other.cpp)' \
  'add_executable(alone square.hip host.cpp)' 'target_link_libraries(alone host)' >alone/CMakeLists.txt
printf '%s\n' '#include <hip/hip_runtime.h>' 'int other();' 'int version() { return other() + hipSetDevice(0); }' >alone/host.cpp
printf '%s\n' '#include <hip/hip_runtime_api.h>' 'int other() { int n = 0; return hipGetDeviceCount(&n); }' >alone/other.cpp
cp "$programs/square.hip" "$programs/check.h" alone/
cmake -S alone -B alone/build -G Ninja -DCMAKE_CXX_COMPILER=g++ "-DCMAKE_HIP_COMPILER=$stage/lib/hiplz/clang/clang++" \
  >cmake.log 2>&1 || fail "$(cat cmake.log)"
cmake --build alone/build >build.log 2>&1 || fail "$(cat build.log)"
runs alone/build/alone
