# SPDX-License-Identifier: MIT
# The CUDA sample: its Makefile with cucc, the same sources by CMake's language CUDA, and with hipcc after hipify-perl if that is
# installed.
cp -r "$samples/cuda_project" .
make -C cuda_project clean all "NVCC=$stage/bin/cucc" >make.log 2>&1 || { cat make.log; fail "make failed"; }
runs cuda_project/app 512
contains run.log '^RESULT name=cuda_project .*check=PASS'
if command -v hipify-perl >/dev/null; then
  make -C cuda_project app_hip "HIPCC=$hipcc" >hipify.log 2>&1 || { cat hipify.log; fail "make app_hip failed"; }
  runs cuda_project/app_hip 512
fi

cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.20)
project(cuda_project LANGUAGES CXX CUDA)
add_library(forces STATIC cuda_project/forces.cu)
target_compile_options(forces PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math -Xcompiler=-Wall>)
set_target_properties(forces PROPERTIES POSITION_INDEPENDENT_CODE ON CUDA_STANDARD 14)
add_executable(by_cuda cuda_project/nbody.cu)
target_link_libraries(by_cuda forces)
file(WRITE ${CMAKE_BINARY_DIR}/count.cpp "#include <cuda_runtime.h>\nint main() { int n; return cudaGetDeviceCount(&n) || n < 1; }\n")
add_executable(by_cxx ${CMAKE_BINARY_DIR}/count.cpp cuda_project/forces.cu)
EOF
cmake -S . -B build -G Ninja "-DCMAKE_TOOLCHAIN_FILE=$stage/lib/cmake/hiplz/cuda-toolchain.cmake" >cmake.log 2>&1 ||
  { cat cmake.log; fail "cmake failed"; }
cmake --build build >build.log 2>&1 || { cat build.log; fail "the build failed"; }
runs build/by_cuda 512
contains run.log 'check=PASS'
runs build/by_cxx
