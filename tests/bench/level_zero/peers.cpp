// SPDX-License-Identifier: MIT
// Copies between two devices: in one direction and in both, by a copy and by a kernel, and what a small one takes.
#include "bench.h"

namespace {

struct Side {
  ze_device_handle_t device;
  ze_command_queue_handle_t queue;
  ze_command_list_handle_t list;
  void *out, *in;
};

void run(const Bench &bench, const std::string &what, const std::vector<Side *> &sides, size_t bytes) {
  for (const Side *side : sides)
    CALL(zeCommandListClose(side->list));
  const double seconds = bench.best([&] {
    for (Side *side : sides)
      CALL(zeCommandQueueExecuteCommandLists(side->queue, 1, &side->list, nullptr));
    for (Side *side : sides)
      CALL(zeCommandQueueSynchronize(side->queue, UINT64_MAX));
  });
  if (bytes <= 64)
    Bench::print(what, seconds * 1e6, "us");
  else
    Bench::print(what, static_cast<double>(bytes * sides.size()) / seconds / 1e9, "GB/s");
  for (const Side *side : sides)
    CALL(zeCommandListReset(side->list));
}

} // namespace

void measurePeers(const Bench &bench) {
  if (bench.devices.size() < 2) {
    std::printf("copies between devices: there is only one (HIPLZ_CPU_DEVICES=2 makes two)\n");
    return;
  }
  ze_device_p2p_properties_t properties{ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES, nullptr, 0};
  CALL(zeDeviceGetP2PProperties(bench.devices[0], bench.devices[1], &properties));
  ze_bool_t reachable = false;
  CALL(zeDeviceCanAccessPeer(bench.devices[0], bench.devices[1], &reachable));
  if (!reachable) {
    std::printf("copies between devices: they have no access to each other\n");
    return;
  }
  const size_t bytes = bench.smoke ? size_t{1} << 16 : size_t{1} << 27;
  std::vector<Side> sides;
  for (size_t i = 0; i < 2; ++i) {
    ze_device_handle_t on = bench.devices[i];
    sides.push_back(
        {on, bench.queue(on), bench.list(on), bench.deviceMemory(bytes, on), bench.deviceMemory(bytes, on)});
    CALL(zeContextMakeMemoryResident(bench.context, on, sides[i].out, bytes));
    bench.fill(on, sides[i].out, bytes);
  }
  for (const size_t size : {size_t{8}, bytes}) {
    for (size_t i = 0; i < 2; ++i)
      CALL(zeCommandListAppendMemoryCopy(sides[i].list, sides[1 - i].in, sides[i].out, size, nullptr, 0, nullptr));
    run(bench, size == 8 ? "device to device and back, 8 bytes" : "device to device, both directions",
        {&sides[0], &sides[1]}, size);
    CALL(zeCommandListAppendMemoryCopy(sides[0].list, sides[1].in, sides[0].out, size, nullptr, 0, nullptr));
    run(bench, size == 8 ? "device to device, 8 bytes" : "device to device", {&sides[0]}, size);
  }
  ze_kernel_handle_t copy = bench.kernel("copy");
  constexpr uint32_t kGroup = 256;
  CALL(zeKernelSetGroupSize(copy, kGroup, 1, 1));
  CALL(zeKernelSetArgumentValue(copy, 0, sizeof sides[1].out, &sides[1].out));
  CALL(zeKernelSetArgumentValue(copy, 1, sizeof sides[0].in, &sides[0].in));
  const ze_group_count_t groups{static_cast<uint32_t>(bytes / 16 / kGroup), 1, 1};
  CALL(zeCommandListAppendLaunchKernel(sides[0].list, copy, &groups, nullptr, 0, nullptr));
  run(bench, "device to device, by a kernel", {&sides[0]}, bytes);
  CALL(zeKernelDestroy(copy));
  for (const Side &side : sides) {
    CALL(zeContextEvictMemory(bench.context, side.device, side.out, bytes));
    bench.free(side.out);
    bench.free(side.in);
    CALL(zeCommandListDestroy(side.list));
    CALL(zeCommandQueueDestroy(side.queue));
  }
}
