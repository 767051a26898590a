# SPDX-License-Identifier: MIT
# The CMake sample with clang, with hipcc and with the prefix's clang++ as the compiler; host code alone with g++.
[ -z "${HIPLZ_SANITIZE:-}" ] || export LDFLAGS="-fsanitize=$HIPLZ_SANITIZE"
cp -r "$samples/cmake_project" project
built=0
for compiler in "$clang" "$hipcc" "$stage/lib/hiplz/clang/clang++"; do
  build=build-$((built += 1))
  cmake -S project -B "$build" -G Ninja "-DCMAKE_PREFIX_PATH=$stage" "-DCMAKE_CXX_COMPILER=$compiler" >cmake.log 2>&1 &&
    cmake --build "$build" >build.log 2>&1 || { cat cmake.log build.log >&2; fail "cmake failed with $compiler"; }
  lacks build.log 'warning'
  runs "$build/app"
  contains run.log '^RESULT name=cmake_project .*check=PASS'
done
if command -v g++ >/dev/null; then
  fails cmake -S project -B build-gcc -G Ninja "-DCMAKE_PREFIX_PATH=$stage" -DCMAKE_CXX_COMPILER=g++
  contains fails.log 'unknown feature'
  # CMake breaks the line after the name.
  contains fails.log '"hip_device_needs_clang_[0-9]+_or_hipcc_as_CMAKE_CXX_COMPILER_not_GNU" for'
  mkdir host
  cat >host/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(host CXX)
find_package(hip REQUIRED)
add_executable(host host.cpp)
target_link_libraries(host PRIVATE hip::host)
END
  printf '#include <hip/hip_runtime.h>\nint main() { int count; return hipGetDeviceCount(&count); }\n' >host/host.cpp
  cmake -S host -B build-host -G Ninja "-DCMAKE_PREFIX_PATH=$stage" -DCMAKE_CXX_COMPILER=g++ >cmake.log 2>&1 &&
    cmake --build build-host >build.log 2>&1 || { cat cmake.log build.log >&2; fail "host code with g++"; }
  runs build-host/host
  # HIP's samples choose the compiler behind project(), by a variable of the package.
  mkdir samples
  cat >samples/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(samples CXX)
find_package(hip REQUIRED)
set(CMAKE_CXX_COMPILER ${HIP_HIPCC_EXECUTABLE})
if(NOT HIP_PLATFORM STREQUAL "amd" OR NOT HIP_INCLUDE_DIRS OR NOT HIP_LIBRARIES)
  message(FATAL_ERROR "platform ${HIP_PLATFORM}, headers ${HIP_INCLUDE_DIRS}, libraries ${HIP_LIBRARIES}")
endif()
add_executable(sample sample.cpp)
target_link_libraries(sample hip::host)
END
  printf '#include <hip/hip_runtime.h>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return hipDeviceSynchronize(); }\n' >samples/sample.cpp
  HIP_PLATFORM=amd cmake -S samples -B build-samples -G Ninja "-DCMAKE_PREFIX_PATH=$stage" -DCMAKE_CXX_COMPILER=g++ >cmake.log 2>&1 &&
    cmake --build build-samples >build.log 2>&1 || { cat cmake.log build.log >&2; fail "hipcc behind project()"; }
  runs build-samples/sample
fi
