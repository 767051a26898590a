// SPDX-License-Identifier: MIT
// Checks, comparisons and reading of the words that streams wait for.
#include "lz/stream/memory_operation.h"
#include "base/log.h"
#include "lz/device/device.h"
#include "lz/memory/memory.h"

#include <atomic>

namespace hiplz {
namespace {

constexpr unsigned kMostOperations = 256;

// Loads the word with one access, so that it is never seen half written.
template <class Word> uint64_t loadWord(void *address) {
  return std::atomic_ref(*static_cast<Word *>(address)).load(std::memory_order_acquire);
}

} // namespace

bool MemoryOperation::satisfiedBy(uint64_t word) const {
  word &= mask;
  switch (kind) {
  case Kind::waitGreaterEqual: return word >= value;
  case Kind::waitEqual: return word == value;
  case Kind::waitAnd: return (word & value) != 0;
  case Kind::waitNor: {
    const uint64_t allBits = bytes == 4 ? UINT32_MAX : UINT64_MAX;
    return (~(word | (value & mask)) & allBits) != 0;
  }
  case Kind::write:
  case Kind::barrier: break;
  }
  return true;
}

hipError_t makeWait(MemoryOperation &operation, uint32_t bytes, void *address, uint64_t value, unsigned flags,
                    uint64_t mask) {
  using Kind = MemoryOperation::Kind;
  Kind kind;
  switch (flags) {
  case hipStreamWaitValueGte: kind = Kind::waitGreaterEqual; break;
  case hipStreamWaitValueEq: kind = Kind::waitEqual; break;
  case hipStreamWaitValueAnd: kind = Kind::waitAnd; break;
  case hipStreamWaitValueNor: kind = Kind::waitNor; break;
  default: return refuse(hipErrorInvalidValue, "flags is not a comparison");
  }
  operation = {kind, bytes, address, value, mask};
  return checkOperation(operation);
}

hipError_t makeWrite(MemoryOperation &operation, uint32_t bytes, void *address, uint64_t value, unsigned flags) {
  if (flags != 0)
    return refuse(hipErrorInvalidValue, "flags is not 0");
  operation = {MemoryOperation::Kind::write, bytes, address, value, UINT64_MAX};
  return checkOperation(operation);
}

hipError_t makeBatch(std::vector<MemoryOperation> &operations, const hipStreamBatchMemOpParams *parameters,
                     unsigned count, unsigned flags) {
  if (!parameters)
    return refuse(hipErrorInvalidValue, "paramArray is null");
  if (count > kMostOperations)
    return refuse(hipErrorInvalidValue, "count is more than 256");
  if (flags != 0)
    return refuse(hipErrorInvalidValue, "flags is not 0");
  operations.clear();
  for (const hipStreamBatchMemOpParams &from : std::span(parameters, count)) {
    MemoryOperation &operation = operations.emplace_back();
    hipError_t error = hipErrorInvalidValue;
    const auto &wait = from.waitValue;
    const auto &write = from.writeValue;
    switch (from.operation) {
    case hipStreamMemOpWaitValue32:
      error = makeWait(operation, 4, wait.address, wait.value, wait.flags, UINT32_MAX);
      break;
    case hipStreamMemOpWaitValue64:
      error = makeWait(operation, 8, wait.address, wait.value64, wait.flags, UINT64_MAX);
      break;
    case hipStreamMemOpWriteValue32: error = makeWrite(operation, 4, write.address, write.value, write.flags); break;
    case hipStreamMemOpWriteValue64: error = makeWrite(operation, 8, write.address, write.value64, write.flags); break;
    case hipStreamMemOpFlushRemoteWrites:
    case hipStreamMemOpBarrier:
      operation = {MemoryOperation::Kind::barrier, 0, nullptr, 0, 0};
      error = hipSuccess;
      break;
    }
    if (error)
      return error;
  }
  return hipSuccess;
}

std::vector<hipStreamBatchMemOpParams> toParameters(std::span<const MemoryOperation> operations) {
  using Kind = MemoryOperation::Kind;
  auto waitFlags = [](Kind kind) -> unsigned {
    switch (kind) {
    case Kind::waitEqual: return hipStreamWaitValueEq;
    case Kind::waitAnd: return hipStreamWaitValueAnd;
    case Kind::waitNor: return hipStreamWaitValueNor;
    default: return hipStreamWaitValueGte;
    }
  };
  std::vector<hipStreamBatchMemOpParams> parameters;
  for (const MemoryOperation &operation : operations) {
    hipStreamBatchMemOpParams &to = parameters.emplace_back();
    to = {};
    const bool word32 = operation.bytes == 4;
    if (operation.kind == Kind::barrier) {
      to.operation = hipStreamMemOpBarrier;
    } else if (operation.kind == Kind::write) {
      to.operation = word32 ? hipStreamMemOpWriteValue32 : hipStreamMemOpWriteValue64;
      to.writeValue.address = operation.address;
      to.writeValue.value64 = operation.value;
    } else {
      to.operation = word32 ? hipStreamMemOpWaitValue32 : hipStreamMemOpWaitValue64;
      to.waitValue.address = operation.address;
      to.waitValue.value64 = operation.value;
      to.waitValue.flags = waitFlags(operation.kind);
    }
  }
  return parameters;
}

hipError_t checkOperation(const MemoryOperation &operation) {
  if (operation.kind == MemoryOperation::Kind::barrier)
    return hipSuccess;
  const std::optional<Allocation> memory = allocationTable().find(operation.address);
  if (!memory || !memory->contains(operation.address, operation.bytes) ||
      reinterpret_cast<uintptr_t>(operation.address) % operation.bytes != 0) {
    HIPLZ_LOG_INFO("the %u bytes at %p are not an aligned word in memory that HIP allocated", operation.bytes,
                   operation.address);
    return hipErrorInvalidValue;
  }
  return hipSuccess;
}

hipError_t pollOperation(const MemoryOperation &operation) {
  const std::optional<Allocation> memory = allocationTable().find(operation.address);
  if (!memory)
    throw HipError(hipErrorInvalidValue, "memory was freed while a stream waited for a value in it");
  uint64_t word = 0;
  if (memory->kind == MemoryKind::device)
    memory->device->copyBlocking(&word, operation.address, operation.bytes);
  else
    word = operation.bytes == 4 ? loadWord<uint32_t>(operation.address) : loadWord<uint64_t>(operation.address);
  return operation.satisfiedBy(word) ? hipSuccess : hipErrorNotReady;
}

} // namespace hiplz
