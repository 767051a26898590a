// SPDX-License-Identifier: MIT
// Processes: start, end, fork, environment, signals.
#include "child.h"
#include "support.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

/// A context and an immediate list without checks; a child reports through its exit code.
struct Setup : ChildDevice {
  ze_command_list_handle_t list = nullptr;
  ze_event_pool_handle_t pool = nullptr;

  enum List { kNoList, kWithList };
  explicit Setup(List wanted = kWithList) {
    ze_event_pool_desc_t poolDesc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 8};
    ok = ok && (wanted == kNoList || (list = newList())) &&
         zeEventPoolCreate(context, &poolDesc, 0, nullptr, &pool) == ZE_RESULT_SUCCESS;
  }
  ze_command_list_handle_t newList() const {
    ze_command_queue_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    ze_command_list_handle_t made = nullptr;
    zeCommandListCreateImmediate(context, device, &desc, &made);
    return made;
  }
  ze_event_handle_t event(uint32_t index) const {
    ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index, 0, 0};
    ze_event_handle_t made = nullptr;
    zeEventCreate(pool, &desc, &made);
    return made;
  }
  ze_kernel_handle_t kernel(const char *name, uint32_t size) const {
    std::vector<uint8_t> spirv = readKernelFile("kernels.spv");
    ze_module_desc_t desc = spirvModule(spirv);
    ze_module_handle_t module = nullptr;
    ze_kernel_handle_t made = nullptr;
    ze_kernel_desc_t kernelDesc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    if (zeModuleCreate(context, device, &desc, &module, nullptr) == ZE_RESULT_SUCCESS &&
        zeKernelCreate(module, &kernelDesc, &made) == ZE_RESULT_SUCCESS)
      zeKernelSetGroupSize(made, size, 1, 1);
    return made;
  }
  /// A command that was executed by a worker thread, so that there are worker threads.
  bool work() const {
    static int source = 5, target = 0;
    target = 0;
    ze_event_handle_t done = event(7);
    bool done7 =
        zeCommandListAppendMemoryCopy(list, &target, &source, sizeof source, done, 0, nullptr) == ZE_RESULT_SUCCESS &&
        zeEventHostSynchronize(done, kForever) == ZE_RESULT_SUCCESS && target == 5;
    zeEventDestroy(done);
    return done7;
  }
};

int threadsOfThisProcess() {
  int count = 0;
  for (auto &entry : std::filesystem::directory_iterator("/proc/self/task"))
    count += !entry.path().empty();
  return count;
}

