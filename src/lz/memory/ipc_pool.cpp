// SPDX-License-Identifier: MIT
// Pools of other processes. The file descriptor that stands for a pool holds what distinguishes its allocations from
// others; the memory itself is opened for each allocation.
#include "lz/device/device.h"
#include "lz/memory/ipc.h"
#include "lz/memory/memory_pools.h"

#include <sys/mman.h>
#include <unistd.h>

namespace hiplz {
namespace {

constexpr uint64_t kMagic = 0x4c4f4f50504c4948;

struct PoolRecord {
  uint64_t magic;
  uint32_t tag;
};

} // namespace

int exportPool(LZMemoryPool &pool) {
  const int descriptor = memfd_create("hiplz-pool", MFD_CLOEXEC);
  const PoolRecord record{kMagic, pool.tag()};
  if (descriptor < 0 || pwrite(descriptor, &record, sizeof record, 0) != static_cast<ssize_t>(sizeof record)) {
    if (descriptor >= 0)
      close(descriptor);
    throw HipError(hipErrorOutOfMemory, "the process has no file descriptor left for a memory pool");
  }
  return descriptor;
}

LZMemoryPool &importPool(LZDevice &device, int descriptor) {
  PoolRecord record{};
  if (pread(descriptor, &record, sizeof record, 0) != static_cast<ssize_t>(sizeof record) || record.magic != kMagic)
    throw HipError(hipErrorInvalidValue, "the file descriptor does not stand for a memory pool");
  return LZMemoryPools::of(device).create({.imported = true, .tag = record.tag});
}

} // namespace hiplz
