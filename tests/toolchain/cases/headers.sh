# SPDX-License-Identifier: MIT
# Names that sources find under hipcc: the qualifiers without any include, or before HIP's header; std::complex in device code; bool
# in C.
quiet "$hipcc" -c "$programs/no_include.hip" -o no_include.o
cat >declared_first.cpp <<'EOF'
__global__ void kernel(int *p);
#include <hip/hip_runtime.h>
__global__ void kernel(int *p) { *p = 42; }
EOF
quiet "$hipcc" -c declared_first.cpp -o declared_first.o
for standard in c++11 c++17; do
  quiet "$hipcc" -std=$standard "$programs/complex_numbers.hip" -o "complex_$standard"
  runs "./complex_$standard"
done
cat >truth.c <<'EOF'
#include <hip/hip_runtime.h>
bool truth(void) { return true; }
EOF
quiet "$hipcc" -c truth.c -o truth.o
# Headers that are not a folder of the system's for clang (-I of a copy) get all of its errors, some of which it keeps to itself
# there.
cp -r "$stage/include/." copy
printf '#include <hip/%s>\n' hip_runtime.h hip_fp16.h hip_bf16.h hip_fp8.h hip_fp6.h hip_fp4.h hip_ext_ocp.h hip_cooperative_groups.h hip_complex.h hip_ext.h hip_hcc.h >all.cpp
for standard in c++11 c++17 c++20; do
  quiet "$clang" -x hip --offload=spirv64 --hip-path="$stage" -B"$stage/lib/hiplz/bin" -Icopy -std=$standard -w -fsyntax-only all.cpp
done
