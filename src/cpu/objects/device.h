// SPDX-License-Identifier: MIT
// A device: the processor. HIPLZ_CPU_DEVICES=n shows it n times; the devices share the worker threads and differ in their
// memory accounts.
#pragma once
#include "base/driver_extensions.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/objects/memory_budget.h"
#include "cpu/objects/object.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hiplz::cpu {

/// Facts about the machine, read once.
struct ProcessorInfo {
  std::string name;
  uint32_t vendorId = 0; ///< PCI vendor id of the processor's maker
  uint32_t modelId = 0;
  uint32_t megahertz = 0;
  static const ProcessorInfo &get();
};

/// Facts that few programs ask for are read when they do. 0: the firmware's tables do not say, or only to root.
uint32_t memoryMegahertz();
/// Of the last level of all processors that the device has.
uint64_t cacheBytes();

/// The device's type for programs: a processor, or with HIPLZ_CPU_AS_GPU a GPU. Read once; may be called before zeInit.
ze_device_type_t deviceType();

constexpr uint32_t kMaxGroupCount = 0xffffffff;
constexpr uint32_t kMaxArgumentBytes = 4096;
constexpr uint32_t kPrintBytes = 1 << 20; // what OpenCL demands; text is written at once, so there is no limit
constexpr size_t kMaxFillPattern = 128;

/// Queue groups by ordinal: one for everything, and one that refuses kernels, for programs that look for a copy engine.
constexpr uint32_t kGeneralGroup = 0, kCopyGroup = 1, kQueueGroups = 2;
constexpr uint32_t queuesOfGroup(uint32_t ordinal) { return ordinal == kCopyGroup ? 1 : 16; }

/// Immutable but for its counters; every method may be called by any thread.
class Device : public Object<Device, ze_device_handle_t> {
public:
  static constexpr uint64_t kKind = 2;
  Device(unsigned index, uint64_t memoryLimit, MemoryBudget &budget);

  unsigned index() const { return index_; }
  uint64_t memoryLimit() const { return memoryLimit_; }
  void getProperties(ze_device_properties_t &properties) const;

  /// Takes bytes from the device's memory; false if it does not have them, or the system has not.
  bool reserve(uint64_t bytes);
  void unreserve(uint64_t bytes);

  /// Bytes that can be allocated at the moment, those that are allocated included.
  uint64_t usableMemory() const;
  /// Bytes that can still be allocated at the moment.
  uint64_t freeMemory() const;

  /// Living contexts in which a kernel on this device has faulted.
  std::atomic<int32_t> lostContexts{0};
  /// The kind of the last one's fault.
  std::atomic<ZeFault> fault{ZeFault::none};

private:
  const unsigned index_;
  const uint64_t memoryLimit_;
  MemoryBudget &budget_; // non-owning
  std::atomic<uint64_t> used_{0};
};

} // namespace hiplz::cpu
