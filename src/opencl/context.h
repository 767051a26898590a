// SPDX-License-Identifier: MIT
// Contexts and the memory that is allocated in them. OpenCL cannot tell everything that Level Zero asks of an address, and it is
// slow to ask, so the driver keeps its own table.
#pragma once
#include "base/mutex.h"
#include "opencl/device.h"

#include <atomic>
#include <map>
#include <optional>
#include <set>

namespace hiplz::opencl {

struct Allocation {
  void *base = nullptr;
  size_t size = 0;
  ze_memory_type_t type = ZE_MEMORY_TYPE_UNKNOWN;
  Device *device = nullptr; ///< null: of the host
  uint64_t id = 0;
  void *block = nullptr; ///< what OpenCL has to free; null: the memory of a program's variable
};

/// A context on all devices of a driver. Thread-safe.
class Context : public driver::Object<Context, ze_context_handle_t> {
public:
  static constexpr uint64_t kKind = 0x103;
  explicit Context(Driver &driver);
  /// Frees the memory that is left.
  ~Context();

  cl_context handleOfCl() const { return context_.get(); }

  /// Memory that the table does not have. Movable; may be empty.
  class Memory {
  public:
    Memory() = default;
    Memory(Context &context, void *block, void *base) : context_(&context), block_(block), base_(base) {}
    Memory(Memory &&other) noexcept { *this = std::move(other); }
    Memory &operator=(Memory &&other) noexcept {
      std::swap(context_, other.context_);
      std::swap(block_, other.block_);
      std::swap(base_, other.base_);
      return *this;
    }
    ~Memory();
    void *get() const { return base_; }
    /// Memory that OpenCL frees, by somebody else after release().
    void *block() const { return block_; }
    void release() { block_ = nullptr; }

  private:
    Context *context_ = nullptr;
    void *block_ = nullptr, *base_ = nullptr;
  };
  /// Throws as allocate() does.
  Memory obtain(ze_memory_type_t type, Device *device, size_t size, size_t alignment);

  /// Throws Error(OUT_OF_DEVICE_MEMORY, UNSUPPORTED_SIZE, ...). `device` may be null for host and shared memory.
  void *allocate(ze_memory_type_t type, Device *device, size_t size, size_t alignment);
  /// Waits for commands that use the memory. Throws Error(INVALID_ARGUMENT) if nothing was allocated at the address.
  void free(void *pointer);
  /// The allocation that an address lies in.
  std::optional<Allocation> find(const void *pointer) const;

  /// Lets a kernel follow pointers to all memory that there is. `known` belongs to the kernel and is 0 at first.
  void allowAll(cl_kernel kernel, uint64_t &known) const {
    if (driver.memory().allow && known != generation_.load(std::memory_order_acquire)) [[unlikely]]
      nameAll(kernel, known);
  }

  /// A variable is memory of the device, too, from now on and until it is forgotten.
  void addVariable(Device &device, void *address, size_t size);
  void forgetVariable(void *address);

  Driver &driver;

private:
  void insert(Allocation allocation);
  void nameAll(cl_kernel kernel, uint64_t &known) const;
  void addBlock(void *block);
  cl_int freeBlock(void *block);

  ClContext context_;
  mutable SharedMutex mutex_{LockRank::openclContext};
  std::atomic<bool> aligns_{true};              // memory as it is asked to, as far as is known
  std::map<uintptr_t, Allocation> allocations_; // by base
  uint64_t lastId_ = 0;
  // All memory of OpenCL's, if kernels need a list of it, and how often it has changed.
  std::set<void *> blocks_;
  std::atomic<uint64_t> generation_{1};
};

} // namespace hiplz::opencl
