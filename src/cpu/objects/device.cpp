// SPDX-License-Identifier: MIT
// See device.h. The processor's description comes from /proc and /sys, which may be restricted: everything has a default.
#include "cpu/objects/device.h"
#include "base/env.h"
#include "base/system_file.h"
#include "cpu/exec/clock.h"
#include "cpu/exec/scheduler.h"
#include "cpu/exec/streaming.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

// Half of the transfers in a second, as the firmware describes the first memory module (SMBIOS, structure 17).
uint32_t readMemoryMegahertz() {
  constexpr size_t kSpeed = 0x15, kConfiguredSpeed = 0x20, kSize = kConfiguredSpeed + 2;
  std::string module = systemText("/sys/firmware/dmi/entries/17-0/raw", kSize);
  module.resize(kSize);
  for (size_t place : {kConfiguredSpeed, kSpeed}) {
    uint16_t transfers;
    std::memcpy(&transfers, module.data() + place, sizeof transfers);
    if (transfers != 0 && transfers != 0xffff)
      return transfers / 2;
  }
  return 0;
}

ProcessorInfo readProcessorInfo() {
  // The kernel asks a processor how fast it runs for the paragraph of each. What is wanted stands in front of the flags of the first.
  constexpr size_t kEnough = 512;
  ProcessorInfo info;
  const std::string text = systemText("/proc/cpuinfo", kEnough);
  uint32_t family = 0, model = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = nextLine(rest);
    const size_t colon = line.find(':');
    if (line.empty())
      break;
    if (colon == line.npos)
      continue;
    const std::string_view key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    const std::string_view value = line.substr(std::min(line.size(), colon + 2));
    const auto number = static_cast<uint32_t>(numberAt(value).value_or(0));
    if (key == "model name")
      info.name = value;
    else if (key == "vendor_id")
      info.vendorId = value == "GenuineIntel" ? 0x8086 : value == "AuthenticAMD" ? 0x1022 : 0;
    else if (key == "cpu family")
      family = number;
    else if (key == "model")
      model = number;
    else if (key == "cpu MHz")
      info.megahertz = number;
  }
  info.modelId = (family & 0xff) << 8 | (model & 0xff);
  if (info.name.empty())
    info.name = "x86-64 processor";
  if (const auto kilohertz = numberAt(systemText("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"));
      kilohertz && *kilohertz)
    info.megahertz = static_cast<uint32_t>(*kilohertz / 1000);
  if (info.megahertz == 0)
    info.megahertz = 1000;
  setClockRate(info.megahertz);
  return info;
}

uint64_t readCacheBytes() {
  if (const uint64_t bytes = lastLevelCaches())
    return bytes;
  // The C library asks the processor, which in a virtual machine tells of the whole one.
  return static_cast<uint64_t>(
      std::max({::sysconf(_SC_LEVEL3_CACHE_SIZE), ::sysconf(_SC_LEVEL2_CACHE_SIZE), 1L << 20}));
}

} // namespace

const ProcessorInfo &ProcessorInfo::get() {
  static const ProcessorInfo *info = new ProcessorInfo(readProcessorInfo());
  return *info;
}

uint32_t memoryMegahertz() {
  static const uint32_t megahertz = readMemoryMegahertz();
  return megahertz;
}

uint64_t cacheBytes() {
  static const uint64_t bytes = readCacheBytes();
  return bytes;
}

ze_device_type_t deviceType() {
  static const ze_device_type_t type = envFlag(EnvVar::HIPLZ_CPU_AS_GPU) ? ZE_DEVICE_TYPE_GPU : ZE_DEVICE_TYPE_CPU;
  return type;
}

Device::Device(unsigned index, uint64_t memoryLimit, MemoryBudget &budget)
    : index_(index), memoryLimit_(memoryLimit), budget_(budget) {}

bool Device::reserve(uint64_t bytes) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > memoryLimit_ - used)
      return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  if (budget_.reserve(bytes))
    return true;
  used_.fetch_sub(bytes, std::memory_order_relaxed);
  return false;
}

void Device::unreserve(uint64_t bytes) {
  budget_.unreserve(bytes);
  used_.fetch_sub(bytes, std::memory_order_relaxed);
}

uint64_t Device::usableMemory() const {
  return std::min(memoryLimit_, used_.load(std::memory_order_relaxed) + budget_.free());
}

uint64_t Device::freeMemory() const {
  return std::min(memoryLimit_ - used_.load(std::memory_order_relaxed), budget_.free());
}

void Device::getProperties(ze_device_properties_t &properties) const {
  const ProcessorInfo &info = ProcessorInfo::get();
  properties.type = deviceType();
  properties.vendorId = info.vendorId;
  properties.deviceId = info.modelId;
  properties.flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED | ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING;
  properties.subdeviceId = 0;
  properties.coreClockRate = info.megahertz;
  properties.maxMemAllocSize = memoryLimit_;
  properties.maxHardwareContexts = 1 << 16;
  properties.maxCommandQueuePriority = 0;
  properties.numThreadsPerEU = 1;
  properties.physicalEUSimdWidth = kSubgroupSize;
  properties.numEUsPerSubslice = 1;
  properties.numSubslicesPerSlice = Scheduler::get().threadCount();
  properties.numSlices = 1;
  // Nanoseconds per tick in version 1.0 of the structure, ticks per second from version 1.2 on.
  properties.timerResolution = properties.stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 ? 1'000'000'000 : 1;
  properties.timestampValidBits = 64;
  properties.kernelTimestampValidBits = 64;
  std::memset(&properties.uuid, 0, sizeof properties.uuid);
  std::memcpy(properties.uuid.id, "hiplz-cpu", 9);
  std::memcpy(properties.uuid.id + 10, &info.modelId, 2);
  uint32_t number = index_;
  std::memcpy(properties.uuid.id + 12, &number, sizeof number);
  std::snprintf(properties.name, sizeof properties.name, "%s", info.name.c_str());
}

} // namespace hiplz::cpu
