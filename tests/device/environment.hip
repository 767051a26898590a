// SPDX-License-Identifier: MIT
// Environment variables for devices, launches and the log. Each case is a child that finds its variables set.
#include "check.h"

#include <atomic>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

__global__ void store(int *to, int value) { *to = value; }

/// The ordinals of the machine's devices that the process sees, in its order, told by the byte of their UUIDs that numbers them.
std::string seen() {
  int count = 0;
  const hipError_t error = hipGetDeviceCount(&count);
  std::string text = error == hipErrorNoDevice ? "none" : "";
  for (int device = 0; device < count; ++device) {
    hipUUID uuid;
    HIP_CHECK(hipDeviceGetUuid(&uuid, device));
    text += std::to_string(static_cast<unsigned char>(uuid.bytes[12]));
  }
  return text;
}

std::string uuidOf(int device) {
  hipUUID uuid;
  HIP_CHECK(hipDeviceGetUuid(&uuid, device));
  std::string text = "GPU-";
  for (size_t index = 0; index < sizeof uuid.bytes; ++index) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(uuid.bytes[index]));
    text += digits;
    if (index == 3)
      text += '-';
  }
  return text;
}

/// A kernel has ended when its launch returns, and so has a graph.
std::string launched() {
  int *value;
  HIP_CHECK(hipHostMalloc(&value, sizeof *value));
  volatile int *result = value;
  std::string text;
  for (int round = 1; round <= 20; ++round) {
    store<<<1, 1>>>(value, round);
    if (*result != round)
      return "pending";
  }
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t executable;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  store<<<1, 1, 0, stream>>>(value, 100);
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(executable, stream));
  return *result == 100 ? "complete" : "pending";
}

/// Before a kernel is launched, or a copy submitted, what came before it has ended.
std::string waitedBefore(bool copy) {
  static std::atomic<bool> called{false};
  int *memory;
  HIP_CHECK(hipHostMalloc(&memory, 2 * sizeof *memory));
  store<<<1, 1>>>(memory, 1);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipLaunchHostFunc(
      nullptr,
      [](void *) {
        usleep(20000);
        called = true;
      },
      nullptr));
  if (copy)
    HIP_CHECK(hipMemcpyAsync(memory, memory + 1, sizeof *memory, hipMemcpyDefault, nullptr));
  else
    store<<<1, 1>>>(memory, 2);
  const bool before = called;
  HIP_CHECK(hipDeviceSynchronize());
  return before ? "waited" : "went on";
}

/// Managed memory may be larger than the device's; memory of the device may not.
std::string largerThanTheDevice() {
  size_t available, total;
  HIP_CHECK(hipMemGetInfo(&available, &total));
  const size_t bytes = 2 * total;
  void *refused = nullptr;
  CHECK_EQ(hipMalloc(&refused, bytes), hipErrorOutOfMemory);
  (void)hipGetLastError();
  int *memory = nullptr;
  HIP_CHECK(hipMallocManaged(&memory, bytes));
  const size_t last = bytes / sizeof(int) - 1;
  store<<<1, 1>>>(memory + last, 42);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(memory[last], 42);
  hipPointerAttribute_t attributes;
  HIP_CHECK(hipPointerGetAttributes(&attributes, memory));
  CHECK_EQ(attributes.isManaged, 1);
  HIP_CHECK(hipFree(memory));
  size_t after;
  HIP_CHECK(hipMemGetInfo(&after, &total));
  CHECK_EQ(after, available);
  return checkFailures ? "wrong" : "right";
}

int child(const std::string &what) {
  const std::string text = what == "managed"    ? largerThanTheDevice()
                           : what == "seen"     ? seen()
                           : what == "launched" ? launched()
                                                : waitedBefore(what == "copy");
  std::printf("%s\n", text.c_str());
  return 0;
}

std::string program;

