// SPDX-License-Identifier: MIT
// See kernel.h.
#include "cpu/objects/kernel.h"
#include "base/log.h"
#include "cpu/exec/scheduler.h"
#include "cpu/objects/device.h"
#include "cpu/objects/image.h"
#include "cpu/objects/sampler.h"
#include "cpu/program/compiler_process.h"

#include <algorithm>
#include <cstring>

namespace hiplz::cpu {
namespace {
// Dynamic local memory may hold any type; 64 bytes is the largest vector.
constexpr uint64_t kLocalAlignment = 64;
constexpr uint64_t alignLocal(uint64_t bytes) { return (bytes + kLocalAlignment - 1) & ~(kLocalAlignment - 1); }
} // namespace

Kernel::Kernel(std::shared_ptr<const Program> program, const KernelInfo &info)
    : program_(std::move(program)), info_(info), arguments_(info.argBlockBytes), localSizes_(info.args.size()),
      localBytes_(info.staticLocalBytes), counters_(operationCounters(info.name)) {
  if (info.requiredGroupSize[0])
    std::copy_n(info.requiredGroupSize, 3, groupSize_);
  hasGroupSize_ = info.requiredGroupSize[0] != 0;
}

std::unique_ptr<Kernel> Kernel::clone() const {
  auto copy = std::make_unique<Kernel>(program_, info_);
  copy->code_ = code_;
  copy->arguments_ = arguments_;
  copy->localSizes_ = localSizes_;
  copy->localBytes_ = localBytes_;
  std::copy_n(groupSize_, 3, copy->groupSize_);
  copy->hasGroupSize_ = hasGroupSize_;
  std::copy_n(globalOffset_, 3, copy->globalOffset_);
  copy->indirectAccess = indirectAccess;
  return copy;
}

void Kernel::setGroupSize(uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t *required = info_.requiredGroupSize;
  bool fits = x && y && z && x <= kMaxGroupItems && y <= kMaxGroupItems && z <= kMaxGroupItems &&
              uint64_t{x} * y * z <= kMaxGroupItems;
  if (!fits || (required[0] && (x != required[0] || y != required[1] || z != required[2])))
    throw Error{ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION};
  if (groupSize_[0] != x || groupSize_[1] != y || groupSize_[2] != z)
    code_ = nullptr;
  hasGroupSize_ = true;
  groupSize_[0] = x;
  groupSize_[1] = y;
  groupSize_[2] = z;
}

void Kernel::setArgument(uint32_t index, size_t size, const void *value) {
  if (index >= info_.args.size())
    throw Error{ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX};
  const ArgInfo &arg = info_.args[index];
  std::byte *slot = arguments_.data() + arg.offset;
  switch (arg.kind) {
  case ArgKind::localPointer: {
    if (size == 0)
      throw Error{ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE};
    if (value || size > kMaxLocalBytes)
      throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
    localSizes_[index] = size;
    // Offsets of all local arguments behind each other, in the order of the parameters.
    localBytes_ = info_.staticLocalBytes;
    for (size_t other = 0; other < localSizes_.size(); ++other) {
      if (info_.args[other].kind != ArgKind::localPointer)
        continue;
      localBytes_ = alignLocal(localBytes_);
      std::memcpy(arguments_.data() + info_.args[other].offset, &localBytes_, sizeof localBytes_);
      localBytes_ += localSizes_[other];
    }
    return;
  }
  case ArgKind::globalPointer:
    if (size != sizeof(void *))
      throw Error{ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE};
    if (value)
      std::memcpy(slot, value, sizeof(void *));
    else
      std::memset(slot, 0, sizeof(void *));
    return;
  case ArgKind::image:
  case ArgKind::sampler: {
    // The argument is a handle; what kernels need of the object stands in the argument block.
    if (size != sizeof(void *))
      throw Error{ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE};
    if (!value)
      throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the argument is an image or a sampler"};
    void *handle;
    std::memcpy(&handle, value, sizeof handle);
    const uint64_t argument =
        arg.kind == ArgKind::image
            ? reinterpret_cast<uint64_t>(&Image::from(static_cast<ze_image_handle_t>(handle)).descriptor())
            : Sampler::from(static_cast<ze_sampler_handle_t>(handle)).bits;
    std::memcpy(slot, &argument, sizeof argument);
    return;
  }
  case ArgKind::value:
  case ArgKind::byValue:
    // A value of another size is taken as by Intel's driver, on which programs rely: its first bytes count, zeros follow.
    if (size == 0)
      throw Error{ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE};
    if (!value)
      throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
    size = std::min<size_t>(size, arg.size);
    std::memcpy(slot, value, size);
    std::memset(slot + size, 0, arg.size - size);
    return;
  }
}

void Kernel::setArguments(const void *const *values) {
  if (!values && !info_.args.empty())
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the kernel has arguments"};
  for (uint32_t index = 0; index < info_.args.size(); ++index) {
    const ArgInfo &arg = info_.args[index];
    if (arg.kind != ArgKind::localPointer) {
      setArgument(index, arg.kind == ArgKind::globalPointer ? sizeof(void *) : arg.size, values[index]);
      continue;
    }
    if (!values[index])
      throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "local memory has no size"};
    size_t bytes;
    std::memcpy(&bytes, values[index], sizeof bytes);
    setArgument(index, bytes, nullptr);
  }
}

