// SPDX-License-Identifier: MIT
// The end of a process and forked children: whatever is pending, nothing crashes and nothing hangs. tests/neo runs this
// program on Intel's driver as well, which destroys itself when the process exits.
#include "check.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <list>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

// A forked child has lost the threads that own some of the memory, and a leak checker takes that for a leak.
extern "C" const char *__asan_default_options() { return "detect_leaks=0"; }
// Threads that run host functions end with the process, and nobody joins them.
extern "C" const char *__tsan_default_options() { return "report_thread_leaks=0"; }

namespace {

__global__ void spin(unsigned *sink, unsigned rounds) {
  unsigned value = *sink;
  for (unsigned i = 0; i < rounds; ++i)
    value = (value ^ value >> 15) * 1664525u + 1013904223u;
  *sink = value;
}

hipStream_t stream;
unsigned *sink;
std::atomic<bool> never{false}, driversGone{false};

void prepare() {
  int count;
  if (hipGetDeviceCount(&count) == hipErrorNoDevice)
    _exit(77); // tests/neo on a machine without Intel's driver
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&sink), sizeof(unsigned)));
}

// Destroyed after main has returned, and after the drivers. Uses HIP, or lets the process linger.
struct AtExit {
  bool active = false;
  int lingerMilliseconds = 0;
  ~AtExit() {
    driversGone = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(lingerMilliseconds));
    if (!active)
      return;
    // The object is older than the runtime, so the drivers may be gone.
    const bool refused = hipMemset(sink, 0, sizeof(unsigned)) == hipErrorDeinitialized &&
                         hipStreamSynchronize(stream) == hipErrorDeinitialized &&
                         hipStreamSynchronize(hipStreamPerThread) == hipErrorDeinitialized &&
                         hipStreamDestroy(stream) == hipErrorDeinitialized && hipFree(sink) == hipErrorDeinitialized;
    if (!refused)
      _exit(6);
  }
} atExit;

void returnWithWorkPending() {
  prepare();
  for (int i = 0; i < 50; ++i)
    spin<<<8, 64, 0, stream>>>(sink, 1000);
}
void returnWithFunctionPending() {
  prepare();
  HIP_CHECK(hipLaunchHostFunc(
      stream,
      [](void *) {
        while (!never)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      nullptr));
  spin<<<1, 1, 0, stream>>>(sink, 1);
}
// Host functions return while there is no driver any more, and more of them are due.
void returnWithFunctionsDue() {
  prepare();
  atExit.lingerMilliseconds = 150;
  for (int i = 0; i < 8; ++i) {
    HIP_CHECK(hipStreamCreate(&stream));
    for (int j = 0; j < 3; ++j) {
      spin<<<1, 1, 0, stream>>>(sink, 1000);
      HIP_CHECK(hipLaunchHostFunc(
          stream,
          [](void *) {
            if (driversGone)
              _exit(7);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          },
          nullptr));
    }
  }
}
// The thread that runs the host functions of one of the streams sleeps in the driver.
void returnWithFunctionWaiting() {
  hipStream_t later;
  hipEvent_t event;
  returnWithFunctionPending();
  atExit.lingerMilliseconds = 50;
  HIP_CHECK(hipStreamCreate(&later));
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipEventRecord(event, stream));
  HIP_CHECK(hipStreamWaitEvent(later, event, 0));
  HIP_CHECK(hipLaunchHostFunc(
      later, [](void *) {}, nullptr));
}
// A destructor that is younger than the runtime still has all of it, also the default stream of its thread.
void returnWithYoungerDestructor() {
  prepare();
  HIP_CHECK(hipMemsetAsync(sink, 0, sizeof(unsigned), hipStreamPerThread));
  static struct Younger {
    ~Younger() {
      for (int i = 0; i < 3; ++i)
        if (hipMemsetAsync(sink, 0, sizeof(unsigned), hipStreamPerThread) != hipSuccess ||
            hipStreamSynchronize(hipStreamPerThread) != hipSuccess)
          _exit(8);
      if (hipFree(sink) != hipSuccess || hipStreamDestroy(stream) != hipSuccess)
        _exit(9);
    }
  } younger;
}
void returnWithStaticDestructor() {
  prepare();
  atExit.active = true;
}
void returnWithThreadsRunning() {
  prepare();
  for (int i = 0; i < 4; ++i)
    std::thread([] {
      for (;;)
        if (hipMemsetAsync(sink, 0, 4, hipStreamPerThread) != hipSuccess ||
            hipStreamQuery(hipStreamPerThread) == hipErrorUnknown)
          return;
    }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}
void returnWithoutUse() {}

void forkAfterUse() {
  prepare();
  spin<<<1, 1, 0, stream>>>(sink, 1);
  HIP_CHECK(hipDeviceSynchronize());
  const pid_t child = fork();
  if (child == 0) {
    // The child gets errors, and ends like any process.
    int count;
    const bool refused = hipGetDeviceCount(&count) == hipErrorNotInitialized &&
                         hipStreamSynchronize(stream) == hipErrorNotInitialized &&
                         hipFree(sink) == hipErrorNotInitialized;
    std::exit(refused ? 0 : 3);
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    std::exit(4);
  HIP_CHECK(hipMemset(sink, 0, sizeof(unsigned))); // the parent goes on
}

void forkBeforeUse() {
  const pid_t child = fork();
  prepare();
  spin<<<1, 1, 0, stream>>>(sink, 1);
  HIP_CHECK(hipDeviceSynchronize());
  if (child == 0)
    return;
  int status = -1;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    std::exit(5);
}

struct Scenario {
  const char *name;
  void (*run)();
} const scenarios[] = {
    {"work", returnWithWorkPending},
    {"function", returnWithFunctionPending},
    {"functions-due", returnWithFunctionsDue},
    {"function-waiting", returnWithFunctionWaiting},
    {"destructor", returnWithStaticDestructor},
    {"younger-destructor", returnWithYoungerDestructor},
    {"threads", returnWithThreadsRunning},
    {"unused", returnWithoutUse},
    {"fork-after", forkAfterUse},
    {"fork-before", forkBeforeUse},
};

// Runs a scenario in a process of its own; the exit code, or -1 for a crash and -2 for a hang.
int runAlone(const char *program, const char *name) {
  const pid_t child = fork();
  if (child == 0) {
    execl(program, program, name, nullptr);
    _exit(127);
  }
  for (int waited = 0; waited < 20000; waited += 5) {
    int status;
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return -2;
}

} // namespace

// The body of each scenario.
void runCurrent() { CHECK_EQ(runAlone("/proc/self/exe", currentTest), 0); }

int main(int argc, char **argv) {
  if (argc == 2 && argv[1][0] != '-') { // the process of a scenario
    for (const Scenario &scenario : scenarios)
      if (std::strcmp(argv[1], scenario.name) == 0) {
        scenario.run();
        return 0;
      }
    return 2;
  }
  std::list<TestCase> tests;
  for (const Scenario &scenario : scenarios)
    tests.emplace_back(scenario.name, runCurrent);
  return runTests(argc, argv);
}
