// SPDX-License-Identifier: MIT
// See buffer_memory.h.
#include "opencl/buffer_memory.h"
#include "base/lockable.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>

namespace hiplz::opencl {
namespace {

// cl_ext_buffer_device_address 1.0, which Debian 12's headers lack.
constexpr cl_mem_properties kPrivateAddress = 0x5000;
constexpr cl_mem_info kDeviceAddress = 0x5001;
constexpr cl_kernel_exec_info kAllowedAddresses = 0x5002;
// Copies between two places of the host pass through a buffer of that size.
constexpr size_t kChunk = 1 << 20;

struct Buffer {
  ClMemory handle;
  size_t size;
};

struct Blocks {
  // By context and address: addresses of different devices may be the same.
  std::map<std::pair<cl_context, uintptr_t>, Buffer> buffers;
  std::set<void *> ofHost;
};

Lockable<Blocks> &blocks() {
  static auto *all = new Lockable<Blocks>(LockRank::openclBuffers); // used until the process ends
  return *all;
}

cl_context contextOf(cl_command_queue queue) {
  return clValue<cl_context>([&](size_t size, void *value, size_t *out) {
    return cl().clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, size, value, out);
  });
}

/// A place in a buffer; of the host if there is no buffer at the address.
struct Place {
  cl_mem buffer = nullptr;
  size_t offset = 0;
};

// The caller keeps the memory allocated until its commands end.
Place placeOf(cl_context context, const void *pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const auto all = blocks().lock();
  auto found = all->buffers.upper_bound({context, address});
  if (found == all->buffers.begin())
    return {};
  --found;
  if (found->first.first != context || address - found->first.second >= found->second.size)
    return {};
  return {found->second.handle.get(), address - found->first.second};
}

void *CL_API_CALL allocateBuffer(cl_context context, cl_device_id device, const cl_mem_properties_intel *, size_t size,
                                 cl_uint alignment, cl_int *code) {
  const cl_mem_properties properties[] = {kPrivateAddress, CL_TRUE, 0};
  Buffer buffer{
      ClMemory(cl().clCreateBufferWithProperties(context, properties, CL_MEM_READ_WRITE, size, nullptr, code)), size};
  if (!buffer.handle)
    return nullptr;
  const auto devices = clValues<cl_device_id>([&](size_t bytes, void *value, size_t *out) {
    return cl().clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, value, out);
  });
  const auto addresses = clValues<cl_ulong>([&](size_t bytes, void *value, size_t *out) {
    return cl().clGetMemObjectInfo(buffer.handle.get(), kDeviceAddress, bytes, value, out);
  });
  const auto index = static_cast<size_t>(std::find(devices.begin(), devices.end(), device) - devices.begin());
  if (index >= addresses.size() || !addresses[index]) {
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return nullptr;
  }
  const uintptr_t address = addresses[index];
  if (alignment && address % alignment != 0) { // the caller asks for more memory without one
    *code = CL_INVALID_VALUE;
    return nullptr;
  }
  blocks().lock()->buffers.insert_or_assign({context, address}, std::move(buffer));
  return reinterpret_cast<void *>(address);
}

cl_int CL_API_CALL freeBuffer(cl_context context, void *memory) {
  if (freeHostMemory(memory))
    return CL_SUCCESS;
  const auto buffer = blocks().lock()->buffers.extract({context, reinterpret_cast<uintptr_t>(memory)});
  return buffer.empty() ? CL_INVALID_VALUE : CL_SUCCESS; // released here, without the lock
}

/// From the host to the host, when it is the copy's turn.
cl_int copyOnHost(cl_command_queue queue, cl_bool blocking, std::byte *to, const std::byte *from, size_t size,
                  cl_uint waitCount, const cl_event *waits, cl_event *done) {
  cl_int code = CL_SUCCESS;
  const ClMemory between(
      cl().clCreateBuffer(contextOf(queue), CL_MEM_READ_WRITE, std::min(size, kChunk), nullptr, &code));
  for (size_t at = 0; at < size && code == CL_SUCCESS; at += kChunk) {
    const size_t part = std::min(kChunk, size - at);
    const bool isFirst = at == 0, isLast = at + part == size;
    code = cl().clEnqueueWriteBuffer(queue, between.get(), CL_FALSE, 0, part, from + at, isFirst ? waitCount : 0,
                                     isFirst ? waits : nullptr, nullptr);
    if (code == CL_SUCCESS)
      code = cl().clEnqueueReadBuffer(queue, between.get(), isLast ? blocking : CL_FALSE, 0, part, to + at, 0, nullptr,
                                      isLast ? done : nullptr);
  }
  return code;
}

