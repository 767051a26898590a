// SPDX-License-Identifier: MIT
// Setting arguments; and a hash table of pointers, because programs with hundreds of kernels are common and the lookup is
// part of each launch.
#include "lz/module/kernel_instance.h"
#include "base/log.h"
#include "lz/device/device.h"
#include "lz/memory/memory.h"
#include "lz/module/kernel.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hiplz {
namespace {
size_t homeOf(const LZKernel *kernel) { return (reinterpret_cast<uintptr_t>(kernel) * 0x9e3779b97f4a7c15u) >> 32; }
constexpr size_t kFirstTable = 16;

hipError_t missingArgument(const LZKernel &kernel, uint32_t index) {
  HIPLZ_LOG_INFO("the launch of %s does not provide argument %u of %zu", kernel.name().c_str(), index,
                 kernel.args().size());
  return hipErrorInvalidValue;
}
} // namespace

KernelInstance *KernelInstanceTable::find(const LZKernel *kernel) const {
  if (table_.empty())
    return nullptr;
  for (size_t at = homeOf(kernel);; ++at) {
    KernelInstance *found = table_[at & (table_.size() - 1)];
    if (!found || found->kernel == kernel)
      return found;
  }
}

KernelInstance &KernelInstanceTable::add(const LZKernel &kernel, ZeKernel ze) {
  size_t bytes = 0;
  for (const spirv::Arg &argument : kernel.args())
    bytes += argument.size;
  auto instance = std::make_unique<KernelInstance>();
  instance->kernel = &kernel;
  instance->ze = std::move(ze);
  instance->values = std::make_unique<std::byte[]>(bytes);
  instances_.push_back(std::move(instance));
  rehash();
  return *instances_.back();
}

void KernelInstanceTable::forgetModule(const LZModule &module) {
  std::erase_if(instances_, [&](const auto &instance) { return &instance->kernel->module() == &module; });
  rehash();
}

void KernelInstanceTable::rehash() {
  size_t size = kFirstTable;
  while (size < instances_.size() * 2)
    size *= 2;
  table_.assign(size, nullptr);
  for (const auto &instance : instances_) {
    size_t at = homeOf(instance->kernel);
    while (table_[at & (size - 1)])
      ++at;
    table_[at & (size - 1)] = instance.get();
  }
}

bool KernelInstance::isPrepared(const uint32_t (&size)[3]) const {
  constexpr size_t kMost = 64; // a program with more block sizes than that has most of its code
  return std::memcmp(block, size, sizeof block) == 0 || prepared.size() >= kMost ||
         std::find(prepared.begin(), prepared.end(), std::to_array(size)) != prepared.end();
}

void KernelInstance::notePrepared(const uint32_t (&size)[3]) { prepared.push_back(std::to_array(size)); }

void KernelInstance::prepare(const uint32_t (&size)[3]) {
  if (zeKernelSetGroupSize(ze.get(), size[0], size[1], size[2]) != ZE_RESULT_SUCCESS)
    return;
  std::memcpy(block, size, sizeof block);
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  zeKernelGetProperties(ze.get(), &properties);
}

hipError_t KernelInstance::set(const LZDevice &device, const LaunchShape &shape, const LaunchArguments &arguments,
                               uint64_t gridState, std::byte *memory) {
  if (std::memcmp(block, shape.block, sizeof block) != 0) {
    if (hipError_t error = LZ_TRY(zeKernelSetGroupSize, (ze.get(), shape.block[0], shape.block[1], shape.block[2])))
      return error;
    std::memcpy(block, shape.block, sizeof block);
  }
  if (kernel->dynamicLocalIndex() >= 0 && sharedBytes != shape.sharedBytes) {
    const size_t room = device.maxDynamicShared(fixedSharedBytes);
    if (shape.sharedBytes > room) {
      HIPLZ_LOG_INFO("a launch of %s with %zu bytes of dynamic and %zu of static shared memory; the device has %u",
                     kernel->name().c_str(), shape.sharedBytes, fixedSharedBytes,
                     device.compute().maxSharedLocalMemory);
      return shape.cooperative ? hipErrorCooperativeLaunchTooLarge : hipErrorInvalidValue;
    }
    if (hipError_t error =
            zeOutcome(kernel->setDynamicShared(ze.get(), shape.sharedBytes, room), "zeKernelSetArgumentValue"))
      return error;
    sharedBytes = shape.sharedBytes;
  }
  if (grid != gridState) [[unlikely]] {
    if (hipError_t error = LZ_TRY(zeKernelSetGlobalOffsetExp, (ze.get(), static_cast<uint32_t>(gridState),
                                                               static_cast<uint32_t>(gridState >> 32), 0)))
      return error;
    grid = gridState;
  }
  const bool known = std::exchange(argumentsSet, false);
  // A driver may have looked up what memory a pointer means; after a hipFree the same address may mean other memory.
  const uint64_t freesNow = AllocationTable::ofProcess().frees();
  const bool pointersKnown = known && std::exchange(frees, freesNow) == freesNow;
  std::byte *value = values.get();
  size_t packedAt = 0;
  uint32_t index = 0;
  for (const spirv::Arg &argument : kernel->args()) {
    const void *given;
    if (arguments.packed) {
      packedAt = (packedAt + argument.align - 1) / argument.align * argument.align;
      if (packedAt + argument.size > arguments.packedBytes)
        return missingArgument(*kernel, index);
      given = arguments.packed + packedAt;
      packedAt += argument.size;
    } else {
      given = arguments.pointers ? arguments.pointers[index] : nullptr;
      if (!given)
        return missingArgument(*kernel, index);
    }
    const bool pointer = argument.kind == spirv::ArgKind::pointer;
    if (argument.inMemory) [[unlikely]] {
      memory += -reinterpret_cast<uintptr_t>(memory) & (argument.align - 1);
      if (hipError_t error = LZ_TRY(zeKernelSetArgumentValue, (ze.get(), index, sizeof memory, &memory)))
        return error;
      std::memcpy(memory, given, argument.size);
      memory += argument.size;
    } else if (!(pointer ? pointersKnown : known) || std::memcmp(value, given, argument.size) != 0) {
      // Intel's driver refuses pointers that it does not know; the null pointer is passed as no value.
      const bool null = pointer && !*static_cast<void *const *>(given);
      if (hipError_t error = LZ_TRY(zeKernelSetArgumentValue, (ze.get(), index, argument.size, null ? nullptr : given)))
        return error;
      std::memcpy(value, given, argument.size);
    }
    value += argument.size;
    ++index;
  }
  argumentsSet = true;
  return hipSuccess;
}

} // namespace hiplz
