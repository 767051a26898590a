// SPDX-License-Identifier: MIT
// Machine code for gfx1030 gets what AMD's runtime gives it: calls of the host (functions, printf, memory), assertions and traps, the
// barrier of the grid, and hidden arguments. The kernels are tests/data/amdgcn/services.hip.
#include "check.h"

#include "captured_output.h"
#include "code_objects.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

static hipModule_t services() {
  static const std::string bytes = codeObject("services.co");
  hipModule_t module = nullptr;
  HIP_CHECK(hipModuleLoadData(&module, bytes.data()));
  return module;
}

static void hostFunction(uint64_t *results, const uint64_t *arguments) {
  results[0] = arguments[0] + arguments[1];
  results[1] = arguments[0] % 10;
}

TEST(functionsOfTheHost) {
  const hipModule_t module = services();
  constexpr unsigned kItems = 64 * 50;
  Buffer<uint64_t> out(kItems);
  auto address = reinterpret_cast<uint64_t>(&hostFunction);
  void *arguments[] = {&address, &out.device};
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "callsFunctions"), 50, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  for (unsigned i = 0; i < kItems; ++i)
    CHECK_EQ(out.host[i], i % 3 == 1 ? 0 : (i + 1000) * 10 + i % 10);
  HIP_CHECK(hipModuleUnload(module));
}

TEST(printf) {
  const hipModule_t module = services();
  Buffer<int> out(64, -1);
  void *arguments[] = {&out.device};
  Capture capture;
  HIP_CHECK(hipModuleLaunchKernel(function(module, "prints"), 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  std::istringstream text(capture.finish());
  out.fetch();
  std::vector<std::string> printed(64);
  for (std::string line; std::getline(text, line);)
    printed[std::stoi(line) % 64] += line;
  for (int t = 0; t < 64; ++t) {
    char expected[100] = "";
    if (t % 2)
      std::snprintf(expected, sizeof expected, "%d: %-6s|%5.2f|%%", t, t == 3 ? "three" : "longer than six", t / 4.0);
    CHECK(printed[t] == expected);
    CHECK_EQ(out.host[t], t % 2 ? static_cast<int>(std::string(expected).size()) + 1 : -1);
  }
  HIP_CHECK(hipModuleUnload(module));
}

// From graphs as well.
TEST(printfInAGraph) {
  const hipModule_t module = services();
  Buffer<int> out(64, -1);
  void *arguments[] = {&out.device};
  hipStream_t stream = nullptr;
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipModuleLaunchKernel(function(module, "prints"), 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  Capture capture;
  for (int i = 0; i < 2; ++i)
    HIP_CHECK(hipGraphLaunch(executable, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  const std::string text = capture.finish();
  CHECK_EQ(std::count(text.begin(), text.end(), '\n'), 2 * 32);
  HIP_CHECK(hipGraphExecDestroy(executable));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipModuleUnload(module));
}

// The output of -mprintf-kind=buffered stands there when the launch returns.
TEST(bufferedPrintf) {
  const hipModule_t module = services();
  Buffer<int> out(64, 7);
  int times = 1;
  void *arguments[] = {&out.device, &times};
  Capture capture;
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "printsToBuffer"), 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  std::istringstream text(capture.finish());
  std::vector<std::string> lines, expected;
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  for (int t = 1; t < 64; t += 2) {
    char line[100];
    std::snprintf(line, sizeof line, "%d: %-8s|%5.2f|%llx, 50:50%%", t, "green", t / 4.0, 0x123456789allu + t);
    expected.emplace_back(line);
    if (t % 4 == 3)
      expected.push_back("o:" + std::to_string(t) + "%");
  }
  std::sort(lines.begin(), lines.end());
  std::sort(expected.begin(), expected.end());
  CHECK(lines == expected);
  out.fetch();
  for (int t = 0; t < 64; ++t)
    CHECK_EQ(out.host[t], t % 2 ? 0 : 7);
  // A graph.
  hipStream_t stream = nullptr;
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "printsToBuffer"), 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  Capture another;
  HIP_CHECK(hipGraphLaunch(executable, stream));
  const std::string printed = another.finish();
  CHECK_EQ(static_cast<size_t>(std::count(printed.begin(), printed.end(), '\n')), expected.size());
  HIP_CHECK(hipGraphExecDestroy(executable));
  HIP_CHECK(hipGraphDestroy(graph));
  // More than there is room for: what fits is printed, and the others are told.
  times = 20000;
  Capture much;
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "printsToBuffer"), 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
  const std::string all = much.finish();
  CHECK(all.size() > 1 << 20 && all.size() < size_t{32} * 20000 * 30);
  out.fetch();
  for (int t = 1; t < 64; t += 2)
    CHECK_EQ(out.host[t], -1);
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipModuleUnload(module));
}

