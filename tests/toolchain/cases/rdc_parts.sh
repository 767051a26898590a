# SPDX-License-Identifier: MIT
# -fgpu-rdc: variables of every kind, inline functions, classes and kernels that files share; in objects, in static and shared
# libraries, at every level of optimisation, and the messages where a definition is missing or there are two.
for options in "-O0 -std=c++11" "-O3 -g -ffast-math"; do
  quiet "$hipcc" $options -fgpu-rdc -c "$programs/rdc_parts.hip" "$programs/rdc_parts_main.hip"
  quiet "$hipcc" $options -fgpu-rdc rdc_parts_main.o rdc_parts.o -o parts
  runs ./parts
done
ar rcs libparts.a rdc_parts.o
quiet "$hipcc" -fgpu-rdc rdc_parts_main.o -L. -lparts -o library
runs ./library
# Everything of a shared library is linked into it; the program has kernels of its own.
quiet "$hipcc" -fPIC -fgpu-rdc -Dmain=run_parts -c "$programs/rdc_parts_main.hip" -o main_pic.o
quiet "$hipcc" -fPIC -fgpu-rdc -c "$programs/rdc_parts.hip" -o parts_pic.o
quiet "$hipcc" -shared -fgpu-rdc main_pic.o parts_pic.o -o libshared.so
cat >caller.hip <<'END'
#include <hip/hip_runtime.h>
extern __device__ int table[4];
__device__ int table[4] = {1, 2, 3, 4}; // not the one of the library
int run_parts();
__global__ void own(int *sum) { *sum = table[0] + table[1] + table[2] + table[3]; }
int main() {
  int *sum = nullptr, value = 0;
  if (run_parts() != 0 || hipMalloc(reinterpret_cast<void **>(&sum), sizeof(int)) != hipSuccess)
    return 1;
  own<<<1, 1>>>(sum);
  return hipMemcpy(&value, sum, sizeof value, hipMemcpyDeviceToHost) != hipSuccess || value != 10;
}
END
quiet "$hipcc" caller.hip -L. -lshared -Wl,-rpath,"$PWD" -o caller
runs ./caller

fails "$hipcc" -fgpu-rdc rdc_parts_main.o -o incomplete
contains fails.log "(table|settings|limits)' is used but not defined"
[ ! -e incomplete ] || fail "a program was made without the definitions"
cp rdc_parts.o again.o
fails "$hipcc" -fgpu-rdc rdc_parts_main.o rdc_parts.o again.o -o twice
contains fails.log '(multiple definition|multiply defined|duplicate|twice)'
