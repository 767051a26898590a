// SPDX-License-Identifier: MIT
// Peak rates: of reading memory, and of arithmetic for each type and width.
#include "bench.h"

namespace {

constexpr uint32_t kGroup = 256;
constexpr int kWidths[] = {1, 2, 4, 8, 16};

/// Seconds that a launch takes.
double launch(const Bench &bench, ze_kernel_handle_t kernel, uint32_t groups) {
  CALL(zeKernelSetGroupSize(kernel, kGroup, 1, 1));
  ze_command_queue_handle_t queue = bench.queue(bench.device());
  ze_command_list_handle_t list = bench.list(bench.device());
  const ze_group_count_t count{groups, 1, 1};
  CALL(zeCommandListAppendLaunchKernel(list, kernel, &count, nullptr, 0, nullptr));
  CALL(zeCommandListClose(list));
  const double seconds = bench.best([&] { bench.execute(queue, list); });
  CALL(zeCommandListDestroy(list));
  CALL(zeCommandQueueDestroy(queue));
  return seconds;
}

struct Type {
  const char *name;
  size_t bytes;
  const void *seed;
};

} // namespace

void measureMemory(const Bench &bench) {
  const uint32_t groups = bench.smoke ? 2 : 1024, items = groups * kGroup;
  const size_t largest = size_t{items} * 16 * 16 * sizeof(float);
  void *in = bench.deviceMemory(largest, bench.device());
  void *out = bench.deviceMemory(items * sizeof(float), bench.device());
  bench.fill(bench.device(), in, largest);
  for (const int width : kWidths) {
    ze_kernel_handle_t kernel = bench.kernel("read_float" + std::to_string(width));
    CALL(zeKernelSetArgumentValue(kernel, 0, sizeof in, &in));
    CALL(zeKernelSetArgumentValue(kernel, 1, sizeof out, &out));
    CALL(zeKernelSetArgumentValue(kernel, 2, sizeof items, &items));
    const double bytes = 16.0 * items * static_cast<double>(sizeof(float)) * width;
    Bench::print("reading memory, float" + std::to_string(width), bytes / launch(bench, kernel, groups) / 1e9, "GB/s");
    CALL(zeKernelDestroy(kernel));
  }
  bench.free(in);
  bench.free(out);
}

void measureCompute(const Bench &bench) {
  const uint32_t groups = bench.smoke ? 2 : 512;
  const int rounds = bench.smoke ? 2 : 256;
  const int32_t integer = 3;
  const float single = 1.3f;
  const double twice = 1.3;
  const uint16_t half = 0x3d33; // 1.3
  const Type types[] = {{"int", 4, &integer}, {"float", 4, &single}, {"double", 8, &twice}, {"half", 2, &half}};
  void *out = bench.deviceMemory(size_t{groups} * kGroup * sizeof(double), bench.device());
  for (const Type &type : types)
    for (const int width : kWidths) {
      ze_kernel_handle_t kernel = bench.kernel(std::string("compute_") + type.name + std::to_string(width));
      CALL(zeKernelSetArgumentValue(kernel, 0, sizeof out, &out));
      CALL(zeKernelSetArgumentValue(kernel, 1, type.bytes, type.seed));
      CALL(zeKernelSetArgumentValue(kernel, 2, sizeof rounds, &rounds));
      const double operations = 2.0 * 16 * rounds * width * groups * kGroup;
      Bench::print(std::string("arithmetic, ") + type.name + std::to_string(width),
                   operations / launch(bench, kernel, groups) / 1e9, "GOP/s");
      CALL(zeKernelDestroy(kernel));
    }
  bench.free(out);
}
