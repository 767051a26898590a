// SPDX-License-Identifier: MIT
// without_doubles yes|no: kernels with and without double precision in one file, on Intel's driver in capture mode. The
// argument says whether the device has double precision. If not, the launch of a kernel that needs it is an error of that
// kernel alone, and everything else works.
#include "sequence.h"

struct Mixed {
  double precise;
  float rough;
};

__device__ int counter;
__device__ double sum = 2.5;
__device__ Mixed table[4];
__constant__ float weights[3] = {1, 2, 3};
__managed__ float shared = 4;

__device__ float blend(float x) { return x * weights[1]; }
__device__ double squareOf(double x) { return x * x; }

__global__ void rough(float *out) {
  __shared__ float tile[32];
  tile[threadIdx.x] = blend(out[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x] + table[1].rough;
  atomicAdd(&counter, 1);
}
__global__ void precise(double *out) {
  out[threadIdx.x] = squareOf(out[threadIdx.x]) + sum;
  atomicAdd(&counter, 1);
}
__global__ void moves(Mixed *out, Mixed in) { out[threadIdx.x] = in; } // and does not compute
__global__ void prints(float x) { printf("%d %f %s\n", int(threadIdx.x), x, "text"); }
__global__ void allocates(float **out) { out[threadIdx.x] = new float(shared); }
__global__ void asserts(int x) { assert(x > 0); }
__global__ void samples(hipTextureObject_t texture, float *out) { out[threadIdx.x] = tex1Dfetch<float>(texture, 1); }
__global__ void narrow(const unsigned *in, float *out) {
  extern __shared__ float dynamic[];
  dynamic[threadIdx.x] = __uint_as_float(__shfl_xor(in[threadIdx.x], 1));
  out[threadIdx.x] = dynamic[threadIdx.x] * 2;
}

#define LAUNCHED(...)                                                                                                  \
  do {                                                                                                                 \
    __VA_ARGS__;                                                                                                       \
    MUST(hipGetLastError());                                                                                           \
  } while (0)

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  if (int code = requireIntel())
    return code;
  const bool expected = std::strcmp(argv[1], "yes") == 0;
  hipDeviceProp_t properties;
  MUST(hipGetDeviceProperties(&properties, 0));
  if ((properties.arch.hasDoubles != 0) != expected) {
    std::printf("hasDoubles is %u\n", properties.arch.hasDoubles);
    return 1;
  }
  const hipError_t outcome = expected ? hipSuccess : hipErrorNoBinaryForGpu;
  float *memory;
  MUST(hipMalloc(&memory, 4096));

  LAUNCHED(rough<<<1, 32>>>(memory));
  precise<<<1, 32>>>(reinterpret_cast<double *>(memory));
  EXPECT(outcome, hipGetLastError());
  LAUNCHED(moves<<<1, 32>>>(reinterpret_cast<Mixed *>(memory), Mixed{1, 2}));
  LAUNCHED(prints<<<1, 32>>>(1.5f));
  LAUNCHED(allocates<<<1, 32>>>(reinterpret_cast<float **>(memory)));
  LAUNCHED(asserts<<<1, 32>>>(1));
  LAUNCHED(narrow<<<1, 32, 128>>>(reinterpret_cast<unsigned *>(memory), memory));

  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = hipCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 4096;
  hipTextureDesc description{};
  hipTextureObject_t texture;
  MUST(hipCreateTextureObject(&texture, &resource, &description, nullptr));
  LAUNCHED(samples<<<1, 32>>>(texture, memory));
  MUST(hipDeviceSynchronize());
  MUST(hipDestroyTextureObject(texture));

  // Variables of every type, used by any kernel.
  void *address = nullptr;
  size_t size = 0;
  const void *const variables[] = {&counter, &sum, &table, &weights};
  const size_t sizes[] = {sizeof(int), sizeof(double), sizeof table, sizeof weights};
  for (int i = 0; i < 4; ++i) {
    MUST(hipGetSymbolAddress(&address, variables[i]));
    MUST(hipGetSymbolSize(&size, variables[i]));
    if (!address || size != sizes[i]) {
      std::printf("variable %d: %p, %zu bytes\n", i, address, size);
      return 1;
    }
  }
  const double value = 7;
  MUST(hipMemcpyToSymbol(HIP_SYMBOL(sum), &value, sizeof value));

  // A call that asks for the compiled kernel learns it.
  hipFuncAttributes attributes;
  MUST(hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(rough)));
  EXPECT(outcome, hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(precise)));
  int blocks = 0;
  MUST(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rough, 32, 0));
  EXPECT(outcome, hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, precise, 32, 0));
  (void)hipGetLastError();

  // Again, and in another stream; an error has no consequences.
  hipStream_t stream;
  MUST(hipStreamCreate(&stream));
  precise<<<1, 32, 0, stream>>>(reinterpret_cast<double *>(memory));
  EXPECT(outcome, hipGetLastError());
  LAUNCHED(rough<<<1, 32, 0, stream>>>(memory));
  MUST(hipStreamSynchronize(stream));
  MUST(hipStreamDestroy(stream));
  MUST(hipFree(memory));
  std::printf("passed\n");
  return 0;
}
