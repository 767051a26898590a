// SPDX-License-Identifier: MIT
// Copies between host and device, and what is advised about shared memory.
#include "bench.h"

#include <cstring>

namespace {

void copy(const Bench &bench, const char *what, void *to, const void *from, size_t bytes) {
  ze_command_queue_handle_t queue = bench.queue(bench.device());
  ze_command_list_handle_t list = bench.list(bench.device());
  CALL(zeCommandListAppendMemoryCopy(list, to, from, bytes, nullptr, 0, nullptr));
  CALL(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
  CALL(zeCommandListClose(list));
  const double seconds = bench.best([&] { bench.execute(queue, list); });
  Bench::print(std::string(what) + ", " + std::to_string(bytes >> 10) + " KiB",
               static_cast<double>(bytes) / seconds / 1e9, "GB/s");
  CALL(zeCommandListDestroy(list));
  CALL(zeCommandQueueDestroy(queue));
}

void advise(const Bench &bench, size_t bytes) {
  auto *shared = static_cast<char *>(bench.sharedMemory(bytes));
  std::memset(shared, 1, bytes);
  ze_command_queue_handle_t queue = bench.queue(bench.device());
  ze_command_list_handle_t list = bench.list(bench.device());
  constexpr const char *kAdvices[] = {"set read mostly",
                                      "clear read mostly",
                                      "set preferred location",
                                      "clear preferred location",
                                      "set non-atomic mostly",
                                      "clear non-atomic mostly",
                                      "bias cached",
                                      "bias uncached",
                                      "set system memory preferred",
                                      "clear system memory preferred"};
  for (uint32_t advice = 0; advice < std::size(kAdvices); ++advice) {
    const double seconds = bench.best([&] {
      CALL(zeCommandListReset(list));
      CALL(zeCommandListAppendMemAdvise(list, bench.device(), shared, bytes, static_cast<ze_memory_advice_t>(advice)));
      CALL(zeCommandListAppendMemoryPrefetch(list, shared, bytes));
      CALL(zeCommandListClose(list));
      bench.execute(queue, list);
    });
    Bench::print(std::string("advice: ") + kAdvices[advice], seconds * 1e6, "us");
  }
  CALL(zeCommandListDestroy(list));
  CALL(zeCommandQueueDestroy(queue));
  bench.free(shared);
}

} // namespace

void measureTransfers(const Bench &bench) {
  const size_t largest = bench.smoke ? size_t{1} << 16 : size_t{1} << 28;
  void *device = bench.deviceMemory(largest, bench.device()), *host = bench.hostMemory(largest);
  void *shared = bench.sharedMemory(largest);
  std::vector<char> pageable(largest, 1);
  std::memset(host, 1, largest);
  std::memset(shared, 1, largest);
  for (size_t bytes = bench.smoke ? largest : 1024; bytes <= largest; bytes *= 8) {
    copy(bench, "host to device", device, host, bytes);
    copy(bench, "device to host", host, device, bytes);
  }
  copy(bench, "pageable host to device", device, pageable.data(), largest);
  copy(bench, "device to pageable host", pageable.data(), device, largest);
  // The same by one thread of the host, to compare.
  const double seconds = bench.best([&] { std::memcpy(host, pageable.data(), largest); });
  Bench::print("memcpy, " + std::to_string(largest >> 10) + " KiB", static_cast<double>(largest) / seconds / 1e9,
               "GB/s");
  copy(bench, "shared to device", device, shared, largest);
  copy(bench, "device to shared", shared, device, largest);
  advise(bench, largest);
  bench.free(device);
  bench.free(host);
  bench.free(shared);
}
