// SPDX-License-Identifier: MIT
// How long the small things take: a launch, setting an argument, and handing a number back and forth between host and device.
#include "bench.h"

namespace {

struct Events {
  explicit Events(const Bench &bench, uint32_t count) : handles(count) {
    ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                              ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, count};
    CALL(zeEventPoolCreate(bench.context, &desc, 0, nullptr, &pool));
    for (uint32_t index = 0; index < count; ++index) {
      ze_event_desc_t event{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index, ZE_EVENT_SCOPE_FLAG_HOST,
                            ZE_EVENT_SCOPE_FLAG_HOST};
      CALL(zeEventCreate(pool, &event, &handles[index]));
    }
  }
  ~Events() {
    for (ze_event_handle_t event : handles)
      CALL(zeEventDestroy(event));
    CALL(zeEventPoolDestroy(pool));
  }
  ze_event_pool_handle_t pool = nullptr;
  std::vector<ze_event_handle_t> handles;
};

} // namespace

void measureLaunches(const Bench &bench) {
  const int count = bench.smoke ? 4 : 1000;
  const ze_group_count_t one{1, 1, 1};
  ze_kernel_handle_t nothing = bench.kernel("nothing"), increment = bench.kernel("increment");
  CALL(zeKernelSetGroupSize(nothing, 1, 1, 1));
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t immediate = nullptr;
  CALL(zeCommandListCreateImmediate(bench.context, bench.device(), &desc, &immediate));
  ze_command_queue_handle_t queue = bench.queue(bench.device());
  ze_command_list_handle_t list = bench.list(bench.device());
  Events events(bench, 1);
  ze_event_handle_t done = events.handles[0];

  double seconds = bench.best([&] {
    for (int i = 0; i < count; ++i) {
      CALL(zeCommandListAppendLaunchKernel(immediate, nothing, &one, done, 0, nullptr));
      CALL(zeEventHostSynchronize(done, UINT64_MAX));
      CALL(zeEventHostReset(done));
    }
  });
  Bench::print("immediate launch and its event", seconds / count * 1e6, "us");

  seconds = bench.best([&] {
    CALL(zeCommandListReset(list));
    for (int i = 0; i < count; ++i)
      CALL(zeCommandListAppendLaunchKernel(list, nothing, &one, nullptr, 0, nullptr));
    CALL(zeCommandListClose(list));
  });
  Bench::print("appending a launch", seconds / count * 1e6, "us");
  seconds = bench.best([&] { bench.execute(queue, list); });
  Bench::print("launch in a list", seconds / count * 1e6, "us");

  CALL(zeCommandListReset(list));
  CALL(zeCommandListAppendLaunchKernel(list, nothing, &one, done, 0, nullptr));
  CALL(zeCommandListClose(list));
  bench.execute(queue, list);
  ze_kernel_timestamp_result_t times{};
  CALL(zeEventQueryKernelTimestamp(done, &times));
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  CALL(zeDeviceGetProperties(bench.device(), &properties));
  Bench::print("an empty kernel by its time stamps",
               static_cast<double>(times.global.kernelEnd - times.global.kernelStart) *
                   static_cast<double>(properties.timerResolution) / 1e3,
               "us");

  auto *memory = static_cast<int *>(bench.deviceMemory(64, bench.device()));
  seconds = bench.best([&] {
    for (int i = 0; i < count; ++i)
      CALL(zeKernelSetArgumentValue(increment, 0, sizeof memory, &memory));
  });
  Bench::print("setting an argument", seconds / count * 1e6, "us");
  bench.free(memory);
  CALL(zeCommandListDestroy(immediate));
  CALL(zeCommandListDestroy(list));
  CALL(zeCommandQueueDestroy(queue));
  CALL(zeKernelDestroy(nothing));
  CALL(zeKernelDestroy(increment));
}

void measurePingPong(const Bench &bench) {
  const int count = bench.smoke ? 4 : 1000;
  const ze_group_count_t one{1, 1, 1};
  ze_kernel_handle_t increment = bench.kernel("increment");
  CALL(zeKernelSetGroupSize(increment, 1, 1, 1));
  ze_command_queue_handle_t queue = bench.queue(bench.device());
  ze_command_list_handle_t list = bench.list(bench.device());
  Events events(bench, 2);
  ze_event_handle_t toDevice = events.handles[0], toHost = events.handles[1];
  struct Place {
    const char *name;
    int *memory;
    bool isCopied;
  };
  const Place places[] = {{"device memory", static_cast<int *>(bench.deviceMemory(64, bench.device())), true},
                          {"host memory", static_cast<int *>(bench.hostMemory(64)), false},
                          {"shared memory", static_cast<int *>(bench.sharedMemory(64)), false}};
  auto *number = static_cast<int *>(bench.hostMemory(64));
  for (const Place &place : places) {
    // The host says when the device may begin, the device increments the number and says when it has.
    CALL(zeCommandListReset(list));
    CALL(zeKernelSetArgumentValue(increment, 0, sizeof place.memory, &place.memory));
    CALL(zeCommandListAppendWaitOnEvents(list, 1, &toDevice));
    CALL(zeCommandListAppendEventReset(list, toDevice));
    if (place.isCopied) {
      CALL(zeCommandListAppendMemoryCopy(list, place.memory, number, sizeof(int), nullptr, 0, nullptr));
      CALL(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
    }
    CALL(zeCommandListAppendLaunchKernel(list, increment, &one, nullptr, 0, nullptr));
    CALL(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
    if (place.isCopied) {
      CALL(zeCommandListAppendMemoryCopy(list, number, place.memory, sizeof(int), nullptr, 0, nullptr));
      CALL(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
    }
    CALL(zeCommandListAppendSignalEvent(list, toHost));
    CALL(zeCommandListClose(list));
    int *seen = place.isCopied ? number : place.memory;
    const double seconds = bench.best([&] {
      *seen = 0;
      for (int i = 0; i < count; ++i) {
        CALL(zeCommandQueueExecuteCommandLists(queue, 1, &list, nullptr));
        CALL(zeEventHostSignal(toDevice));
        CALL(zeEventHostSynchronize(toHost, UINT64_MAX));
        CALL(zeEventHostReset(toHost));
        ++*seen;
      }
      CALL(zeCommandQueueSynchronize(queue, UINT64_MAX));
      if (*seen != 2 * count) {
        std::fprintf(stderr, "bench_level_zero: %s: %d after %d rounds\n", place.name, *seen, count);
        std::exit(1);
      }
    });
    Bench::print(std::string("ping-pong, ") + place.name, seconds / count * 1e6, "us");
  }
  for (const Place &place : places)
    bench.free(place.memory);
  bench.free(number);
  CALL(zeCommandListDestroy(list));
  CALL(zeCommandQueueDestroy(queue));
  CALL(zeKernelDestroy(increment));
}