cl_int CL_API_CALL copyMemory(cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t size,
                              cl_uint waitCount, const cl_event *waits, cl_event *done) {
  const cl_context context = contextOf(queue);
  const Place target = placeOf(context, to), source = placeOf(context, from);
  if (target.buffer && source.buffer) {
    cl_int code = cl().clEnqueueCopyBuffer(queue, source.buffer, target.buffer, source.offset, target.offset, size,
                                           waitCount, waits, done);
    return code == CL_SUCCESS && blocking ? cl().clFinish(queue) : code;
  }
  if (target.buffer)
    return cl().clEnqueueWriteBuffer(queue, target.buffer, blocking, target.offset, size, from, waitCount, waits, done);
  if (source.buffer)
    return cl().clEnqueueReadBuffer(queue, source.buffer, blocking, source.offset, size, to, waitCount, waits, done);
  return copyOnHost(queue, blocking, static_cast<std::byte *>(to), static_cast<const std::byte *>(from), size,
                    waitCount, waits, done);
}

cl_int CL_API_CALL fillMemory(cl_command_queue queue, void *to, const void *pattern, size_t patternSize, size_t size,
                              cl_uint waitCount, const cl_event *waits, cl_event *done) {
  const Place target = placeOf(contextOf(queue), to);
  if (!target.buffer)
    return CL_INVALID_VALUE;
  return cl().clEnqueueFillBuffer(queue, target.buffer, pattern, patternSize, target.offset, size, waitCount, waits,
                                  done);
}

cl_int allowBuffers(cl_kernel kernel, size_t count, void *const *bases) {
  std::vector<cl_ulong> addresses;
  for (size_t index = 0; index < count; ++index)
    addresses.push_back(reinterpret_cast<cl_ulong>(bases[index]));
  return cl().clSetKernelExecInfo(kernel, kAllowedAddresses, count * sizeof addresses[0], addresses.data());
}

} // namespace

void *CL_API_CALL allocateHostMemory(cl_context, const cl_mem_properties_intel *, size_t size, cl_uint alignment,
                                     cl_int *code) {
  const size_t aligned = std::max<size_t>(alignment, alignof(std::max_align_t));
  std::unique_ptr<void, decltype(&std::free)> memory(
      size > SIZE_MAX - aligned ? nullptr : std::aligned_alloc(aligned, (size + aligned - 1) / aligned * aligned),
      std::free);
  *code = memory ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  if (memory)
    blocks().lock()->ofHost.insert(memory.get());
  return memory.release();
}

void *CL_API_CALL refuseSharedMemory(cl_context, cl_device_id, const cl_mem_properties_intel *, size_t, cl_uint,
                                     cl_int *code) {
  *code = CL_INVALID_OPERATION;
  return nullptr;
}

bool freeHostMemory(void *memory) {
  if (!blocks().lock()->ofHost.erase(memory))
    return false;
  std::free(memory);
  return true;
}

MemoryFunctions bufferFunctions(cl_platform_id platform) {
  MemoryFunctions functions;
  if (!cl().clCreateBufferWithProperties)
    return functions;
  functions.allocHost = allocateHostMemory;
  functions.allocDevice = allocateBuffer;
  functions.allocShared = refuseSharedMemory;
  functions.free = freeBuffer;
  findFunction(functions.setAddress, platform, "clSetKernelArgDevicePointerEXT");
  functions.fill = fillMemory;
  functions.copy = copyMemory;
  functions.allow = allowBuffers;
  return functions;
}

} // namespace hiplz::opencl
