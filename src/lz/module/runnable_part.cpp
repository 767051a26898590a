// SPDX-License-Identifier: MIT
// What the module declares decides whether it is looked at more closely, so that it costs nothing where the device has all.
#include "lz/module/runnable_part.h"
#include "fatbin/module_cutter.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

#include <algorithm>

namespace hiplz {
namespace {

std::string lacking(const spirv::Needs &needs, const LZDevice &device) {
  const auto flags = device.moduleProperties().flags;
  std::string text;
  auto add = [&](bool needed, const std::string &what) {
    if (needed)
      text += (text.empty() ? "" : ", ") + what;
  };
  add(needs.float64 && !(flags & ZE_DEVICE_MODULE_FLAG_FP64), "double precision");
  add(needs.float16 && !(flags & ZE_DEVICE_MODULE_FLAG_FP16), "half precision");
  add(needs.int64Atomics && !(flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS), "atomic operations on 64 bits");
  const ze_device_compute_properties_t &compute = device.compute();
  const uint32_t *const end = compute.subGroupSizes + compute.numSubGroupSizes;
  for (const uint32_t size : needs.subgroupSizes)
    add(std::find(compute.subGroupSizes, end, size) == end, "sub-groups of " + std::to_string(size));
  return text;
}

} // namespace

RunnablePart::RunnablePart(const spirv::Module &reflection, std::span<const std::byte> spirv, const LZDevice &device)
    : whole_(spirv) {
  if (lacking(reflection.needs, device).empty())
    return;
  try {
    const spirv::ModuleCutter cutter(spirv);
    cut_ = cutter.cut([&](const spirv::ModuleCutter::KernelNeeds &kernel) {
      std::string what = lacking(kernel.needs, device);
      const bool stays = what.empty();
      if (!stays)
        leftOut_.emplace(kernel.name, std::move(what));
      return stays;
    });
  } catch (const ParseError &error) {
    throw HipError(hipErrorInvalidImage, error.what());
  }
}

} // namespace hiplz
