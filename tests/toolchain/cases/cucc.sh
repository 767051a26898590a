# SPDX-License-Identifier: MIT
# cucc: a CUDA project as its Makefile would build it, the macros that sources ask for, host files, and what it refuses.
cucc=$stage/bin/cucc
"$cucc" --version >version
contains version 'release [0-9]+\.[0-9]+'
"$cucc" --help >help
contains help 'usage: cucc'
cat >kernel.cu <<'EOF'
#include <cstdio>
#if !defined(__CUDACC__) || !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || defined(__NVCC__)
#error "the macros of a CUDA compiler that is not NVIDIA's"
#endif
#if CUDART_VERSION / 1000 != __CUDACC_VER_MAJOR__
#error "the versions differ"
#endif
__global__ void scale(float *data) { data[threadIdx.x] *= 3; }
extern "C" int run(float *host) {
  float *data;
  cudaMalloc(&data, 64 * sizeof(float));
  cudaMemcpy(data, host, 64 * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, 64>>>(data);
  return cudaMemcpy(host, data, 64 * sizeof(float), cudaMemcpyDeviceToHost);
}
EOF
cat >main.cpp <<'EOF'
#include <cuda_runtime.h>
#include <vector>
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
#error "a C++ source is not CUDA"
#endif
extern "C" int run(float *host);
extern "C" int devices(void);
int main() {
  std::vector<float> host(64, 2);
  cudaError_t error = (cudaError_t)run(host.data());
  return error == cudaSuccess && devices() > 0 && host[63] == 6 ? 0 : 1;
}
EOF
cat >query.c <<'EOF'
#include <cuda_runtime_api.h>
int devices(void) {
  struct cudaDeviceProp prop;
  int count = 0;
  cudaStream_t stream;
  void *memory;
  if (cudaGetDeviceCount(&count) != cudaSuccess || cudaGetDeviceProperties(&prop, 0) != cudaSuccess)
    return 0;
  if (cudaStreamCreate(&stream) || cudaMallocHost(&memory, 64) || cudaFreeHost(memory) || cudaStreamDestroy(stream))
    return 0;
  return count;
}
EOF
quiet "$cucc" -O2 -std=c++14 -arch=sm_70 -gencode arch=compute_80,code=sm_80 -Xcompiler -Wall,-Werror -Xptxas -v -ccbin g++ \
  --use_fast_math -lineinfo -DNDEBUG -I. -c kernel.cu -o kernel.o
quiet "$cucc" kernel.o main.cpp query.c -o together -lcudart -Xlinker -rpath,/nowhere -m64
runs ./together
printf -- '-O1 kernel.cu main.cpp query.c -o response' >words
quiet "$cucc" --options-file words -lcuda
runs ./response
# The names of device code for the linker, and a response file that is too long for a command line.
{ printf 'kernel.cu -c -o long.o'; for i in $(seq 1 40000); do printf ' -DUNUSED_NAME_NUMBER_%d' "$i"; done; } >long
quiet "$cucc" @long
# Host files compile with any compiler that finds the headers.
quiet c++ -I"$stage/include/hiplz/cuda" -I"$stage/include" -c main.cpp -o main.o
quiet cc -I"$stage/include/hiplz/cuda" -I"$stage/include" -c query.c -o query.o
quiet "$cucc" kernel.o main.o query.o -o linked
runs ./linked
# Objects of -dc, and archives of them, are linked without -rdc=true.
printf '__device__ int twice(int x) { return 2 * x; }\n' >twice.cu
cat >caller.cu <<'EOF'
extern __device__ int twice(int x);
__global__ void kernel(int *out) { *out = twice(21); }
int main() {
  int *device, host = 0;
  cudaMalloc(&device, sizeof host);
  kernel<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  return host == 42 ? 0 : 1;
}
EOF
quiet "$cucc" -dc twice.cu caller.cu
quiet "$cucc" twice.o caller.o -o relocatable
./relocatable || fail "device code of two objects"
ar rc libtwice.a twice.o
quiet "$cucc" caller.o -L. -ltwice -o archived
./archived || fail "device code of an archive"
"$cucc" -v -arch sm_90 -fsyntax-only kernel.cu 2>notes
contains notes 'cucc: note: -arch is ignored'
# Code that nvcc accepts and clang does not.
cat >lenient.cu <<'EOF'
#define LANE(x) asm("mov.u32 %0, %laneid;" : "=r"(x))
template <class T> struct Number { template <int n> __device__ static T get() { return n; } };
__shared__ alignas(8) int before[2];
template <class T> __device__ T three() { return Number<T>::get<3>(); }
__global__ void kernel(long long *out) {
  __shared__ alignas(alignof(int4)) int shared[4];
  unsigned lane;
  asm("mov.u32 %0, %laneid;"
      : "=r"(lane));
  shared[lane % 4] = 1;
  long long sum;
  asm("add.s64 %0, %1, %2;" : "=l"(sum) : "l"((long long)three<int>()), "l"((long long)lane));
  out[threadIdx.x] = sum + shared[lane % 4];
}
int main() {
  long long *out;
  cudaMallocManaged(&out, 32 * sizeof(long long));
  kernel<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  return out[31] == 35 ? 0 : 1;
}
EOF
"$cucc" lenient.cu -o lenient 2>notes || fail "what nvcc accepts: $(cat notes)"
contains notes 'cucc: note: a copy of the source was compiled'
if grep -q error: notes; then fail "$(cat notes)"; fi
./lenient || fail "what nvcc accepts"
test "$("$cucc" --list-gpu-code)" = sm_60 || fail "--list-gpu-code"
# Code that cannot be compiled is refused in a sentence.
printf '__global__ void k(float *p) { asm("mma.sync.aligned.m8n8k4.f32 {%%0}, {%%0}, {%%0};" : "=r"(*p)); }\n' >ptx.cu
fails "$cucc" -c ptx.cu
contains fails.log "inline PTX 'mma.sync.aligned.m8n8k4.f32' cannot be translated"
printf '__global__ void child() {}\n__global__ void parent() { child<<<1, 1>>>(); }\n' >nested.cu
fails "$cucc" -c nested.cu
contains fails.log '^cucc: kernels cannot launch kernels here'
printf '#include <cublas_v2.h>\n' >library.cu
fails "$cucc" -c library.cu
contains fails.log 'cuBLAS is not part of HIPLZ'
for options in "-dlink kernel.o" "kernel.ptx" "-run kernel.cu"; do
  fails "$cucc" $options
  contains fails.log '^cucc: [^ ].* [^ ]+$'
done
# A header of every name, alone.
for header in "$stage"/include/hiplz/cuda/{,cooperative_groups/}*.h; do
  case "$header" in
    *curand*) ;;
    *) printf '#include <%s>\n' "${header#"$stage/include/hiplz/cuda/"}" ;;
  esac
done >headers.cu
quiet "$cucc" -Xcompiler -Wall,-Wextra,-Werror -fsyntax-only headers.cu
