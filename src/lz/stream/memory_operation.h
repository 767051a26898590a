// SPDX-License-Identifier: MIT
// Operations of a stream on one word of memory: it is written, or waited for. The functions hipStreamWaitValue and
// hipStreamWriteValue, batches of them, and the nodes of graphs that hold such batches all end up here.
#pragma once
#include "lz/core/error.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hiplz {

class LZDevice;

/// One operation. A plain value.
struct MemoryOperation {
  enum class Kind {
    write,
    waitGreaterEqual, ///< (word & mask) >= value, unsigned
    waitEqual,        ///< (word & mask) == value
    waitAnd,          ///< (word & mask & value) != 0
    waitNor,          ///< ~((word & mask) | (value & mask)) != 0
    barrier,          ///< what precedes it is visible to everybody; needs no word
  };
  Kind kind;
  uint32_t bytes; ///< of the word: 4 or 8
  void *address;
  uint64_t value;
  uint64_t mask; ///< of a wait

  /// True if the word lets a waiting stream go on.
  bool satisfiedBy(uint64_t word) const;

  /// True if every bit of the word takes part.
  bool wholeWord() const { return mask == (bytes == 4 ? UINT32_MAX : UINT64_MAX); }
};

/// A wait with hipStreamWaitValueGte and its like. hipErrorInvalidValue for flags that HIP does not know.
hipError_t makeWait(MemoryOperation &operation, uint32_t bytes, void *address, uint64_t value, unsigned flags,
                    uint64_t mask);

/// A write. hipErrorInvalidValue for flags other than 0.
hipError_t makeWrite(MemoryOperation &operation, uint32_t bytes, void *address, uint64_t value, unsigned flags);

/// A batch; replaces what `operations` holds. hipErrorInvalidValue for a null array, more than 255 operations, flags, an
/// operation that HIP does not know, and for what checkOperation refuses.
hipError_t makeBatch(std::vector<MemoryOperation> &operations, const hipStreamBatchMemOpParams *parameters,
                     unsigned count, unsigned flags);

/// A batch as an application describes it. A barrier becomes hipStreamMemOpBarrier; masks of waits are left out.
std::vector<hipStreamBatchMemOpParams> toParameters(std::span<const MemoryOperation> operations);

/// hipErrorInvalidValue unless the word lies, aligned, in memory that devices can reach. Throws HipError
/// (hipErrorNoDevice).
hipError_t checkOperation(const MemoryOperation &operation);

/// Reads the word of a wait from the host: hipSuccess if it lets the stream go on, else hipErrorNotReady. Device memory
/// is read by a copy of the device that it belongs to. Throws HipError.
hipError_t pollOperation(const MemoryOperation &operation);

} // namespace hiplz
