// SPDX-License-Identifier: MIT
// Making, ending and visiting the pools of a device.
#include "lz/memory/memory_pools.h"
#include "base/env.h"
#include "base/sanitizer.h"

#include <algorithm>

namespace hiplz {
namespace {

bool areKernelsChecked() {
  static const bool isChecked = !envString(EnvVar::HIPLZ_CHECK).empty();
  return isChecked;
}

// Under AddressSanitizer, and while the driver checks kernels, memory that is freed goes back to the driver, which knows its exact size.
size_t bytesKept() {
  static const bool isWatched = HIPLZ_ADDRESS_SANITIZER || areKernelsChecked();
  static const size_t bytes = isWatched ? 0 : envNumber(EnvVar::HIPLZ_MALLOC_CACHE).value_or(0);
  return bytes;
}

// The same for the pools that the application sees.
LZMemoryPool::Options watched(LZMemoryPool::Options options) {
  if (areKernelsChecked() && !options.imported) {
    options.keepsFree = false;
    options.freeBytes = 0;
  }
  return options;
}

} // namespace

LZMemoryPools::LZMemoryPools(LZDevice &device)
    : device_(device),
      application_(device, {.keepsFree = bytesKept() != 0, .freeBytes = bytesKept(), .threshold = UINT64_MAX}),
      standard_(device, watched({})) {
  HandleTable<LZMemoryPool>::ofProcess().add(standard_);
}

LZMemoryPool &LZMemoryPools::create(const LZMemoryPool::Options &options) {
  LZMemoryPool &pool = created_.lock()->pools.emplace_back(device_, watched(options));
  HandleTable<LZMemoryPool>::ofProcess().add(pool);
  OwnedObjects::made("a memory pool", &pool);
  return pool;
}

hipError_t LZMemoryPools::destroy(LZMemoryPool &pool) {
  if (&pool == &standard_ || !HandleTable<LZMemoryPool>::ofProcess().remove(pool))
    return refuse(hipErrorInvalidValue, "the pool is the device's own, or it has been destroyed");
  LZMemoryPool *current = &pool;
  current_.compare_exchange_strong(current, &standard_, std::memory_order_acq_rel);
  const auto created = created_.lock();
  std::list<LZMemoryPool> &pools = created->pools;
  auto entry = std::find_if(pools.begin(), pools.end(), [&](const LZMemoryPool &known) { return &known == &pool; });
  const uint64_t nothing = 0; // what comes back later goes to the driver at the next synchronisation
  pool.setAttribute(hipMemPoolAttrReleaseThreshold, &nothing);
  pool.reclaim();
  if (pool.empty())
    pools.erase(entry);
  else
    created->ending.splice(created->ending.end(), pools, entry);
  return hipSuccess;
}

void LZMemoryPools::lookAtPools(uint64_t queue, uint64_t count) noexcept {
  const auto created = created_.lock();
  // Before the visits, so that what is freed meanwhile is seen next time.
  due_.store(false, std::memory_order_seq_cst);
  bool pending = standard_.synchronised(queue, count);
  pending |= application_.synchronised(queue, count);
  for (LZMemoryPool &pool : created->pools)
    pending |= pool.synchronised(queue, count);
  created->ending.remove_if([&](LZMemoryPool &pool) {
    pool.synchronised(queue, count);
    return pool.empty();
  });
  if (pending || !created->ending.empty())
    noteFree();
}

void LZMemoryPools::trim() noexcept {
  const auto created = created_.lock();
  application_.trimTo(0);
  standard_.trimTo(0);
  for (std::list<LZMemoryPool> *pools : {&created->pools, &created->ending})
    for (LZMemoryPool &pool : *pools)
      pool.trimTo(0);
}

} // namespace hiplz
