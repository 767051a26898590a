// SPDX-License-Identifier: MIT
// Each call of Level Zero fails once: streams, graphs, kernels, modules; and those with which a process begins.
#include "check.h"
#include "failing_calls.h"

#include <fstream>
#include <iterator>
#include <string>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

__device__ int variableOfModule;
extern "C" __global__ void readInModule(int *out) { *out = variableOfModule; }

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
  launch(b, a, 4, second);
  TRY(hipGetLastError());
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
  launch(b, a, 1);
  TRY(hipGetLastError());
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
  launch(b, a, 6, stream);
  captured &= noted(hipGetLastError(), "captured launch");
  launch(a, b, 1, stream);
  captured &= noted(hipGetLastError(), "captured launch");
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
    launch(a, b, 1, stream);
    TRY(hipGetLastError());
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
    CHECK_EQ(calls.load(), round);
  }
}

__device__ int deviceValue;
__global__ void readValue(int *out) { *out = deviceValue; }

void symbols() {
  Memory out;
  int value = 77, back = -1;
  TRY(hipMalloc(&out.handle, sizeof(int)));
  TRY(hipMemcpyToSymbol(HIP_SYMBOL(deviceValue), &value, sizeof value));
  readValue<<<1, 1>>>(out);
  TRY(hipGetLastError());
  TRY(hipMemcpy(&back, out, sizeof back, hipMemcpyDeviceToHost));
  CHECK_EQ(back, 77);
  back = -1;
  TRY(hipMemcpyFromSymbol(&back, HIP_SYMBOL(deviceValue), sizeof back));
  CHECK_EQ(back, 77);
}

void kernelQueries() {
  hipFuncAttributes attributes{};
  int blocks = -1, size = -1, smallest = -1;
  TRY(hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(addTo)));
  CHECK(attributes.maxThreadsPerBlock >= 64);
  TRY(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, addTo, 64, 0));
  CHECK(blocks > 0);
  TRY(hipOccupancyMaxPotentialBlockSize(&smallest, &size, addTo, 0, 0));
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
  TRY(hipLaunchCooperativeKernel(reinterpret_cast<const void *>(addTo), dim3(1), dim3(64), arguments, 0, nullptr));
  TRY(hipMemcpy(back.data(), b, 64 * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(std::all_of(back.begin(), back.begin() + 64, [](int v) { return v == 3; }));
}

__global__ void print(int value) { printf("%d of the test\n", value); }

void printing() {
  print<<<1, 1>>>(4);
  TRY(hipGetLastError());
  TRY(hipDeviceSynchronize());
}

__global__ void takeFromHeap(int *out) {
  int *memory = static_cast<int *>(malloc(16));
  *out = memory != nullptr;
  free(memory);
}

void deviceHeap() {
  Memory out;
  int back = -1;
  TRY(hipMalloc(&out.handle, sizeof(int)));
  takeFromHeap<<<1, 1>>>(out);
  TRY(hipGetLastError());
  TRY(hipMemcpy(&back, out, sizeof back, hipMemcpyDeviceToHost));
  CHECK_EQ(back, 1);
}

/// The device code of this program, as it stands in its file.
const std::vector<char> &ownCode() {
  static const std::vector<char> code = [] {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::string magic = "__CLANG_OFFLOAD_BUN";
    magic += "DLE__"; // the program's text has it only once
    return std::vector<char>(std::search(bytes.begin(), bytes.end(), magic.begin(), magic.end()), bytes.end());
  }();
  return code;
}

void modules() {
  Owned<hipModule_t, hipModuleUnload> module;
  hipFunction_t function = nullptr;
  Memory out;
  int back = -1;
  TRY(hipModuleLoadData(&module, ownCode().data()));
  TRY(hipModuleGetFunction(&function, module, "readInModule"));
  hipDeviceptr_t variable = nullptr;
  size_t bytes = 0;
  TRY(hipModuleGetGlobal(&variable, &bytes, module, "variableOfModule"));
  CHECK_EQ(bytes, sizeof(int));
  const int value = 31;
  TRY(hipMemcpyHtoD(variable, const_cast<int *>(&value), sizeof value));
  TRY(hipMalloc(&out.handle, sizeof(int)));
  int *pointer = out;
  void *arguments[] = {&pointer};
  TRY(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  TRY(hipMemcpy(&back, out, sizeof back, hipMemcpyDeviceToHost));
  CHECK_EQ(back, 31);
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
SCENARIO(printing)
SCENARIO(deviceHeap)
SCENARIO(modules)

/// A process of its own, in which one call fails from its beginning on. Returns the exit code: 3 if there were fewer calls.
int runChild(int turn, const Failure &failure) {
  failing_calls::start(turn, failure.of, failure.result);
  Ending first;
  for (auto scenario : {streams, modules}) {
    run(scenario);
    if (ending.error && !first.error)
      first = ending;
  }
  const char *failed = failing_calls::stop();
  if (!failed)
    return checkFailures != 0 || first.error ? 1 : 3;
  if (checkFailures != 0)
    std::fprintf(stderr, "  where call %d, %s, failed: %s; HIP: %s of %s\n", turn, failed, failure.name,
                 hipGetErrorName(first.error), first.call);
  return checkFailures != 0;
}

// From the first call that the runtime makes: drivers are opened, and everything is used for the first time.
TEST(fromTheBeginning) {
  if (dlsym(RTLD_DEFAULT, "__asan_init")) // which takes longer to begin than all of these processes
    return;
  for (int turn = 1;; ++turn) {
    const std::string number = std::to_string(turn);
    const size_t failure = turn % 2; // one of Level Zero's
    const std::string kind = std::to_string(failure);
    const char *arguments[] = {"/proc/self/exe", "--child", number.c_str(), kind.c_str(), nullptr};
    pid_t child = 0;
    CHECK_EQ(posix_spawn(&child, arguments[0], nullptr, nullptr, const_cast<char **>(arguments), environ), 0);
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
      break;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      CHECK(!"a process in which one call fails ends well");
      std::fprintf(stderr, "  call %d fails, %s: status 0x%x\n", turn, kFailures[failure].name, status);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 4 && !std::strcmp(argv[1], "--child")) {
    ::alarm(20);
    return runChild(std::atoi(argv[2]), kFailures[std::atoi(argv[3])]);
  }
  return runTests(argc, argv);
}
