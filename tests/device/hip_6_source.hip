// SPDX-License-Identifier: MIT
// Sources that mean something else in HIP 6 (-DHIPLZ_HIP_VERSION=6): vectors of one value, their members, the size of a warp as a
// constant, errors that a later success hides, and the parameters of a memset node.
#include "check.h"

#pragma clang diagnostic ignored "-Wdeprecated-declarations" // contexts

#include <type_traits>

namespace {

static_assert(HIP_VERSION_MAJOR == 6 && HIP_VERSION / 100000 == 604, "");
static_assert(std::is_integral<decltype(warpSize)>::value && warpSize == 32, "");
template <int lanes> struct Lanes {
  int of[lanes];
};

__host__ __device__ bool checkVectors() {
  const float4 filled(1.5f), braced{1.5f};
  const int3 three(7);
  return filled.x == 1.5f && filled.w == 1.5f && braced.y == 1.5f && three.data[2] == 7 && sizeof(three.data) == 12;
}

__global__ void kernel(int *out) {
  __shared__ int row[warpSize];
  Lanes<warpSize> own;
  own.of[threadIdx.x] = static_cast<int>(threadIdx.x);
  row[threadIdx.x] = own.of[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = checkVectors();
    out[1] = row[warpSize - 1];
  }
}

} // namespace

TEST(sourcesOfHip6) {
  int *out;
  HIP_CHECK(hipMallocManaged(&out, 2 * sizeof(int)));
  kernel<<<1, warpSize>>>(out);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(out[0], 1);
  CHECK_EQ(out[1], 31);
  CHECK(checkVectors());
  HIP_CHECK(hipFree(out));
}

TEST(aSuccessHidesAnEarlierError) {
  int version = 0;
  HIP_CHECK(hipRuntimeGetVersion(&version));
  CHECK_EQ(version / 10000000, 6);
  CHECK_EQ(hipSetDevice(-1), hipErrorInvalidDevice);
  CHECK_EQ(hipPeekAtLastError(), hipErrorInvalidDevice);
  HIP_CHECK(hipSetDevice(0));
  CHECK_EQ(hipGetLastError(), hipSuccess);
  CHECK_EQ(hipSetDevice(-1), hipErrorInvalidDevice);
  CHECK_EQ(hipGetLastError(), hipErrorInvalidDevice);
  CHECK_EQ(hipGetLastError(), hipSuccess);
}

TEST(memsetNodesOfTheDriverInterface) {
  static_assert(sizeof(HIP_MEMSET_NODE_PARAMS) == 40, "");
  unsigned *words;
  HIP_CHECK(hipMallocManaged(&words, 8 * sizeof(unsigned)));
  HIP_CHECK(hipMemset(words, 0, 8 * sizeof(unsigned)));
  hipCtx_t context;
  HIP_CHECK(hipDevicePrimaryCtxRetain(&context, 0));
  hipGraph_t graph;
  hipGraphExec_t exec;
  hipGraphNode_t node;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  HIP_MEMSET_NODE_PARAMS parameters{};
  parameters.dst = words;
  parameters.value = 7;
  parameters.elementSize = sizeof(unsigned);
  parameters.width = 4;
  parameters.height = 1;
  HIP_CHECK(hipDrvGraphAddMemsetNode(&node, graph, nullptr, 0, &parameters, context));
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(exec, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(words[0], 7u);
  CHECK_EQ(words[3], 7u);
  CHECK_EQ(words[4], 0u);
  HIP_CHECK(hipDevicePrimaryCtxRelease(0));
  HIP_CHECK(hipGraphExecDestroy(exec));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipFree(words));
}

// In a capture, hipMemcpyWithStream makes a node of it like hipMemcpyAsync.
TEST(copyWithStreamIsCaptured) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  DeviceArray<int> from(std::vector<int>{7}), to(1);
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipMemcpyWithStream(to, from, 4, hipMemcpyDeviceToDevice, stream));
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  CHECK_EQ(to.host()[0], 0);
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(exec, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(to.host()[0], 7);
  HIP_CHECK(hipGraphExecDestroy(exec));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipStreamDestroy(stream));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
