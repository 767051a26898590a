# SPDX-License-Identifier: MIT
# What hipcc has sources find: the qualifiers without any include, or before HIP's header; std::complex in device code; bool
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
