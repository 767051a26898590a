// SPDX-License-Identifier: MIT
// See context.h.
#include "opencl/context.h"

#include <algorithm>
#include <mutex>

namespace hiplz::opencl {

namespace {

/// Programs count on that much. Level Zero's drivers for GPUs align to pages.
size_t leastAlignment(ze_memory_type_t type) { return type == ZE_MEMORY_TYPE_SHARED ? 4096 : 256; }

} // namespace

Context::Context(Driver &driver) : driver(driver) {
  std::vector<cl_device_id> ids;
  for (const auto &device : driver.devices())
    ids.push_back(device->id);
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(driver.platform), 0};
  cl_int code = CL_SUCCESS;
  context_ = ClContext(
      cl().clCreateContext(properties, static_cast<cl_uint>(ids.size()), ids.data(), nullptr, nullptr, &code));
  checkCl(code, "clCreateContext");
}

Context::~Context() {
  for (const auto &[base, allocation] : allocations_)
    if (allocation.block)
      static_cast<void>(freeBlock(allocation.block));
}

Context::Memory::~Memory() {
  if (block_)
    static_cast<void>(context_->freeBlock(block_));
}

Context::Memory Context::obtain(ze_memory_type_t type, Device *device, size_t size, size_t alignment) {
  const MemoryFunctions &memory = driver.memory();
  const auto ask = [&](size_t bytes, size_t aligned, cl_int &code) {
    switch (type) {
    case ZE_MEMORY_TYPE_DEVICE:
      return memory.allocDevice(handleOfCl(), device->id, nullptr, bytes, static_cast<cl_uint>(aligned), &code);
    case ZE_MEMORY_TYPE_HOST:
      return memory.allocHost(handleOfCl(), nullptr, bytes, static_cast<cl_uint>(aligned), &code);
    default:
      return memory.allocShared(handleOfCl(), device ? device->id : nullptr, nullptr, bytes,
                                static_cast<cl_uint>(aligned), &code);
    }
  };
  const size_t wanted = std::max(alignment, leastAlignment(type));
  const auto aligned = [&](void *block) {
    return reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(block) + wanted - 1) & ~(wanted - 1));
  };
  // Implementations need not align to more than their largest vector, and either say so or do not, as PoCL, which is not asked again.
  // Device addresses are numbers that can be added to.
  cl_int code = CL_INVALID_VALUE;
  void *block = aligns_.load(std::memory_order_relaxed) ? ask(size, wanted, code) : nullptr, *base = block;
  if (block && base != aligned(block)) {
    aligns_.store(false, std::memory_order_relaxed);
    memory.free(handleOfCl(), std::exchange(block, nullptr));
    code = CL_INVALID_VALUE;
  }
  if (code == CL_INVALID_VALUE) {
    block = ask(size + wanted, 0, code);
    base = aligned(block);
  }
  if (code != CL_SUCCESS || !block)
    throw Error{code == CL_SUCCESS ? ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY : resultOf(code),
                "OpenCL does not allocate the memory"};
  if (type != ZE_MEMORY_TYPE_HOST || sharesWithHost(driver.memoryAccess()))
    addBlock(block);
  return {*this, block, base};
}

void Context::addBlock(void *block) {
  if (!driver.memory().allow)
    return;
  const Lock lock(mutex_);
  blocks_.insert(block);
  generation_.fetch_add(1, std::memory_order_release);
}

cl_int Context::freeBlock(void *block) {
  if (driver.memory().allow) {
    const Lock lock(mutex_);
    blocks_.erase(block);
    generation_.fetch_add(1, std::memory_order_release);
  }
  return driver.memory().free(handleOfCl(), block);
}

void Context::nameAll(cl_kernel kernel, uint64_t &known) const {
  std::vector<void *> blocks;
  {
    const SharedLock lock(mutex_);
    blocks.assign(blocks_.begin(), blocks_.end());
    known = generation_.load(std::memory_order_relaxed);
  }
  if (!blocks.empty())
    checkCl(driver.memory().allow(kernel, blocks.size(), blocks.data()), "clSetKernelExecInfo");
}

void *Context::allocate(ze_memory_type_t type, Device *device, size_t size, size_t alignment) {
  Memory memory = obtain(type, device, size, alignment);
  insert({memory.get(), size, type, device, 0, memory.block()});
  memory.release();
  return memory.get();
}

void Context::insert(Allocation allocation) {
  const Lock lock(mutex_);
  allocation.id = ++lastId_;
  allocations_.insert_or_assign(reinterpret_cast<uintptr_t>(allocation.base), allocation);
}

void Context::free(void *pointer) {
  void *block = nullptr;
  {
    const Lock lock(mutex_);
    const auto entry = allocations_.find(reinterpret_cast<uintptr_t>(pointer));
    if (entry == allocations_.end() || !entry->second.block)
      throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "no memory was allocated at this address"};
    block = entry->second.block;
    allocations_.erase(entry);
  }
  checkCl(freeBlock(block), "freeing memory");
}

std::optional<Allocation> Context::find(const void *pointer) const {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const SharedLock lock(mutex_);
  auto entry = allocations_.upper_bound(address);
  if (entry == allocations_.begin() || address - (--entry)->first >= entry->second.size)
    return std::nullopt;
  return entry->second;
}

void Context::addVariable(Device &device, void *address, size_t size) {
  insert({address, size, ZE_MEMORY_TYPE_DEVICE, &device, 0, nullptr});
}

void Context::forgetVariable(void *address) {
  const Lock lock(mutex_);
  const auto entry = allocations_.find(reinterpret_cast<uintptr_t>(address));
  if (entry != allocations_.end() && !entry->second.block)
    allocations_.erase(entry);
}

} // namespace hiplz::opencl
