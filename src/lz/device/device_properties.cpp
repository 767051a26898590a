// SPDX-License-Identifier: MIT
// Reading a device's properties. A group of properties that a driver does not offer stays zero; what the runtime cannot
// do without is checked.
#include "base/log.h"
#include "lz/core/error.h"
#include "lz/core/later_properties.h"
#include "lz/core/mutable_lists.h"
#include "lz/device/device.h"

#include <algorithm>
#include <vector>

namespace hiplz {
namespace {

// For drivers that do not say: what common host memory has (DDR4-3200). Not 0, because programs divide by it.
constexpr uint32_t kNominalMemoryKHz = 1'600'000;

// Bits of a counter as a mask; 0 bits mean that the driver does not say.
uint64_t maskOf(uint32_t bits) { return bits == 0 || bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1; }

// Level Zero fills an array of structures whose type fields the caller has set.
template <class Structure> std::vector<Structure> prepared(uint32_t count, ze_structure_type_t type) {
  Structure structure{};
  structure.stype = type;
  return std::vector<Structure>(count, structure);
}

} // namespace

void LZDevice::readProperties() {
  // The 1.2 form of the structure gives the timer in cycles a second, which is exact where nanoseconds are not.
  properties_.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  LZ_CALL(zeDeviceGetProperties, (ze_, &properties_));
  if (driver_.hasExtension(kZeProcessorExtension))
    properties_.type = ZE_DEVICE_TYPE_CPU;
  if (driver_.hasExtension(kZeMutableListsExtension)) {
    constexpr uint32_t kWanted = kZeMutableArguments | kZeMutableGroupCount | kZeMutableGroupSize;
    ZeMutableListProperties mutableLists;
    ze_device_properties_t asked{};
    asked.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
    asked.pNext = &mutableLists;
    changesLaunchesInLists_ =
        zeDeviceGetProperties(ze_, &asked) == ZE_RESULT_SUCCESS && (mutableLists.commandFlags & kWanted) == kWanted;
  }
  timestampPeriod_ = properties_.timerResolution ? 1e9 / static_cast<double>(properties_.timerResolution) : 1.0;
  timestampMask_ = maskOf(properties_.kernelTimestampValidBits);

  compute_.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  LZ_CALL(zeDeviceGetComputeProperties, (ze_, &compute_));
  module_.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  LZ_CALL(zeDeviceGetModuleProperties, (ze_, &module_));
  if (isIntelGpu()) {
    ZexRegisterFileSizes sizes;
    ze_device_module_properties_t asked{};
    asked.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
    asked.pNext = &sizes;
    mayHaveLargeRegisters_ = zeDeviceGetModuleProperties(ze_, &asked) != ZE_RESULT_SUCCESS || sizes.count != 1;
  }
  memoryAccess_.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES;
  LZ_CALL(zeDeviceGetMemoryAccessProperties, (ze_, &memoryAccess_));
  pci_.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES;
  if (zeDevicePciGetPropertiesExt(ze_, &pci_) != ZE_RESULT_SUCCESS)
    pci_.address = {0, 0, static_cast<uint32_t>(ordinal_), 0}; // not on a bus; unique nevertheless
  // The tiles of a GPU have its address. Their numbers tell them apart, as those of AMD's partitions do. A tile that is shown as a
  // device is no sub-device to Intel's driver, but has the number of one.
  if (isIntelGpu())
    pci_.address.function += properties_.subdeviceId;

  uint32_t count = 0;
  LZ_CALL(zeDeviceGetMemoryProperties, (ze_, &count, nullptr));
  auto memories = prepared<ze_device_memory_properties_t>(count, ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES);
  LZ_CALL(zeDeviceGetMemoryProperties, (ze_, &count, memories.data()));
  for (const auto &memory : memories) {
    totalMemory_ += memory.totalSize;
    memoryClockKHz_ = std::max(memoryClockKHz_, memory.maxClockRate * 1000);
    memoryBusBits_ = std::max(memoryBusBits_, memory.maxBusWidth);
  }

  if (memoryClockKHz_ == 0)
    memoryClockKHz_ = kNominalMemoryKHz;

  count = 0;
  LZ_CALL(zeDeviceGetCommandQueueGroupProperties, (ze_, &count, nullptr));
  auto groups = prepared<ze_command_queue_group_properties_t>(count, ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES);
  LZ_CALL(zeDeviceGetCommandQueueGroupProperties, (ze_, &count, groups.data()));
  const auto compute = std::find_if(groups.begin(), groups.end(), [](const auto &group) {
    return (group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) && group.numQueues > 0;
  });
  if (compute == groups.end())
    throw HipError(hipErrorNoDevice, std::string(properties_.name) + " has no command queue for kernels");
  computeOrdinal_ = static_cast<uint32_t>(compute - groups.begin());
  computeQueues_ = compute->numQueues;
  launchesCooperatively_ = compute->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
  for (const auto &group : groups)
    if ((group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY) &&
        !(group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE))
      copyEngines_ += group.numQueues;
}

uint64_t LZDevice::cacheBytes() const {
  uint32_t count = 0;
  if (zeDeviceGetCacheProperties(ze_, &count, nullptr) != ZE_RESULT_SUCCESS || count == 0)
    return 0;
  auto caches = prepared<ze_device_cache_properties_t>(count, ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES);
  if (zeDeviceGetCacheProperties(ze_, &count, caches.data()) != ZE_RESULT_SUCCESS)
    return 0;
  uint64_t largest = 0;
  for (const auto &cache : caches)
    largest = std::max<uint64_t>(largest, cache.cacheSize);
  return largest;
}

bool LZDevice::isIntelGpu() const {
  constexpr uint32_t kIntel = 0x8086;
  return properties_.type == ZE_DEVICE_TYPE_GPU && properties_.vendorId == kIntel;
}

bool LZDevice::usesHostMemory() const {
  return properties_.type == ZE_DEVICE_TYPE_CPU || (properties_.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED);
}

bool LZDevice::canAccess(const LZDevice &peer) const {
  ze_bool_t can = false;
  return &driver_ == &peer.driver_ && zeDeviceCanAccessPeer(ze_, peer.ze_, &can) == ZE_RESULT_SUCCESS && can;
}

void LZDevice::requireHostMemory(const char *what) const {
  if (!reachesHostMemory())
    throw HipError(hipErrorNotSupported,
                   std::string(what) + " needs memory of the host, which the device's kernels do not reach");
}

bool LZDevice::sharesHostAtomics() const {
  return memoryAccess_.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
}

bool LZDevice::hasPeerAtomics(const LZDevice &peer) const {
  ze_device_p2p_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES;
  return &driver_ == &peer.driver_ && zeDeviceGetP2PProperties(ze_, peer.ze_, &properties) == ZE_RESULT_SUCCESS &&
         (properties.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS);
}

uint32_t LZDevice::maxDynamicShared(size_t fixed) const {
  // The dynamic bytes begin where every type may lie. Intel's driver of 2022 rounds all of it up to KiB, adds the fixed bytes
  // again, and ends the process if the sum is more than there is.
  constexpr size_t kKiB = 1024, kAlignment = 128;
  const size_t all = compute_.maxSharedLocalMemory;
  if (fixed == 0)
    return static_cast<uint32_t>(all);
  const size_t lost =
      isIntelGpu() ? (fixed + kKiB - 1) / kKiB * kKiB + fixed : (fixed + kAlignment - 1) / kAlignment * kAlignment;
  return static_cast<uint32_t>(all - std::min(all, lost));
}

std::string LZDevice::binaryIdentity() const {
  std::string text = properties_.name;
  if (isIntelGpu()) {
    // Its UUID also says where it is, so code would be compiled again for each tile and each of equal cards.
    const bool tells = driver_.hasExtension(ZeIpVersion::kExtension);
    text += "-" + std::to_string(tells ? askFor<ZeIpVersion>(ze_) : 0) + "-" + std::to_string(multiprocessors());
  } else {
    for (uint8_t byte : properties_.uuid.id)
      text += "-" + std::to_string(byte);
  }
  // A driver's UUID is that of its instance: Intel's has the time in it, so no other process would find anything again.
  return text + "/" + std::to_string(properties_.deviceId) + "/" + std::to_string(driver_.version());
}

} // namespace hiplz
