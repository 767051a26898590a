// SPDX-License-Identifier: MIT
// Each call of Level Zero fails: streams, graphs, kernels, modules.
#include "failures.h"

#include <algorithm>
#include <atomic>

namespace failures {
namespace {

void streams() {
  Stream first, second;
  Event begin, end;
  Memory a, b;
  std::vector<int> back(kCount, -1);
  TRY(hipStreamCreate(&first));
  TRY(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  TRY(hipEventCreate(&begin));
  TRY(hipEventCreate(&end));
  TRY(hipMalloc(&a.handle, kCount * sizeof(int)));
  TRY(hipMalloc(&b.handle, kCount * sizeof(int)));
  TRY(hipMemcpyAsync(a, numbers(0).data(), kCount * sizeof(int), hipMemcpyHostToDevice, first));
  TRY(hipEventRecord(begin, first));
  TRY(hipStreamWaitEvent(second, begin, 0));
  TRY(launchAddTo(b, a, 4, second));
  TRY(hipEventRecord(end, second));
  TRY(hipEventSynchronize(end));
  TRY(hipMemcpyAsync(back.data(), b, kCount * sizeof(int), hipMemcpyDeviceToHost, second));
  TRY(hipStreamSynchronize(second));
  CHECK(back == numbers(4));
  float milliseconds = -1;
  TRY(hipEventElapsedTime(&milliseconds, begin, end));
  CHECK(milliseconds >= 0);
  TRY(hipStreamSynchronize(first));
  // The null stream waits for the first one.
  TRY(hipMemsetAsync(a, 1, kCount * sizeof(int), first));
  TRY(launchAddTo(b, a, 1));
  TRY(hipMemcpy(back.data(), b, kCount * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(back == std::vector<int>(kCount, 0x01010102));
}

void hostFunctions() {
  Stream stream;
  TRY(hipStreamCreate(&stream));
  static std::atomic<int> calls; // a lost device may leave a function behind
  calls = 0;
  auto count = [](void *counter) { ++*static_cast<std::atomic<int> *>(counter); };
  const bool asked = noted(hipLaunchHostFunc(stream, count, &calls), "hipLaunchHostFunc");
  const bool again = asked && noted(hipLaunchHostFunc(stream, count, &calls), "hipLaunchHostFunc");
  const bool waited = noted(hipStreamSynchronize(stream), "hipStreamSynchronize");
  CHECK(calls <= asked + again);
  CHECK(!waited || calls == asked + again);
}

void callbacks() {
  Stream stream;
  TRY(hipStreamCreate(&stream));
  static std::atomic<int> calls;
  calls = 0;
  const bool asked = noted(hipStreamAddCallback(
                               stream,
                               [](hipStream_t, hipError_t error, void *counter) {
                                 *static_cast<std::atomic<int> *>(counter) += error == hipSuccess ? 1 : 100;
                               },
                               &calls, 0),
                           "hipStreamAddCallback");
  const bool waited = noted(hipStreamSynchronize(stream), "hipStreamSynchronize");
  CHECK(!waited || calls == asked);
}

void waitsForValues() {
  Stream stream;
  HostMemory word;
  TRY(hipStreamCreate(&stream));
  TRY(hipHostMalloc(&word.handle, 2 * sizeof(int)));
  word.handle[0] = 5;
  word.handle[1] = 0;
  TRY(hipStreamWaitValue32(stream, word.handle, 5, hipStreamWaitValueEq, 0xffffffff));
  const bool written = noted(hipStreamWriteValue32(stream, word.handle + 1, 9, 0), "hipStreamWriteValue32");
  TRY(hipStreamSynchronize(stream));
  CHECK(!written || word.handle[1] == 9);
}

void graphs() {
  Stream stream;
  Graph graph;
  GraphExec exec;
  Memory a, b;
  std::vector<int> back(kCount, -1);
  TRY(hipStreamCreate(&stream));
  TRY(hipMalloc(&a.handle, kCount * sizeof(int)));
  TRY(hipMalloc(&b.handle, kCount * sizeof(int)));
  TRY(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  bool captured = noted(hipMemsetAsync(a, 0, kCount * sizeof(int), stream), "captured hipMemsetAsync");
  captured &= noted(launchAddTo(b, a, 6, stream), "captured launch");
  captured &= noted(launchAddTo(a, b, 1, stream), "captured launch");
  captured &=
      noted(hipMemcpyAsync(back.data(), a, kCount * sizeof(int), hipMemcpyDeviceToHost, stream), "captured copy");
  TRY(hipStreamEndCapture(stream, &graph));
  if (!captured)
    return;
  TRY(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int round = 0; round < 2; ++round) {
    std::fill(back.begin(), back.end(), -1);
    TRY(hipGraphLaunch(exec, stream));
    TRY(hipStreamSynchronize(stream));
    CHECK(back == std::vector<int>(kCount, 7));
  }
}

void manyLanes() {
  Stream stream, other;
  Graph graph;
  GraphExec exec;
  Event fork, join;
  Memory a, b;
  std::vector<int> first(kCount, -1), second(kCount, -1);
  static std::atomic<int> calls;
  calls = 0;
  TRY(hipStreamCreate(&stream));
  TRY(hipStreamCreate(&other));
  TRY(hipEventCreate(&fork));
  TRY(hipEventCreate(&join));
  TRY(hipMalloc(&a.handle, kCount * sizeof(int)));
  TRY(hipMalloc(&b.handle, kCount * sizeof(int)));
  TRY(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  auto capture = [&] {
    TRY(hipEventRecord(fork, stream));
    TRY(hipStreamWaitEvent(other, fork, 0));
    TRY(hipMemsetAsync(a, 1, kCount * sizeof(int), stream));
    TRY(hipMemsetAsync(b, 2, kCount * sizeof(int), other));
    TRY(hipMemcpyAsync(second.data(), b, kCount * sizeof(int), hipMemcpyDeviceToHost, other));
    TRY(hipLaunchHostFunc(
        stream, [](void *counter) { ++*static_cast<std::atomic<int> *>(counter); }, &calls));
    TRY(hipEventRecord(join, other));
    TRY(hipStreamWaitEvent(stream, join, 0));
    TRY(launchAddTo(a, b, 1, stream));
    TRY(hipMemcpyAsync(first.data(), a, kCount * sizeof(int), hipMemcpyDeviceToHost, stream));
  };
  capture();
  TRY(hipStreamEndCapture(stream, &graph));
  if (ending.error)
    return;
  TRY(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int round = 1; round <= 3; ++round) {
    const bool launched = noted(hipGraphLaunch(exec, stream), "hipGraphLaunch");
    TRY(hipStreamSynchronize(stream));
    if (!launched)
      return;
    CHECK(first == std::vector<int>(kCount, 0x02020203) && second == std::vector<int>(kCount, 0x02020202));
    CHECK(calls.load() == round);
  }
}

void symbols() {
  Memory out;
  int value = 77, back = -1;
  TRY(hipMalloc(&out.handle, sizeof(int)));
  TRY(hipMemcpyToSymbol(deviceValue, &value, sizeof value));
  TRY(launchReadValue(out));
  TRY(hipMemcpy(&back, out, sizeof back, hipMemcpyDeviceToHost));
  CHECK(back == 77);
  back = -1;
  TRY(hipMemcpyFromSymbol(&back, deviceValue, sizeof back));
  CHECK(back == 77);
}

void kernelQueries() {
  hipFuncAttributes attributes{};
  int blocks = -1, size = -1, smallest = -1;
  TRY(hipFuncGetAttributes(&attributes, addToAddress));
  CHECK(attributes.maxThreadsPerBlock >= 64);
  TRY(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, addToAddress, 64, 0));
  CHECK(blocks > 0);
  TRY(hipOccupancyMaxPotentialBlockSize(&smallest, &size, addToAddress, 0, 0));
  CHECK(size > 0);
}

void cooperativeLaunch() {
  Memory a, b;
  std::vector<int> back(kCount, -1);
  TRY(hipMalloc(&a.handle, kCount * sizeof(int)));
  TRY(hipMalloc(&b.handle, kCount * sizeof(int)));
  TRY(hipMemset(a, 0, kCount * sizeof(int)));
  int *out = b;
  const int *in = a;
  int value = 3, count = 64;
  void *arguments[] = {&out, &in, &value, &count};
  TRY(hipLaunchCooperativeKernel(addToAddress, dim3(1), dim3(64), arguments, 0, nullptr));
  TRY(hipMemcpy(back.data(), b, 64 * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(std::all_of(back.begin(), back.begin() + 64, [](int v) { return v == 3; }));
}

void modules() {
  LoadedModule module;
  int back = -1;
  TRY(hipModuleLoadData(&module, bundle()));
  hipDeviceptr_t variable = nullptr;
  size_t bytes = 0;
  TRY(hipModuleGetGlobal(&variable, &bytes, module, "deviceValue"));
  CHECK(bytes == sizeof(int));
  const int value = 31;
  TRY(hipMemcpyHtoD(variable, const_cast<int *>(&value), sizeof value));
  TRY(readValueOf(module, &back));
  CHECK(back == 31);
}

SCENARIO(streams)
SCENARIO(hostFunctions)
SCENARIO(callbacks)
SCENARIO(waitsForValues)
SCENARIO(graphs)
SCENARIO(manyLanes)
SCENARIO(symbols)
SCENARIO(kernelQueries)
SCENARIO(cooperativeLaunch)
SCENARIO(modules)

} // namespace
} // namespace failures
