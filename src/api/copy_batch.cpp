// SPDX-License-Identifier: MIT
// Batches of copies, copies of boxes between devices, and handles of ranges: the additions of HIP 7.
#include "api/copy_checked.h"
#include "lz/graph/capture.h"
#include "lz/memory/array.h"

#include <vector>

using namespace hiplz;

namespace {

/// The copies of a batch taken together.
struct Batch {
  std::vector<CopyRegion> regions;
  bool readsAtOnce = false; ///< a source may change as soon as the call returns
};

bool isAccessOrder(hipMemcpySrcAccessOrder order) {
  return order >= hipMemcpySrcAccessOrderStream && order <= hipMemcpySrcAccessOrderAny;
}

hipError_t checkAttributes(const hipMemcpyAttributes *attributes, const size_t *firsts, size_t number, size_t count,
                           Batch &batch) {
  if (number == 0)
    return hipSuccess; // then each copy is in the order of the stream
  HIPLZ_NOT_NULL(attributes, firsts);
  if (number > count || firsts[0] != 0)
    return refuse(hipErrorInvalidValue, "there are more attributes than copies, or the first copy has none");
  for (size_t index = 0; index < number; ++index) {
    if ((index != 0 && firsts[index] <= firsts[index - 1]) || firsts[index] >= count)
      return refuse(hipErrorInvalidValue, "attrsIdxs does not rise, or names a copy that is not in the batch");
    if (!isAccessOrder(attributes[index].srcAccessOrder) ||
        (attributes[index].flags & ~unsigned{hipMemcpyFlagPreferOverlapWithCompute}))
      return refuse(hipErrorInvalidValue, "an attribute has an unknown srcAccessOrder or unknown flags");
    batch.readsAtOnce |= attributes[index].srcAccessOrder == hipMemcpySrcAccessOrderDuringApiCall;
  }
  return hipSuccess;
}

/// Checks all copies before the first is made. `failed` receives the number of the one that is wrong.
hipError_t submit(const Batch &batch, LZQueue &queue, size_t *failed) {
  std::vector<CopyMemory> memory(batch.regions.size());
  size_t at = 0;
  const auto failing = [&](auto body) {
    try {
      for (at = 0; at < batch.regions.size(); ++at)
        if (hipError_t error = body(batch.regions[at], memory[at]))
          return error;
    } catch (const HipError &) {
      if (failed)
        *failed = at;
      throw;
    }
    return hipSuccess;
  };
  hipError_t error = failing([](const CopyRegion &region, CopyMemory &ends) { return checkCopy(region, ends); });
  if (!error)
    error =
        failing([&](const CopyRegion &region, CopyMemory &ends) { return copyInOrder(region, ends, queue, Wait::no); });
  if (error && failed)
    *failed = at;
  if (error || !batch.readsAtOnce)
    return error;
  return queue.synchronize();
}

/// The queue of a batch. Throws HipError.
LZQueue &batchQueue(const Batch &batch, hipStream_t stream) {
  LZQueue &queue = queueFrom(stream);
  if (batch.readsAtOnce && queue.captured()) {
    const hipError_t error = LZCapture::refuse(queue);
    throw HipError(error, "a captured copy cannot read its source during the call");
  }
  return queue;
}

size_t elementBytes(const hipMemcpy3DOperand &operand) {
  return operand.type == hipMemcpyOperandTypeArray ? arrayFrom(operand.op.array.array).elementBytes() : 0;
}

hipError_t makeEnd(CopyEnd &end, const hipMemcpy3DOperand &operand, const hipExtent &extent, size_t bytes) {
  if (operand.type == hipMemcpyOperandTypeArray) {
    const hipOffset3D &offset = operand.op.array.offset;
    return arrayEnd(end, operand.op.array.array, offset.x * bytes, offset.y, offset.z);
  }
  const auto &memory = operand.op.ptr;
  end.base = static_cast<std::byte *>(memory.ptr);
  end.pitch = (memory.rowLength ? memory.rowLength : extent.width) * bytes;
  end.rows = memory.layerHeight ? memory.layerHeight : extent.height;
  return hipSuccess;
}

hipError_t makeRegion(CopyRegion &region, const hipMemcpy3DBatchOp &copy) {
  for (const hipMemcpy3DOperand *operand : {&copy.src, &copy.dst})
    if (operand->type != hipMemcpyOperandTypePointer && operand->type != hipMemcpyOperandTypeArray)
      return refuse(hipErrorInvalidValue, "an operand's type is not one of hipMemcpy3DOperandType");
  if (!isAccessOrder(copy.srcAccessOrder) || (copy.flags & ~unsigned{hipMemcpyFlagPreferOverlapWithCompute}))
    return refuse(hipErrorInvalidValue, "a copy has an unknown srcAccessOrder or unknown flags");
  const size_t from = elementBytes(copy.src), to = elementBytes(copy.dst);
  if (from && to && from != to)
    return refuse(hipErrorInvalidValue, "the arrays have elements of different sizes");
  const size_t bytes = from ? from : to ? to : 1;
  if (hipError_t error = makeEnd(region.from, copy.src, copy.extent, bytes))
    return error;
  if (hipError_t error = makeEnd(region.to, copy.dst, copy.extent, bytes))
    return error;
  region.width = copy.extent.width * bytes;
  region.height = copy.extent.height;
  region.depth = copy.extent.depth;
  return hipSuccess;
}

hipError_t copyPeer(const hipMemcpy3DPeerParms *parameters, hipStream_t stream, Wait wait) {
  HIPLZ_NOT_NULL(parameters);
  LZContext &context = LZContext::instance();
  context.device(parameters->srcDevice);
  context.device(parameters->dstDevice);
  hipMemcpy3DParms box{};
  box.srcArray = parameters->srcArray;
  box.srcPos = parameters->srcPos;
  box.srcPtr = parameters->srcPtr;
  box.dstArray = parameters->dstArray;
  box.dstPos = parameters->dstPos;
  box.dstPtr = parameters->dstPtr;
  box.extent = parameters->extent;
  box.kind = hipMemcpyDeviceToDevice;
  CopyRegion region;
  if (hipError_t error = hiplz::makeRegion(region, box))
    return error;
  return copyChecked(region, queueFrom(stream), wait);
}

} // namespace

