# SPDX-License-Identifier: MIT
# Headers of another HIP in a folder of the system, as Debian's libamdhip64-dev has them in /usr/include, do no harm: every
# way to compile finds those of the prefix first, for the device and for the host.
mkdir -p other/hip
for header in "$stage"/include/hip/*.h; do
  echo '#error "the header of another HIP"' >"other/hip/$(basename "$header")"
done
# Clang searches these folders behind those of -isystem and before its own.
export C_INCLUDE_PATH=$PWD/other CPLUS_INCLUDE_PATH=$PWD/other
cp "$programs/square.hip" "$programs/check.h" .
for options in "" -fgpu-rdc -O0 -S; do quiet "$hipcc" $options -c square.hip -o square.o; done
quiet "$hipcc" square.hip -o square
runs ./square
quiet "$hipcc" -E square.hip -o square.i
lacks square.i "$PWD/other"
quiet "$hipcc" -M square.hip >dependencies
lacks dependencies "$PWD/other"
quiet "$clang" $("$hipcc" --cxxflags) square.hip $("$hipcc" --ldflags) $clang_link -o flags
runs ./flags
quiet "$clang" -x hip --offload=spirv64 --hip-path="$stage" -B"$stage/lib/hiplz/bin" -isystem "$stage/include" -c square.hip \
  -o plain.o
printf '#include <hip/hip_runtime_api.h>\nint main(void) { return 0; }\n' >host.c
quiet "$hipcc" -c host.c
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$stage/lib/pkgconfig
  quiet "$clang" $(pkg-config --variable=hipflags hip) -c square.hip -o pkg_config.o
  quiet cc $(pkg-config --cflags hip) -c host.c
fi
mkdir project
cp square.hip check.h host.c project/
printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(square LANGUAGES C CXX)' 'find_package(hip REQUIRED)' \
  'configure_file(square.hip ${CMAKE_BINARY_DIR}/square.cpp COPYONLY)' 'include_directories(.)' \
  'add_library(square STATIC ${CMAKE_BINARY_DIR}/square.cpp)' 'target_link_libraries(square hip::device)' \
  'add_executable(host host.c)' 'target_link_libraries(host hip::host)' >project/CMakeLists.txt
cmake -S project -B build -G Ninja "-DCMAKE_PREFIX_PATH=$stage" "-DCMAKE_CXX_COMPILER=$clang" >cmake.log 2>&1 &&
  cmake --build build --target square CMakeFiles/host.dir/host.c.o >build.log 2>&1 ||
  { cat cmake.log build.log >&2; fail "the project cannot be built"; }
