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
# A library of others whose folder, as /opt/rocm/include, has the other headers as well, and which a target names in front of HIP.
mkdir project
cp square.hip check.h host.c project/
printf '%s\n' '#include <hip/hip_runtime.h>' '#include <type_traits>' 'template <class T> std::enable_if_t<(sizeof(T) > 1), bool> big() {' \
  '  if constexpr (sizeof(T) == 2) return false; else return true;' '}' 'int main() { return !big<int>(); }' >project/standard.cpp
cat >project/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.21)
project(square LANGUAGES C CXX)
find_package(hip REQUIRED)
add_compile_options(-Wall -Wextra -Wpedantic)
configure_file(square.hip ${CMAKE_BINARY_DIR}/square.cpp COPYONLY)
include_directories(.)
add_library(other INTERFACE IMPORTED)
set_target_properties(other PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${other_headers})
foreach(library device host)
  add_library(other_${library} INTERFACE IMPORTED)
  target_link_libraries(other_${library} INTERFACE other hip::${library})
endforeach()
add_library(square STATIC ${CMAKE_BINARY_DIR}/square.cpp)
target_link_libraries(square hip::device)
add_library(other_square STATIC ${CMAKE_BINARY_DIR}/square.cpp)
target_link_libraries(other_square other_device)
add_library(standard STATIC standard.cpp)
target_link_libraries(standard other_device)
add_library(standard_17 STATIC standard.cpp)
target_compile_features(standard_17 PRIVATE cxx_std_17)
target_link_libraries(standard_17 other_device)
add_library(host OBJECT host.c)
target_link_libraries(host hip::host)
add_library(host_beside OBJECT host.c)
target_link_libraries(host_beside other_host)
CMAKE
builds() { # FOLDER [TARGET]
  cmake -S project -B "$1" -G Ninja "-DCMAKE_PREFIX_PATH=$stage" "-DCMAKE_CXX_COMPILER=$clang" "-Dother_headers=$PWD/other" \
    >cmake.log 2>&1 && cmake --build "$1" --target "${2:-all}" >build.log 2>&1 ||
    { cat cmake.log build.log >&2; fail "the project cannot be built"; }
  lacks build.log warning
}
builds build_system square
builds build_system CMakeFiles/host.dir/host.c.o
unset C_INCLUDE_PATH CPLUS_INCLUDE_PATH # or CMake knows the folder, and names it no more
builds build