extern "C" {

hipError_t hipMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count, hipMemcpyAttributes *attrs,
                               size_t *attrsIdxs, size_t numAttrs, size_t *failIdx, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyBatchAsync, dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, stream)([&] {
    if (failIdx)
      *failIdx = SIZE_MAX;
    HIPLZ_NOT_NULL(dsts, srcs, sizes);
    if (count == 0)
      return refuse(hipErrorInvalidValue, "count is 0");
    Batch batch;
    if (hipError_t error = checkAttributes(attrs, attrsIdxs, numAttrs, count, batch))
      return error;
    LZQueue &queue = batchQueue(batch, stream);
    for (size_t index = 0; index < count; ++index)
      batch.regions.push_back(linearRegion(dsts[index], srcs[index], sizes[index], hipMemcpyDefault));
    return submit(batch, queue, failIdx);
  });
}

hipError_t hipMemcpy3DBatchAsync(size_t numOps, hipMemcpy3DBatchOp *opList, size_t *failIdx, unsigned long long flags,
                                 hipStream_t stream) {
  return HIPLZ_API(hipMemcpy3DBatchAsync, numOps, opList, failIdx, flags, stream)([&] {
    if (failIdx)
      *failIdx = SIZE_MAX;
    HIPLZ_NOT_NULL(opList);
    if (numOps == 0 || flags != 0)
      return refuse(hipErrorInvalidValue, "numOps is 0, or flags is not 0");
    Batch batch;
    batch.regions.resize(numOps);
    for (size_t index = 0; index < numOps; ++index) {
      if (failIdx)
        *failIdx = index;
      if (hipError_t error = makeRegion(batch.regions[index], opList[index]))
        return error;
      batch.readsAtOnce |= opList[index].srcAccessOrder == hipMemcpySrcAccessOrderDuringApiCall;
    }
    if (failIdx)
      *failIdx = SIZE_MAX;
    return submit(batch, batchQueue(batch, stream), failIdx);
  });
}

hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms *p) {
  return HIPLZ_API(hipMemcpy3DPeer, p)([&] { return copyPeer(p, nullptr, Wait::yes); });
}

hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms *p, hipStream_t stream) {
  return HIPLZ_API(hipMemcpy3DPeerAsync, p, stream)([&] { return copyPeer(p, stream, Wait::no); });
}

hipError_t hipMemGetHandleForAddressRange(void *handle, hipDeviceptr_t dptr, size_t size,
                                          hipMemRangeHandleType handleType, unsigned long long flags) {
  return HIPLZ_API(hipMemGetHandleForAddressRange, handle, dptr, size, handleType, flags)([&] {
    HIPLZ_NOT_NULL(handle, dptr);
    if (size == 0 || handleType != hipMemRangeHandleTypeDmaBufFd ||
        (flags & ~static_cast<unsigned long long>(hipMemRangeFlagDmaBufMappingTypePcie)))
      return refuse(hipErrorInvalidValue, "size is 0, or handleType or flags is unknown");
    const std::optional<Allocation> memory = LZContext::instance().allocations().find(dptr);
    if (!memory || !memory->contains(dptr, size))
      return refuse(hipErrorInvalidValue, "the range is not in memory that HIP knows");
    return refuse(hipErrorNotSupported, "Level Zero exports whole allocations that were made for it, and no ranges");
  });
}

} // extern "C"