// Launches of several threads at the same time lose nothing.
TEST(bufferedPrintfOfThreads) {
  const hipModule_t module = services();
  constexpr int kThreads = 4, kLaunches = 20;
  Capture capture;
  std::vector<std::thread> threads;
  for (int n = 0; n < kThreads; ++n)
    threads.emplace_back([&] {
      Buffer<int> out(64);
      hipStream_t stream = nullptr;
      int times = 1;
      void *arguments[] = {&out.device, &times};
      HIP_CHECK(hipStreamCreate(&stream));
      for (int i = 0; i < kLaunches; ++i)
        HIP_CHECK(hipModuleLaunchKernel(function(module, "printsToBuffer"), 1, 1, 1, 64, 1, 1, 0, stream, arguments,
                                        nullptr));
      HIP_CHECK(hipStreamDestroy(stream));
    });
  for (std::thread &thread : threads)
    thread.join();
  const std::string text = capture.finish();
  CHECK_EQ(std::count(text.begin(), text.end(), '\n'), kThreads * kLaunches * (32 + 16));
  HIP_CHECK(hipModuleUnload(module));
}

static void checkAllocations() {
  const hipModule_t module = services();
  constexpr unsigned kItems = 40;
  Buffer<uint64_t> out(kItems);
  void *arguments[] = {&out.device};
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "allocates"), 1, 1, 1, kItems, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  for (unsigned t = 0; t < kItems; ++t) {
    CHECK(out.host[t] != 0);
    CHECK_EQ(out.host[t] % (t % 2 ? 2 << 20 : 4096), 0u);
    if (t < 2)
      continue; // freed
    const auto *numbers = reinterpret_cast<const unsigned *>(out.host[t]);
    std::vector<unsigned> host(1000);
    HIP_CHECK(hipMemcpy(host.data(), numbers, host.size() * sizeof(unsigned), hipMemcpyDefault));
    for (unsigned i = 0; i < host.size(); ++i)
      CHECK_EQ(host[i], i * t);
  }
  HIP_CHECK(hipModuleUnload(module));
}

// A reset frees what kernels have allocated, and the next ones allocate again.
TEST(memory) {
  for (int i = 0; i < 2; ++i) {
    checkAllocations();
    HIP_CHECK(hipDeviceReset());
  }
}

static void checkThatItGivesUp(const char *kernel, hipError_t error, const std::string &message) {
  const hipModule_t module = services();
  int *out = nullptr, limit = 1000, last = 0;
  HIP_CHECK(hipMalloc(&out, 128 * sizeof(int)));
  void *arguments[] = {&out, &limit};
  auto launch = [&] {
    HIP_CHECK(hipModuleLaunchKernel(function(module, kernel), 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  };
  launch();
  HIP_CHECK(hipMemcpy(&last, out + 127, sizeof last, hipMemcpyDeviceToHost));
  CHECK_EQ(last, 127);
  limit = 70;
  Capture capture(2);
  launch();
  CHECK_EQ(hipDeviceSynchronize(), error);
  const std::string text = capture.finish();
  CHECK(text.find(message) != text.npos);
  HIP_CHECK(hipDeviceReset());
  Buffer<int> usable(1);
}

TEST(assertions) {
  checkThatItGivesUp("asserts", hipErrorLaunchFailure, "Device-side assertion `t < limit' failed.\n");
}
TEST(traps) { checkThatItGivesUp("traps", hipErrorLaunchFailure, ""); }

TEST(barrierOfTheGrid) {
  const hipModule_t module = services();
  int cooperative = 0;
  HIP_CHECK(hipDeviceGetAttribute(&cooperative, hipDeviceAttributeCooperativeLaunch, 0));
  CHECK(cooperative);
  int blocks = 0;
  HIP_CHECK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function(module, "meets"), 64, 0));
  blocks = std::clamp(blocks, 1, 12);
  Buffer<unsigned> sums(5);
  Buffer<uint64_t> state(blocks, 7);
  void *arguments[] = {&sums.device, &state.device};
  HIP_CHECK(hipModuleLaunchCooperativeKernel(function(module, "meets"), blocks, 1, 1, 64, 1, 1, 0, nullptr, arguments));
  sums.fetch();
  state.fetch();
  for (int round = 0; round < 4; ++round)
    CHECK_EQ(sums.host[round], static_cast<unsigned>(blocks * (blocks + 1) / 2));
  CHECK_EQ(sums.host[4], 0u);
  CHECK_EQ(state.host[0], 1u); // a grid of one device
  HIP_CHECK(hipModuleLaunchKernel(function(module, "meets"), blocks, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  state.fetch();
  CHECK_EQ(state.host[0], 0u); // an ordinary launch has none
  HIP_CHECK(hipModuleUnload(module));
}

TEST(hiddenArguments) {
  const hipModule_t module = services();
  Buffer<uint64_t> out(5, 7);
  void *arguments[] = {&out.device};
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "hiddenArguments"), 3, 1, 1, 48, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  CHECK_EQ(out.host[0], 3u);
  CHECK_EQ(out.host[1], 48u);
  CHECK_EQ(out.host[3], 1u); // a queue
  CHECK_EQ(out.host[4], 0u); // the state of the heap begins with zeros
  HIP_CHECK(hipModuleUnload(module));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