void Kernel::setGlobalOffset(uint32_t x, uint32_t y, uint32_t z) {
  globalOffset_[0] = x;
  globalOffset_[1] = y;
  globalOffset_[2] = z;
}

void Kernel::suggestGroupSize(const uint32_t global[3], uint32_t group[3]) const {
  if (info_.requiredGroupSize[0]) {
    std::copy_n(info_.requiredGroupSize, 3, group);
    return;
  }
  // The largest divisor of each size, x first: neighbours in x are neighbours in memory.
  uint32_t left = 256;
  for (int dimension = 0; dimension < 3; ++dimension) {
    uint32_t size = std::max(global[dimension], 1u), best = std::min(size, left);
    while (size % best)
      --best;
    group[dimension] = best;
    left /= best;
  }
}

uint32_t Kernel::maxCooperativeGroups() const {
  // Each work-item that waits holds a stack, so there is a limit: the largest work-group for each thread, or as many
  // sub-groups in smaller work-groups.
  const uint32_t items = groupSize_[0] * groupSize_[1] * groupSize_[2];
  const uint32_t subgroups = (items + kSubgroupSize - 1) / kSubgroupSize;
  return Scheduler::get().threadCount() * (kMaxGroupItems / kSubgroupSize / subgroups);
}

// Without a size, for whole warps.
const KernelCode &Kernel::compiled(const std::optional<GroupSize> &size) const {
  try {
    if (const KernelCode *code = size ? program_->code(info_, *size) : program_->code(info_))
      return *code;
  } catch (const CompilerMissing &missing) { // no fault of the kernel
    HIPLZ_LOG_INFO("the kernel %s cannot be compiled now: %s", info_.name.c_str(), missing.what());
    throw Error{shortageResult(missing.error)};
  }
  throw Error{ZE_RESULT_ERROR_MODULE_BUILD_FAILURE};
}

uint32_t Kernel::privateBytes() {
  // Before anything is known of the launches, those of whole warps are the likeliest.
  return (hasGroupSize_ ? code() : compiled(std::nullopt)).privateBytes;
}

void Kernel::requireLaunchable() const {
  if (localBytes_ > kMaxLocalBytes)
    throw Error{ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY};
}

void Kernel::writeLaunch(LaunchState &launch, std::byte *arguments) const {
  std::copy(arguments_.begin(), arguments_.end(), arguments);
  launch.args = arguments;
  std::copy_n(groupSize_, 3, launch.groupSize);
  std::copy_n(globalOffset_, 3, launch.globalOffset);
  launch.localBytes = static_cast<uint32_t>(localBytes_);
  launch.counters = counters_ ? counters_->counters : nullptr;
}

} // namespace hiplz::cpu
