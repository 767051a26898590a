// SPDX-License-Identifier: MIT
// hipMallocAsync and hipFreeAsync: memory in the order of a stream.
#pragma once
#include <cstddef>

namespace hiplz {

class LZMemoryPool;
class LZQueue;

/// Allocates memory that the commands submitted to the queue from now on may use. bytes is not 0. Throws HipError.
void *allocateAsync(LZQueue &queue, LZMemoryPool &pool, size_t bytes);

/// Frees memory once the work submitted to the queue so far has finished; the host waits only for memory that is of no
/// pool. Throws as freeMemory does.
void freeAsync(LZQueue &queue, void *pointer);

/// hipFree of a pool's memory as HIP 7 has it: frees it in the order of the null stream, and the host does not wait. False, and nothing
/// is done, if it is other memory, or if a stream that is not ordered by the null stream may still use it.
bool freeInNullStream(void *pointer);

} // namespace hiplz
