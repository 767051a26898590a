// SPDX-License-Identifier: MIT
// The driver object: the list of devices and the one account of host memory. Created by the first zeInit, never destroyed.
#pragma once
#include "base/lockable.h"
#include "cpu/objects/device.h"
#include "cpu/objects/memory.h"
#include "cpu/objects/virtual_memory.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace hiplz::cpu {

class Context;

/// Immutable after creation but for the tables of memory, which lock by themselves.
class Driver : public Object<Driver, ze_driver_handle_t> {
public:
  static constexpr uint64_t kKind = 1;

  /// Creates the driver at the first call; later calls and calls of other threads find it.
  static Driver &initialise();

  /// The driver. Throws Error(UNINITIALIZED) before initialise(), and in a forked child.
  static Driver &get();

  const std::vector<std::unique_ptr<Device>> &devices() const { return devices_; }
  AllocationTable &allocations() { return allocations_; }
  VirtualMemoryTable &virtualMemory() { return virtualMemory_; }
  /// The allocation or mapping that the address lies in; its base is null if there is none.
  Allocation allocationOf(const void *pointer) const;
  MemoryBudget &budget() { return budget_; }

  /// All living contexts.
  using Contexts = Lockable<std::vector<Context *>>;
  Contexts &contexts() { return contexts_; }

  /// A context with all devices that belongs to the driver, made at the first call.
  Context &defaultContext();
  bool isDefault(const Context &context) const { return defaultContext_.load() == &context; }

  /// Waits until everything that any context has submitted for the device has been executed.
  void synchronize(const Device &device);

private:
  Driver();
  MemoryBudget budget_{[this] { return allocations_.residentBytes() + PhysicalStorage::residentBytes(); }};
  std::vector<std::unique_ptr<Device>> devices_;
  Contexts contexts_{LockRank::cpuContexts};
  std::once_flag defaultContextMade_;
  std::atomic<Context *> defaultContext_{nullptr}; // never destroyed
  AllocationTable allocations_;
  VirtualMemoryTable virtualMemory_;
};

} // namespace hiplz::cpu
