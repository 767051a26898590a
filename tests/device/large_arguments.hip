// SPDX-License-Identifier: MIT
// Kernels whose parameters are more than a device keeps in registers: the values arrive, whatever their size, and stay what
// they were at the launch.
#include "tests/device/check.h"

struct Bytes {
  unsigned char data[3001];
};
struct Doubles {
  double data[700];
};
struct alignas(128) Aligned {
  float data[600];
};
struct Deep {
  int head;
  struct Row {
    short count;
    int *target;
    long cells[20];
  } rows[30];
};
struct Exact { // just fits
  int data[508];
};

__global__ void readBytes(int *out, Bytes bytes, int add) {
  int sum = 0;
  for (int i = threadIdx.x; i < 3001; i += blockDim.x)
    sum += bytes.data[i];
  atomicAdd(out, sum + add);
}
__global__ void readTwo(double *out, Doubles a, char c, Aligned b, short s) {
  int i = threadIdx.x;
  out[i] = a.data[i * 3] + b.data[(i * 7) % 600] + c + s;
}
__global__ void writeOwn(int *out, Bytes bytes) {
  // Each work-item has its own copy.
  bytes.data[threadIdx.x % 7] += threadIdx.x;
  bytes.data[3000] = 1;
  out[threadIdx.x] = bytes.data[0] + bytes.data[threadIdx.x % 7] + bytes.data[3000];
}
__device__ __attribute__((noinline)) long sumOf(const Deep &deep, int row) {
  long sum = deep.head;
  for (long cell : deep.rows[row].cells)
    sum += cell;
  return sum + deep.rows[row].count;
}
__device__ __attribute__((noinline)) int copied(Deep deep) {
  deep.head += 5;
  return deep.head;
}
__global__ void followPointers(Deep deep) {
  int i = threadIdx.x;
  deep.rows[i].target[i] = (int)sumOf(deep, i) + copied(deep);
}
__global__ void choose(int *out, Doubles a, Doubles b, int which) {
  const Doubles *from = which ? &b : &a;
  out[threadIdx.x] = (int)from->data[threadIdx.x];
}
__global__ void exact(int *out, Exact e) { out[threadIdx.x] = e.data[threadIdx.x * 2]; }
__global__ void withShared(int *out, Bytes bytes) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = bytes.data[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = shared[31 - threadIdx.x];
}

Bytes bytesOf(int seed) {
  Bytes bytes;
  for (int i = 0; i < 3001; ++i)
    bytes.data[i] = (unsigned char)(seed + i * 5);
  return bytes;
}
int sumOfBytes(const Bytes &bytes) {
  int sum = 0;
  for (unsigned char byte : bytes.data)
    sum += byte;
  return sum;
}

TEST(values) {
  DeviceArray<int> out(64);
  const Bytes bytes = bytesOf(3);
  readBytes<<<1, 64>>>(out, bytes, 1);
  CHECK_EQ(out.host()[0], sumOfBytes(bytes) + 64);

  Doubles doubles;
  Aligned aligned;
  for (int i = 0; i < 700; ++i)
    doubles.data[i] = i * 0.5;
  for (int i = 0; i < 600; ++i)
    aligned.data[i] = i * 2;
  DeviceArray<double> sums(64);
  readTwo<<<1, 64>>>(sums, doubles, 'x', aligned, -300);
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(sums.host()[i], i * 1.5 + (i * 7) % 600 * 2 + 'x' - 300);

  writeOwn<<<1, 64>>>(out, bytes);
  for (int i = 0; i < 64; ++i) {
    Bytes own = bytes;
    own.data[i % 7] += i;
    CHECK_EQ(out.host()[i], own.data[0] + own.data[i % 7] + 1);
  }

  Deep deep{};
  deep.head = 1000;
  for (int row = 0; row < 30; ++row) {
    deep.rows[row].count = (short)-row;
    deep.rows[row].target = out;
    for (int cell = 0; cell < 20; ++cell)
      deep.rows[row].cells[cell] = row * cell;
  }
  followPointers<<<1, 30>>>(deep);
  for (int i = 0; i < 30; ++i)
    CHECK_EQ(out.host()[i], 1000 + 190 * i - i + 1005);

  Doubles other;
  for (int i = 0; i < 700; ++i)
    other.data[i] = -i;
  for (int i = 0; i < 700; ++i)
    doubles.data[i] = i;
  choose<<<1, 64>>>(out, doubles, other, 1);
  CHECK_EQ(out.host()[63], -63);
  choose<<<1, 64>>>(out, doubles, other, 0);
  CHECK_EQ(out.host()[63], 63);

  Exact e;
  for (int i = 0; i < 508; ++i)
    e.data[i] = i;
  exact<<<1, 64>>>(out, e);
  CHECK_EQ(out.host()[33], 66);
  withShared<<<1, 32, 32 * sizeof(int)>>>(out, bytes);
  CHECK_EQ(out.host()[0], bytes.data[31]);
}

// Launches follow each other without a wait, each one with its own values.
TEST(manyLaunches) {
  constexpr int kLaunches = 1500;
  DeviceArray<int> sums(kLaunches);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  for (int i = 0; i < kLaunches; ++i)
    readBytes<<<1, 32, 0, stream>>>(sums + i, bytesOf(i), 0);
  HIP_CHECK(hipStreamSynchronize(stream));
  std::vector<int> got = sums.host();
  for (int i = 0; i < kLaunches; ++i)
    CHECK_EQ(got[i], sumOfBytes(bytesOf(i)));
  HIP_CHECK(hipStreamDestroy(stream));
}

// The other ways to launch: arguments in one buffer, and recorded in a graph, whose node is changed.
TEST(forms) {
  DeviceArray<int> out(1);
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(readBytes)));
  struct {
    int *out;
    Bytes bytes;
    int add;
  } packed{out, bytesOf(9), 5};
  size_t size = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  CHECK_EQ(out.host()[0], sumOfBytes(packed.bytes) + 5 * 32);

  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  Bytes recorded = bytesOf(20);
  readBytes<<<1, 32, 0, stream>>>(out, recorded, 0);
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  const int before = sumOfBytes(recorded);
  recorded = {};
  hipGraphExec_t exec;
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipMemset(out, 0, sizeof(int)));
  for (int i = 0; i < 3; ++i)
    HIP_CHECK(hipGraphLaunch(exec, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(out.host()[0], 3 * before);

  hipGraphNode_t node;
  size_t count = 1;
  HIP_CHECK(hipGraphGetNodes(graph, &node, &count));
  hipKernelNodeParams params;
  HIP_CHECK(hipGraphKernelNodeGetParams(node, &params));
  Bytes changed = bytesOf(77);
  int *pointer = out;
  int add = 2;
  void *arguments[] = {&pointer, &changed, &add};
  params.kernelParams = arguments;
  HIP_CHECK(hipGraphExecKernelNodeSetParams(exec, node, &params));
  HIP_CHECK(hipMemset(out, 0, sizeof(int)));
  HIP_CHECK(hipGraphLaunch(exec, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(out.host()[0], sumOfBytes(changed) + 64);
  HIP_CHECK(hipGraphExecDestroy(exec));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipStreamDestroy(stream));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
