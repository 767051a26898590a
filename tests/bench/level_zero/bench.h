// SPDX-License-Identifier: MIT
// Shared by the parts of bench_level_zero. The program makes the calls that the usual measuring programs for Level Zero make
// (bandwidth, transfers, peak rates, latencies, ping-pong, copies between devices), in their order, and prints the best of
// several runs. A call that fails ends it.
#pragma once
#include <level_zero/ze_api.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define CALL(call)                                                                                                     \
  do {                                                                                                                 \
    if (const ze_result_t result = (call); result != ZE_RESULT_SUCCESS) {                                              \
      std::fprintf(stderr, "bench_level_zero: %s:%d: %s returned %#x\n", __FILE__, __LINE__, #call,                    \
                   static_cast<unsigned>(result));                                                                     \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

/// A driver's devices, a context, and what each measurement needs of the first one.
struct Bench {
  bool smoke = false; ///< sizes so small that the figures mean nothing
  ze_driver_handle_t driver = nullptr;
  ze_context_handle_t context = nullptr;
  std::vector<ze_device_handle_t> devices;
  ze_module_handle_t module = nullptr;

  ze_device_handle_t device() const { return devices[0]; }
  int rounds() const { return smoke ? 1 : 5; }

  ze_command_queue_handle_t queue(ze_device_handle_t on) const {
    ze_command_queue_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    ze_command_queue_handle_t made = nullptr;
    CALL(zeCommandQueueCreate(context, on, &desc, &made));
    return made;
  }
  ze_command_list_handle_t list(ze_device_handle_t on) const {
    ze_command_list_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
    ze_command_list_handle_t made = nullptr;
    CALL(zeCommandListCreate(context, on, &desc, &made));
    return made;
  }
  ze_kernel_handle_t kernel(const std::string &name) const {
    ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name.c_str()};
    ze_kernel_handle_t made = nullptr;
    CALL(zeKernelCreate(module, &desc, &made));
    return made;
  }
  void *deviceMemory(size_t bytes, ze_device_handle_t on) const {
    ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    void *made = nullptr;
    CALL(zeMemAllocDevice(context, &desc, bytes, 4096, on, &made));
    return made;
  }
  void *hostMemory(size_t bytes) const {
    ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void *made = nullptr;
    CALL(zeMemAllocHost(context, &desc, bytes, 4096, &made));
    return made;
  }
  void *sharedMemory(size_t bytes) const {
    ze_device_mem_alloc_desc_t onDevice{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    ze_host_mem_alloc_desc_t onHost{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void *made = nullptr;
    CALL(zeMemAllocShared(context, &onDevice, &onHost, bytes, 4096, device(), &made));
    return made;
  }
  void free(void *memory) const { CALL(zeMemFree(context, memory)); }

  /// The shortest time of several, in seconds.
  double best(const std::function<void()> &run) const {
    run(); // kernels are compiled, pages are there
    double shortest = 1e9;
    for (int round = 0; round < rounds(); ++round) {
      const auto begin = std::chrono::steady_clock::now();
      run();
      shortest = std::min(shortest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return shortest;
  }
  static void print(const std::string &what, double value, const char *unit) {
    std::printf("%-44s %12.3f %s\n", what.c_str(), value, unit);
  }
  /// Executes a closed list and waits for its end.
  void execute(ze_command_queue_handle_t queue, ze_command_list_handle_t list) const {
    CALL(zeCommandQueueExecuteCommandLists(queue, 1, &list, nullptr));
    CALL(zeCommandQueueSynchronize(queue, UINT64_MAX));
  }
  /// Writes memory that will be read: what nobody has written may be the same page everywhere.
  void fill(ze_device_handle_t on, void *memory, size_t bytes) const {
    ze_command_queue_handle_t runs = queue(on);
    ze_command_list_handle_t commands = list(on);
    const float one = 1;
    CALL(zeCommandListAppendMemoryFill(commands, memory, &one, sizeof one, bytes, nullptr, 0, nullptr));
    CALL(zeCommandListClose(commands));
    execute(runs, commands);
    CALL(zeCommandListDestroy(commands));
    CALL(zeCommandQueueDestroy(runs));
  }
};

void measureTransfers(const Bench &bench); // transfers.cpp
void measureImages(const Bench &bench);    // images.cpp
void measureMemory(const Bench &bench);    // peak.cpp
void measureCompute(const Bench &bench);
void measureLaunches(const Bench &bench); // latency.cpp
void measurePingPong(const Bench &bench);
void measurePeers(const Bench &bench); // peers.cpp