// The exit code of a child, which is killed if it takes seconds: nobody else would end it.
int waitFor(pid_t process) {
  int status = 0;
  for (int rounds = 0; ::waitpid(process, &status, WNOHANG) == 0; ++rounds) {
    if (rounds == 5000)
      ::kill(process, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int queriesCreateNoThreads() {
  Setup setup;
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  if (!setup.ok || zeDeviceGetProperties(setup.device, &properties) != ZE_RESULT_SUCCESS)
    return 1;
  if (threadsOfThisProcess() != 1)
    return 2;
  return setup.work() && threadsOfThisProcess() > 1 ? 0 : 3;
}

// Ends with a kernel that never ends, a list that waits for nobody, and thousands of commands behind them.
int exitWithWorkPending() {
  Setup setup;
  static int flag = 0, out = 0, source = 0, target = 0;
  int *flagPointer = &flag, *outPointer = &out;
  ze_kernel_handle_t wait = setup.kernel("wait_for_flag", 1);
  if (!wait)
    return 1;
  zeKernelSetArgumentValue(wait, 0, sizeof flagPointer, &flagPointer);
  zeKernelSetArgumentValue(wait, 1, sizeof outPointer, &outPointer);
  ze_group_count_t one{1, 1, 1};
  zeCommandListAppendLaunchKernel(setup.list, wait, &one, nullptr, 0, nullptr);
  ze_event_handle_t never = setup.event(0);
  ze_command_list_handle_t other = setup.newList();
  zeCommandListAppendBarrier(other, nullptr, 1, &never);
  for (int index = 0; index < 5000; ++index)
    zeCommandListAppendMemoryCopy(other, &target, &source, sizeof source, nullptr, 0, nullptr);
  std::thread([never] { zeEventHostSynchronize(never, kForever); }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return 0;
}

int forkAfterWork() {
  Setup setup;
  if (!setup.ok || !setup.work())
    return 1;
  pid_t child = ::fork();
  if (child == 0) {
    // No call may hang or crash, and none may pretend.
    uint32_t count = 1;
    ze_device_handle_t device;
    bool refused = zeDeviceGet(setup.driver, &count, &device) == ZE_RESULT_ERROR_UNINITIALIZED &&
                   zeCommandListAppendBarrier(setup.list, nullptr, 0, nullptr) == ZE_RESULT_ERROR_UNINITIALIZED &&
                   zeContextDestroy(setup.context) == ZE_RESULT_ERROR_UNINITIALIZED;
    // Loader 1.20 answers this one itself, with what the parent got, and the driver refuses what follows.
    if (zeInit(0) != ZE_RESULT_ERROR_UNINITIALIZED)
      refused = refused && zeDeviceGet(setup.driver, &count, &device) == ZE_RESULT_ERROR_UNINITIALIZED;
    ::_exit(refused ? 0 : 10);
  }
  if (int code = waitFor(child))
    return code;
  return setup.work() ? 0 : 2; // the parent goes on
}

int forkBeforeWork() {
  Setup setup;
  pid_t child = ::fork();
  if (child == 0) {
    Setup own;
    ::_exit(setup.work() && own.ok && own.work() ? 0 : 10);
  }
  if (int code = waitFor(child))
    return code;
  return setup.work() ? 0 : 2;
}

// A process may be forked while another of its threads gives the device its first work, to run another program: its child
// must get as far as that.
int forkBesideFirstWork() {
  for (int round = 0; round < 60; ++round) {
    const pid_t process = ::fork();
    if (process == 0) {
      Setup setup(Setup::kNoList);
      std::atomic<bool> begins{false};
      std::thread first([&] {
        begins = true;
        setup.list = setup.newList();
      });
      while (!begins)
        continue;
      for (const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(5 * round);
           std::chrono::steady_clock::now() < end;)
        continue;
      const pid_t child = ::fork();
      if (child == 0)
        ::_exit(0);
      const int code = waitFor(child);
      first.join();
      ::_exit(code ? code : setup.work() ? 0 : 2);
    }
    if (int code = waitFor(process))
      return code;
  }
  return 0;
}

int limitedMemory() {
  Setup setup;
  uint32_t one = 1;
  ze_device_memory_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  zeDeviceGetMemoryProperties(setup.device, &one, &properties);
  if (properties.totalSize != 64 << 20)
    return 1;
  ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  ze_host_mem_alloc_desc_t hostDesc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void *first, *second, *shared;
  if (zeMemAllocDevice(setup.context, &desc, 40 << 20, 0, setup.device, &first) != ZE_RESULT_SUCCESS)
    return 2;
  if (zeMemAllocDevice(setup.context, &desc, 40 << 20, 0, setup.device, &second) !=
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)
    return 3;
  if (zeMemAllocShared(setup.context, &desc, &hostDesc, 40 << 20, 0, setup.device, &shared) !=
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)
    return 4;
  // To the last byte, and again after it was freed.
  void *rest, *last;
  for (int round = 0; round < 2; ++round) {
    if (zeMemAllocDevice(setup.context, &desc, (24 << 20) - 4096, 0, setup.device, &rest) != ZE_RESULT_SUCCESS ||
        zeMemAllocDevice(setup.context, &desc, 4096, 0, setup.device, &last) != ZE_RESULT_SUCCESS ||
        zeMemAllocDevice(setup.context, &desc, 1, 0, setup.device, &second) != ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY ||
        zeMemFree(setup.context, rest) != ZE_RESULT_SUCCESS || zeMemFree(setup.context, last) != ZE_RESULT_SUCCESS)
      return 7;
  }
  // Memory that belongs to no device is not on the account, nor is that of another device.
  if (zeMemAllocHost(setup.context, &hostDesc, 40 << 20, 0, &shared) != ZE_RESULT_SUCCESS)
    return 5;
  uint32_t count = 2;
  ze_device_handle_t devices[2];
  zeDeviceGet(setup.driver, &count, devices);
  if (count != 2 || zeMemAllocDevice(setup.context, &desc, 40 << 20, 0, devices[1], &second) != ZE_RESULT_SUCCESS)
    return 6;
  return 0;
}

int faultMessage() {
  Setup setup;
  ze_kernel_handle_t store = setup.kernel("store_at", 4);
  if (!store)
    return 1;
  int *base = nullptr, value = 0;
  int64_t index = 0x40'0000'0000;
  zeKernelSetArgumentValue(store, 0, sizeof base, &base);
  zeKernelSetArgumentValue(store, 1, sizeof index, &index);
  zeKernelSetArgumentValue(store, 2, sizeof value, &value);
  ze_group_count_t one{1, 1, 1};
  ze_event_handle_t done = setup.event(0);
  zeCommandListAppendLaunchKernel(setup.list, store, &one, done, 0, nullptr);
  return zeEventHostSynchronize(done, kForever) == ZE_RESULT_ERROR_DEVICE_LOST ? 0 : 2;
}

volatile uintptr_t unmapped = 16; ///< no constant, so that the compiler believes in an access to it

// The host's own faults are the host's affair, also after the driver has installed its handlers.
int hostFaultWithHandler() {
  struct sigaction action {};
  action.sa_handler = [](int) { ::_exit(42); };
  ::sigaction(SIGSEGV, &action, nullptr);
  Setup setup;
  if (!setup.work() || faultMessage() != 0)
    return 1;
  *reinterpret_cast<volatile int *>(unmapped) = 1;
  return 2;
}

int hostFaultWithoutHandler() {
  Setup setup;
  if (!setup.work())
    return 1;
  *reinterpret_cast<volatile int *>(unmapped) = 1;
  return 2;
}

// No address space is left for the stack of a thread.
int noThreads() {
  Setup setup;
  int source = 5, target = 0;
  if (!setup.ok || threadsOfThisProcess() != 1)
    return 1;
  std::ifstream status("/proc/self/statm");
  size_t pages = 0;
  status >> pages;
  rlimit before;
  ::getrlimit(RLIMIT_AS, &before);
  rlimit full = before;
  full.rlim_cur = pages * 4096 + (256 << 10);
  ::setrlimit(RLIMIT_AS, &full);
  const ze_result_t refused =
      zeCommandListAppendMemoryCopy(setup.list, &target, &source, sizeof source, nullptr, 0, nullptr);
  ::setrlimit(RLIMIT_AS, &before);
  if (refused != ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)
    return 2;
  return setup.work() && threadsOfThisProcess() > 1 ? 0 : 3;
}

int noDescriptors() {
  Setup setup;
  rlimit before;
  ::getrlimit(RLIMIT_NOFILE, &before);
  std::vector<uint8_t> spirv = readKernelFile("kernels.spv");
  rlimit few = before;
  few.rlim_cur = 4;
  ze_module_desc_t desc = spirvModule(spirv);
  ze_module_handle_t module = nullptr;
  ::setrlimit(RLIMIT_NOFILE, &few);
  const ze_result_t refused = zeModuleCreate(setup.context, setup.device, &desc, &module, nullptr);
  ::setrlimit(RLIMIT_NOFILE, &before);
  if (refused != ZE_RESULT_ERROR_NOT_AVAILABLE)
    return 1;
  return zeModuleCreate(setup.context, setup.device, &desc, &module, nullptr) == ZE_RESULT_SUCCESS ? 0 : 2;
}

int initFlags() {
  if (zeInit(ZE_INIT_FLAG_GPU_ONLY) == ZE_RESULT_SUCCESS)
    return 1;
  return 0;
}

// The exit code says which check has failed.
int answersAsGpu() {
  if (zeInit(ZE_INIT_FLAG_GPU_ONLY) != ZE_RESULT_SUCCESS)
    return 1;
  if (zeInit(0) != ZE_RESULT_SUCCESS)
    return 2;
  const Setup setup;
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  if (!setup.ok || zeDeviceGetProperties(setup.device, &properties) != ZE_RESULT_SUCCESS)
    return 3;
  if (properties.type != ZE_DEVICE_TYPE_GPU)
    return 4;
  if (std::getenv("ZE_ENABLE_VALIDATION_LAYER")) // it wraps handles
    return 0;
  struct {
    uint32_t type = 0x20021; // ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC
    const void *next = nullptr;
    uint32_t flags = 1; // GPUs
  } wanted;
  void *initDrivers = nullptr;
  uint32_t count = 0;
  ze_driver_handle_t driver = nullptr;
  if (zeDriverGetExtensionFunctionAddress(setup.driver, "zeInitDrivers", &initDrivers) != ZE_RESULT_SUCCESS)
    return 5;
  auto *call = reinterpret_cast<ze_result_t (*)(uint32_t *, ze_driver_handle_t *, void *)>(initDrivers);
  if (call(&count, &driver, &wanted) != ZE_RESULT_SUCCESS || count != 1 ||
      call(&count, &driver, &wanted) != ZE_RESULT_SUCCESS || driver != setup.driver)
    return 6;
  wanted.flags = 2; // NPUs
  return call(&count, &driver, &wanted) == ZE_RESULT_ERROR_UNINITIALIZED ? 0 : 7;
}

const std::map<std::string, int (*)()> kChildren = {
    {"queriesCreateNoThreads", queriesCreateNoThreads},
    {"exitWithWorkPending", exitWithWorkPending},
    {"forkAfterWork", forkAfterWork},
    {"forkBeforeWork", forkBeforeWork},
    {"forkBesideFirstWork", forkBesideFirstWork},
    {"limitedMemory", limitedMemory},
    {"faultMessage", faultMessage},
    {"hostFaultWithHandler", hostFaultWithHandler},
    {"hostFaultWithoutHandler", hostFaultWithoutHandler},
    {"initFlags", initFlags},
    {"answersAsGpu", answersAsGpu},
    {"noThreads", noThreads},
    {"noDescriptors", noDescriptors},
    {"ipcMemory", ipcMemoryChild},
    {"ipcEvents", ipcEventsChild},
    {"sentHandle", sentHandleChild},
    {"oneProcessor", oneProcessorChild},
    {"pinnedHostThread", pinnedHostThreadChild},
    {"rank", rankChild},
};

void expectExit(int code, const ChildResult &result) {
  EXPECT_FALSE(result.timedOut) << "it hangs";
  EXPECT_EQ(0, result.signal) << result.output;
  EXPECT_EQ(code, result.exitCode) << result.output;
}

TEST(Process, QueriesCreateNoThreads) { expectExit(0, runChild("queriesCreateNoThreads")); }
TEST(Process, ExitWithWorkPending) { expectExit(0, runChild("exitWithWorkPending")); }
TEST(Process, AForkedChildIsRefused) { expectExit(0, runChild("forkAfterWork")); }
TEST(Process, AForkedChildOfAnIdleProcessWorks) { expectExit(0, runChild("forkBeforeWork")); }
TEST(Process, AChildThatIsForkedBesideTheFirstWorkComesBack) { expectExit(0, runChild("forkBesideFirstWork")); }
TEST(Process, MemoryLimit) {
  expectExit(0, runChild("limitedMemory", {"HIPLZ_CPU_MEMORY=64M", "HIPLZ_CPU_DEVICES=2"}));
}
TEST(Process, HostFaultsReachTheirHandler) { expectExit(42, runChild("hostFaultWithHandler")); }
TEST(Process, HostFaultsKillAProcessWithoutHandler) { EXPECT_EQ(SIGSEGV, runChild("hostFaultWithoutHandler").signal); }
TEST(Process, TheDeviceIsNoGpu) { expectExit(0, runChild("initFlags")); }
TEST(Process, TheDeviceAnswersAsAGpuIfAsked) { expectExit(0, runChild("answersAsGpu", {"HIPLZ_CPU_AS_GPU=1"})); }

TEST(Process, WithoutThreadsALaunchFailsAndWorksLater) { expectExit(0, runChild("noThreads")); }
TEST(Process, ModulesAreBuiltOnceDescriptorsAreThere) { expectExit(0, runChild("noDescriptors", {"HIPLZ_CACHE=0"})); }

TEST(Process, FaultsAreExplainedInTheLog) {
  ChildResult result = runChild("faultMessage", {"HIPLZ_LOG=error"});
  expectExit(0, result);
  for (const char *part : {"store_at", "work-group (0, 0, 0)", "0x10000000000", "invalid memory access"})
    EXPECT_NE(std::string::npos, result.output.find(part)) << part << " in: " << result.output;
  // The device is lost, and nothing else would tell why.
  result = runChild("faultMessage");
  EXPECT_EQ(1, std::count(result.output.begin(), result.output.end(), '\n')) << result.output;
  EXPECT_NE(std::string::npos, result.output.find("work-item (3, 0, 0); the device is lost")) << result.output;
}

} // namespace

int childMain(const std::string &name) {
  auto found = kChildren.find(name);
  return found == kChildren.end() ? 99 : found->second();
}

ChildResult runChild(const std::string &name, const std::vector<std::string> &environment) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0)
    return {};
  // Other threads of the test may hold the allocator's lock, so nothing of the caller's runs in the new process.
  std::vector<std::string> variables = environment;
  const char *sanitizer = std::getenv("ASAN_OPTIONS");
  variables.push_back(std::string("ASAN_OPTIONS=") + (sanitizer ? sanitizer : "") +
                      ":detect_leaks=0:handle_segv=0"); // children end with everything still there
  for (char **entry = environ; *entry; ++entry)
    if (std::none_of(variables.begin(), variables.end(),
                     [&](const std::string &own) { return !std::strncmp(*entry, own.c_str(), own.find('=') + 1); }))
      variables.push_back(*entry);
  std::vector<char *> pointers;
  for (std::string &variable : variables)
    pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  std::string program = "driver_tests", option = "--child", ownName = name;
  char *arguments[] = {program.data(), option.data(), ownName.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO);
  pid_t child = -1;
  const int error = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, pointers.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error) {
    ::close(pipe[0]);
    ::close(pipe[1]);
    return {.output = std::string("posix_spawn: ") + std::strerror(error)};
  }
  ::close(pipe[1]);
  ChildResult result;
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd poll{pipe[0], POLLIN, 0};
    if (left <= 0 || ::poll(&poll, 1, static_cast<int>(left)) == 0) {
      result.timedOut = true;
      ::kill(child, SIGKILL);
      break;
    }
    char text[4096];
    ssize_t bytes = ::read(pipe[0], text, sizeof text);
    if (bytes <= 0)
      break;
    result.output.append(text, bytes);
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status))
    result.exitCode = WEXITSTATUS(status);
  else if (!result.timedOut)
    result.signal = WTERMSIG(status);
  return result;
}
