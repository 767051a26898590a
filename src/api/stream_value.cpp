// SPDX-License-Identifier: MIT
// Words in memory that streams write and wait for, and the attachment of managed memory.
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/graph/capture.h"
#include "lz/stream/memory_operation.h"

using namespace hiplz;

namespace {

hipError_t waitValue(LZQueue &queue, uint32_t bytes, void *address, uint64_t value, unsigned flags, uint64_t mask) {
  MemoryOperation operation;
  if (hipError_t error = makeWait(operation, bytes, address, value, flags, mask))
    return error;
  return queue.batch({&operation, 1});
}

hipError_t writeValue(LZQueue &queue, uint32_t bytes, void *address, uint64_t value, unsigned flags) {
  MemoryOperation operation;
  if (hipError_t error = makeWrite(operation, bytes, address, value, flags))
    return error;
  return queue.batch({&operation, 1});
}

// The attachment says which stream's kernels may use the memory. Managed memory of Level Zero is coherent for all of
// them, so only the arguments have to be checked.
hipError_t attachMemory(hipStream_t stream, void *memory, size_t length, unsigned flags) {
  LZQueue &queue = queueFrom(stream);
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle)
    return refuse(hipErrorInvalidValue, "flags is not one of hipMemAttach...");
  if (flags == hipMemAttachSingle && !stream)
    return refuse(hipErrorInvalidValue, "hipMemAttachSingle needs a stream other than the null stream");
  const std::optional<Allocation> allocation = LZContext::instance().allocations().find(memory);
  if (!allocation) {
    if (!memory || length == 0 || !queue.device().reachesAllMemory())
      throw HipError(hipErrorInvalidValue,
                     "the memory is not managed; pageable memory can be attached if its length is given and "
                     "the device can access it");
  } else if (allocation->kind != MemoryKind::managed || allocation->base != memory ||
             (length != 0 && length != allocation->bytes)) {
    throw HipError(hipErrorInvalidValue, "the memory is not managed, or is only a part of an allocation");
  }
  return queue.captured() ? LZCapture::refuse(queue) : queue.device().fault();
}

} // namespace

extern "C" {

hipError_t hipStreamWaitValue32(hipStream_t stream, void *ptr, uint32_t value, unsigned int flags, uint32_t mask) {
  return HIPLZ_API(hipStreamWaitValue32, stream, ptr, value, flags,
                   mask)([&] { return waitValue(queueFrom(stream), 4, ptr, value, flags, mask); });
}

hipError_t hipStreamWaitValue64(hipStream_t stream, void *ptr, uint64_t value, unsigned int flags, uint64_t mask) {
  return HIPLZ_API(hipStreamWaitValue64, stream, ptr, value, flags,
                   mask)([&] { return waitValue(queueFrom(stream), 8, ptr, value, flags, mask); });
}

hipError_t hipStreamWriteValue32(hipStream_t stream, void *ptr, uint32_t value, unsigned int flags) {
  return HIPLZ_API(hipStreamWriteValue32, stream, ptr, value,
                   flags)([&] { return writeValue(queueFrom(stream), 4, ptr, value, flags); });
}

hipError_t hipStreamWriteValue64(hipStream_t stream, void *ptr, uint64_t value, unsigned int flags) {
  return HIPLZ_API(hipStreamWriteValue64, stream, ptr, value,
                   flags)([&] { return writeValue(queueFrom(stream), 8, ptr, value, flags); });
}

hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count, hipStreamBatchMemOpParams *paramArray,
                               unsigned int flags) {
  return HIPLZ_API(hipStreamBatchMemOp, stream, count, paramArray, flags)([&] {
    LZQueue &queue = queueFrom(stream);
    std::vector<MemoryOperation> operations;
    if (hipError_t error = makeBatch(operations, paramArray, count, flags))
      return error;
    return queue.batch(operations);
  });
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *dev_ptr, size_t length, unsigned int flags) {
  return HIPLZ_API(hipStreamAttachMemAsync, stream, dev_ptr, length,
                   flags)([&] { return attachMemory(stream, dev_ptr, length, flags); });
}

} // extern "C"