/// The output of a child, or its messages.
std::string run(const std::string &variables, const std::string &what, bool messages = false) {
  const std::string command =
      "env -u HIPLZ_LOG " + variables + " '" + program + "' " + what + (messages ? " 2>&1 >/dev/null" : "");
  FILE *pipe = popen(command.c_str(), "r");
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;)
    text += static_cast<char>(c);
  pclose(pipe);
  while (!messages && !text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

TEST(serialization) {
  CHECK(run("HIP_LAUNCH_BLOCKING=1", "launched") == "complete");
  CHECK(run("AMD_SERIALIZE_KERNEL=2", "launched") == "complete");
  CHECK(run("AMD_SERIALIZE_KERNEL=3", "launched") == "complete");
  CHECK(run("AMD_SERIALIZE_KERNEL=1", "kernel") == "waited");
  CHECK(run("AMD_SERIALIZE_COPY=1", "copy") == "waited");
  CHECK(run("AMD_SERIALIZE_COPY=0", "kernel") == "went on");
}

TEST(log) {
  const std::string failing = "HIP_VISIBLE_DEVICES=9 ";
  CHECK(run(failing, "seen", true).empty());
  CHECK(run(failing + "AMD_LOG_LEVEL=1", "seen", true).empty());
  CHECK(run(failing + "AMD_LOG_LEVEL=2", "seen", true).find("names none") != std::string::npos);
  CHECK(run("AMD_LOG_LEVEL=2", "seen", true).find("hipGetDeviceCount(") == std::string::npos);
  CHECK(run("AMD_LOG_LEVEL=4", "seen", true).find("hipGetDeviceCount(") != std::string::npos);
  CHECK(run("AMD_LOG_LEVEL=4 HIPLZ_LOG=off", "seen", true).empty()); // the nearer one counts
  CHECK(run("AMD_LOG_LEVEL=much", "seen", true).empty());
  CHECK(run("HIPLZ_LOG=inof", "seen", true).find("HIPLZ_LOG: ignored") != std::string::npos);
}

// One category at a time: the calls of Level Zero with what they return, and those of HIP.
TEST(categories) {
  const std::string traced = run("HIPLZ_LOG=ze=trace", "seen", true);
  CHECK(traced.find("zeDeviceGet(hDriver=0x") != std::string::npos);
  CHECK(traced.find(", phDevices=null) = ZE_RESULT_SUCCESS, ") != std::string::npos);
  CHECK(traced.find(" -> ") != std::string::npos);
  CHECK(traced.find("hipGetDeviceCount(") == std::string::npos);
  const std::string api = run("HIPLZ_LOG=api=debug", "seen", true);
  CHECK(api.find("hipGetDeviceCount(") != std::string::npos);
  CHECK(api.find("zeDeviceGet(") == std::string::npos);
  CHECK(run("HIPLZ_LOG=trace,ze=off", "seen", true).find("zeDeviceGet(") == std::string::npos);
  CHECK(run("HIPLZ_LOG=debug", "seen", true).find("zeDeviceGet(") == std::string::npos);
}

TEST(managedMemory) { CHECK(run("HIPLZ_DEVICES=cpu HIPLZ_CPU_MEMORY=64M", "managed") == "right"); }

// The last one, because what it sets is for the whole process.
TEST(devices) {
  const std::string machine = "HIPLZ_DEVICES=cpu HIPLZ_CPU_DEVICES=4 ";
  auto with = [&](const std::string &variables) { return run(machine + variables, "seen"); };
  CHECK(with("") == "0123");
  struct Case {
    const char *variables, *expected;
  } const cases[] = {
      {"HIP_VISIBLE_DEVICES=2,0", "20"},
      {"HIP_VISIBLE_DEVICES=", "0123"},
      {"HIP_VISIBLE_DEVICES=3,3,1", "31"},
      {"HIP_VISIBLE_DEVICES=1,4,2", "1"}, // what follows no device does not count
      {"HIP_VISIBLE_DEVICES=1,x,2", "1"},
      {"HIP_VISIBLE_DEVICES=-1", "none"},
      {"CUDA_VISIBLE_DEVICES=1", "1"},
      {"CUDA_VISIBLE_DEVICES=1 HIP_VISIBLE_DEVICES=2", "2"},
      {"CUDA_VISIBLE_DEVICES=1 HIP_VISIBLE_DEVICES=", "1"},
      {"ROCR_VISIBLE_DEVICES=3,1,2", "312"},
      {"ROCR_VISIBLE_DEVICES=3,1 HIP_VISIBLE_DEVICES=1", "1"}, // counts what is left
      {"ROCR_VISIBLE_DEVICES=3,1 HIP_VISIBLE_DEVICES=2", "none"},
      {"ROCR_VISIBLE_DEVICES=", "none"},
      {"ZE_AFFINITY_MASK=3,1", "13"}, // Level Zero keeps the order of the devices
      {"ZE_AFFINITY_MASK=2.0,7", "2"},
      {"ZE_AFFINITY_MASK=7", "none"},
      {"ZE_AFFINITY_MASK=1,3 HIP_VISIBLE_DEVICES=1,0", "31"},
  };
  for (const Case &one : cases) {
    const std::string result = with(one.variables);
    if (result != one.expected)
      std::fprintf(stderr, "%s shows %s, not %s\n", one.variables, result.c_str(), one.expected);
    CHECK(result == one.expected);
  }
  setenv("HIPLZ_DEVICES", "cpu", 1);
  setenv("HIPLZ_CPU_DEVICES", "4", 1);
  CHECK(with("HIP_VISIBLE_DEVICES=" + uuidOf(2) + ",0") == "20");
  CHECK(with("ROCR_VISIBLE_DEVICES=" + uuidOf(3)) == "3");
  CHECK(with("HIP_VISIBLE_DEVICES=GPU-") == "none");
  CHECK(with("HIP_VISIBLE_DEVICES=" + uuidOf(2).substr(0, 8)) == "none"); // all devices begin so
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] != '-')
    return child(argv[1]);
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  program.assign(path, length > 0 ? length : 0);
  return runTests(argc, argv);
}
