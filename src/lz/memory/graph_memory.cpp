// SPDX-License-Identifier: MIT
// The pool of graph memory of each device.
#include "lz/memory/graph_memory.h"
#include "lz/device/check_marks.h"
#include "lz/device/device.h"
#include "lz/memory/memory.h"

#include <algorithm>
#include <unordered_map>

namespace hiplz {
namespace {

// Pieces come in multiples of this, so that they are more often used again.
constexpr size_t kGranularity = 64 << 10;

} // namespace

/// Lives until the process ends.
struct LZGraphMemory::Pool {
  size_t blocks = 0;       // idle or not
  std::vector<Block> idle; // its capacity is always enough for all blocks
  std::unordered_map<const void *, std::weak_ptr<LZGraphMemory>> pieces;
  std::unordered_map<const void *, std::shared_ptr<LZGraphMemory>> inUse;
  GraphMemoryUse use;

  void reservedChanged(int64_t bytes) {
    use.reserved += bytes;
    use.reservedHigh = std::max(use.reservedHigh, use.reserved);
  }
  void usedChanged(int64_t bytes) {
    use.used += bytes;
    use.usedHigh = std::max(use.usedHigh, use.used);
  }
};

struct LZGraphMemory::DevicePool {
  static constexpr DevicePart kDevicePart = DevicePart::graphMemory;
  explicit DevicePool(LZDevice &) {}
  Lockable<Pool> pool{LockRank::graphMemory};
};

Lockable<LZGraphMemory::Pool> &LZGraphMemory::poolOf(LZDevice &device) { return device.part<DevicePool>().pool; }

LZGraphMemory::LZGraphMemory(LZDevice &device, size_t bytes) : device_(device), bytes_(bytes) {
  if (bytes > SIZE_MAX - kGranularity)
    throw HipError(hipErrorOutOfMemory, "a graph allocates more bytes than the address space has");
  const bool isExact = checksMemory(device.driver());
  const size_t wanted = isExact ? bytes : (bytes + kGranularity - 1) / kGranularity * kGranularity;
  Lockable<Pool> &ofDevice = poolOf(device);
  {
    const auto pool = ofDevice.lock();
    auto best = pool->idle.end();
    for (auto block = pool->idle.begin(); block != pool->idle.end(); ++block)
      if (block->bytes >= wanted && (isExact ? block->bytes : block->bytes / 2) <= wanted &&
          (best == pool->idle.end() || block->bytes < best->bytes))
        best = block;
    if (best != pool->idle.end()) {
      block_ = *best;
      pool->idle.erase(best);
      return;
    }
    pool->idle.reserve(pool->blocks + 1);
    ++pool->blocks;
  }
  try {
    block_ = {allocateMemory(device, MemoryKind::device, wanted, hipDeviceMallocDefault, MemoryOwner::graph), wanted};
  } catch (...) {
    --ofDevice.lock()->blocks;
    throw;
  }
  ofDevice.lock()->reservedChanged(static_cast<int64_t>(wanted));
  mark(nullptr, false);
}

ze_result_t LZGraphMemory::mark(ze_command_list_handle_t list, bool allocated) const {
  return markMemory(device_.driver(), list,
                    {.kind = allocated ? ZeCheckMark::Kind::allocated : ZeCheckMark::Kind::freed,
                     .begin = block_.memory,
                     .bytes = bytes_});
}

LZGraphMemory::~LZGraphMemory() {
  mark(nullptr, false);
  const auto pool = poolOf(device_).lock();
  pool->pieces.erase(block_.memory);
  pool->idle.push_back(block_);
}

std::shared_ptr<LZGraphMemory> LZGraphMemory::create(LZDevice &device, size_t bytes) {
  auto piece = std::make_shared<LZGraphMemory>(device, bytes);
  poolOf(device).lock()->pieces[piece->address()] = piece;
  return piece;
}

std::shared_ptr<LZGraphMemory> LZGraphMemory::find(const void *address) {
  const std::optional<Allocation> allocation = allocationTable().find(address);
  if (!allocation || allocation->owner != MemoryOwner::graph)
    return nullptr;
  const auto pool = poolOf(*allocation->device).lock();
  auto piece = pool->pieces.find(address);
  return piece == pool->pieces.end() ? nullptr : piece->second.lock();
}

bool LZGraphMemory::setUsed(bool used) {
  std::shared_ptr<LZGraphMemory> self; // released after the lock
  const auto pool = poolOf(device_).lock();
  if (used_ == used)
    return false;
  if (used) {
    pool->inUse[block_.memory] = shared_from_this();
  } else if (auto entry = pool->inUse.find(block_.memory); entry != pool->inUse.end()) {
    self = std::move(entry->second);
    pool->inUse.erase(entry);
  }
  used_ = used;
  pool->usedChanged(used ? static_cast<int64_t>(bytes_) : -static_cast<int64_t>(bytes_));
  return true;
}

std::shared_ptr<LZGraphMemory> LZGraphMemory::free(const void *address) {
  std::shared_ptr<LZGraphMemory> piece = find(address);
  if (!piece || !piece->setUsed(false))
    throw HipError(hipErrorInvalidValue, "the graph memory to free is not allocated");
  return piece;
}

bool LZGraphMemory::used() const {
  const auto pool = poolOf(device_).lock();
  return used_;
}

GraphMemoryUse LZGraphMemory::use(LZDevice &device) { return poolOf(device).lock()->use; }

void LZGraphMemory::resetHighWater(LZDevice &device, HighWater which) {
  const auto pool = poolOf(device).lock();
  if (which == HighWater::used)
    pool->use.usedHigh = pool->use.used;
  else
    pool->use.reservedHigh = pool->use.reserved;
}

void LZGraphMemory::trim(LZDevice &device) {
  std::vector<Block> idle;
  {
    const auto pool = poolOf(device).lock();
    idle = pool->idle;
    pool->idle.clear();
    pool->blocks -= idle.size();
    for (const Block &block : idle)
      pool->reservedChanged(-static_cast<int64_t>(block.bytes));
  }
  for (const Block &block : idle)
    freeMemory(block.memory, MemoryOwner::graph);
}

} // namespace hiplz
