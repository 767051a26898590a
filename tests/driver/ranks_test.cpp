// SPDX-License-Identifier: MIT
// Several processes on one machine, as mpirun starts them: each has the processors that its mask leaves and no more workers than
// those, and none waits for another.
#include "child.h"
#include "support.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;

namespace {

std::vector<int> ownProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  std::vector<int> numbers;
  for (int number = 0; number < CPU_SETSIZE; ++number)
    if (CPU_ISSET(number, &set))
      numbers.push_back(number);
  return numbers;
}

std::string toText(const std::vector<int> &numbers) {
  std::ostringstream text;
  for (int number : numbers)
    text << number << ' ';
  return text.str();
}

/// The masks of the driver's worker threads.
std::vector<cpu_set_t> workerMasks() {
  std::vector<cpu_set_t> masks;
  for (auto &entry : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(entry.path() / "comm"), name);
    if (name.rfind("hiplz-cpu-", 0) == 0 &&
        ::sched_getaffinity(std::stoi(entry.path().filename()), sizeof(cpu_set_t), &masks.emplace_back()) != 0)
      masks.pop_back();
  }
  return masks;
}

/// Does not wait in the driver, where the host thread would execute the kernel itself.
bool launch(const ChildDevice &rank) {
  constexpr uint32_t kGroups = 512, kItems = 64;
  const std::vector<uint8_t> spirv = readKernelFile("kernels.spv");
  const ze_module_desc_t moduleDesc = spirvModule(spirv);
  const ze_kernel_desc_t kernelDesc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "add_one"};
  const ze_device_mem_alloc_desc_t memory{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  const ze_event_pool_desc_t poolDesc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
  ze_event_desc_t eventDesc{};
  eventDesc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  ze_event_pool_handle_t pool;
  ze_event_handle_t done;
  ze_command_list_handle_t list;
  ze_module_handle_t module;
  ze_kernel_handle_t kernel;
  void *data = nullptr;
  const uint32_t count = kGroups * kItems;
  const ze_group_count_t groups{kGroups, 1, 1};
  const int zero = 0;
  if (zeCommandListCreateImmediate(rank.context, rank.device, &desc, &list) ||
      zeEventPoolCreate(rank.context, &poolDesc, 0, nullptr, &pool) || zeEventCreate(pool, &eventDesc, &done) ||
      zeModuleCreate(rank.context, rank.device, &moduleDesc, &module, nullptr) ||
      zeKernelCreate(module, &kernelDesc, &kernel) ||
      zeMemAllocDevice(rank.context, &memory, count * sizeof(int), 64, rank.device, &data) ||
      zeKernelSetGroupSize(kernel, kItems, 1, 1) || zeKernelSetArgumentValue(kernel, 0, sizeof data, &data) ||
      zeKernelSetArgumentValue(kernel, 1, sizeof count, &count) ||
      zeCommandListAppendMemoryFill(list, data, &zero, sizeof zero, count * sizeof(int), nullptr, 0, nullptr) ||
      zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 0, nullptr))
    return false;
  while (zeEventQueryStatus(done) == ZE_RESULT_NOT_READY)
    std::this_thread::yield();
  const std::vector<int> expected(count, 1);
  return std::memcmp(data, expected.data(), count * sizeof(int)) == 0;
}

struct Rank {
  std::vector<int> processors;
  std::string stopFile; ///< if it is not empty, the rank writes its number there after its launch, and stops
  ChildResult run() const {
    return runChild("rank",
                    {"HIPLZ_CPU_THREADS=", "RANK_PROCESSORS=" + toText(processors), "RANK_STOP_FILE=" + stopFile});
  }
};

void expectSuccess(const ChildResult &result) {
  EXPECT_FALSE(result.timedOut);
  EXPECT_EQ(0, result.exitCode) << result.output;
}

/// Two disjoint masks, or twice the same one on a machine with one processor.
std::pair<Rank, Rank> twoRanks() {
  const std::vector<int> all = ownProcessors();
  const auto half = static_cast<ptrdiff_t>((all.size() + 1) / 2);
  if (all.size() == 1)
    return {{all, {}}, {all, {}}};
  return {{{all.begin(), all.begin() + half}, {}}, {{all.begin() + half, all.end()}, {}}};
}

TEST(Ranks, EachKeepsToItsProcessors) {
  const std::pair<Rank, Rank> ranks = twoRanks();
  ChildResult other;
  std::thread beside([&] { other = ranks.second.run(); });
  expectSuccess(ranks.first.run());
  beside.join();
  expectSuccess(other);
  expectSuccess(Rank{ownProcessors(), {}}.run());
}

// A rank that waits in MPI, or that a debugger has stopped, has executed kernels before.
TEST(Ranks, ALaunchWaitsForNoOtherRank) {
  std::pair<Rank, Rank> ranks = twoRanks();
  const std::filesystem::path file = testing::TempDir() + "hiplz-rank-" + std::to_string(::getpid());
  ranks.second.stopFile = file;
  ChildResult idle;
  std::thread beside([&] { idle = ranks.second.run(); });
  pid_t process = 0;
  for (int look = 0; look < 9000 && !(std::ifstream(file) >> process); ++look)
    std::this_thread::sleep_for(1ms);
  EXPECT_NE(0, process);
  if (process != 0) {
    expectSuccess(ranks.first.run());
    ::kill(process, SIGCONT);
  }
  beside.join();
  expectSuccess(idle);
  std::filesystem::remove(file);
}

} // namespace

int rankChild() {
  std::istringstream text(std::getenv("RANK_PROCESSORS"));
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (int number; text >> number;)
    CPU_SET(number, &mask);
  if (::sched_setaffinity(0, sizeof mask, &mask) != 0)
    return 1;
  const ChildDevice rank;
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  if (!rank.ok || zeDeviceGetProperties(rank.device, &properties) || !launch(rank))
    return 2;
  // A quota of processor time may leave fewer units than the mask has processors. Each unit is a worker.
  const uint32_t units = properties.numSlices * properties.numSubslicesPerSlice * properties.numEUsPerSubslice;
  if (units == 0 || units > static_cast<uint32_t>(CPU_COUNT(&mask)))
    return 3;
  for (int look = 0;; ++look) { // workers name themselves and set their masks after they have begun
    const std::vector<cpu_set_t> masks = workerMasks();
    bool within = masks.size() == units;
    for (const cpu_set_t &worker : masks) {
      cpu_set_t both;
      CPU_AND(&both, &mask, &worker);
      within = within && CPU_EQUAL(&both, &worker);
    }
    if (within)
      break;
    if (look == 5000)
      return 4;
    std::this_thread::sleep_for(1ms);
  }
  if (const char *stopFile = std::getenv("RANK_STOP_FILE"); *stopFile) {
    const std::string whole = stopFile, part = whole + ".part";
    std::ofstream(part) << ::getpid();
    std::filesystem::rename(part, whole);
    ::raise(SIGSTOP);
  }
  return launch(rank) ? 0 : 5;
}
