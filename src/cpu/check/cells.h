// SPDX-License-Identifier: MIT
// The last accesses to each word of memory that kernels have used, for racecheck: a write and two reads of different blocks or warps. Memory for
// kernels is found by its address; other memory, such as variables of modules, in a table.
#pragma once
#include "base/lockable.h"
#include "cpu/abi/check_shadow.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/check/block_order.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <unordered_map>

namespace hiplz::cpu::check {

constexpr uintptr_t kWord = 4, kPageBytes = 64 << 10;
constexpr uint32_t kLaunchBits = 20, kStepBits = 12, kSiteBits = 21;
/// Primes: what a program does again and again comes back to the same number after so many rounds, not earlier.
constexpr uint32_t kEpochs = 16381, kMeetings = 4093;
static_assert(BlockOrder::kLimit == (1u << kStepBits) - 1);

/// An access. Zero: none.
struct Side {
  uint32_t block : 31 = 0;  ///< number in the launch, its lowest bits
  uint32_t isWrite : 1 = 0; ///< among the reads
  uint32_t site : kSiteBits = 0;
  uint32_t item : 10 = 0;   ///< in the block
  uint32_t orders : 1 = 0;  ///< atomic or volatile
  uint32_t epoch : 14 = 0;  ///< barriers that the work-item had passed, modulo kEpochs
  uint32_t inWarp : 12 = 0; ///< meetings of its warp that it had passed, modulo kMeetings
  uint32_t bytes : 4 = 0;   ///< of the word
  uint32_t blockScope : 1 = 0;
  uint32_t isConstant : 1 = 0;
  uint32_t launch : kLaunchBits = 0; ///< lowest bits of its number, which is not 0
  uint32_t steps : kStepBits = 0;    ///< of the block
};
static_assert(sizeof(Side) == 16);

/// The number whose lowest bits these are, of a launch not long before or after another one.
inline uint32_t numberOf(uint32_t bits, uint32_t near) {
  constexpr uint32_t kAll = 1u << kLaunchBits;
  const uint32_t distance = (near - bits) & (kAll - 1);
  return distance < kAll / 2 ? near - distance : near + (kAll - distance);
}

inline bool areInOneWarp(const Side &before, const Side &now) {
  return before.item / kSubgroupSize == now.item / kSubgroupSize;
}

/// True for accesses of one block by different warps that no barrier orders.
inline bool areApart(const Side &before, const Side &now) {
  return !areInOneWarp(before, now) && before.epoch == now.epoch;
}

/// True for accesses of one block by different lanes of a warp that neither a barrier nor a warp operation orders.
inline bool areLanesApart(const Side &before, const Side &now) {
  return areInOneWarp(before, now) && before.item != now.item && before.epoch == now.epoch &&
         before.inWarp == now.inWarp;
}

/// A word.
struct Cell {
  Side write;
  /// Reads. The last one may be an atomic write, which does not take the place of its block's plain write in front of it.
  Side first, last;

  void keep(const Side &now, bool writes, bool replacesFirst) {
    if (writes && now.orders && !write.orders && write.launch == now.launch && write.block == now.block) {
      last = now;
      last.isWrite = 1;
    } else if (writes) { // of an atomic operation that is enough, and it must not take a plain read's place
      write = now;
    } else {
      (replacesFirst ? first : last) = now;
    }
  }
};

/// The cells of a part of memory.
struct Page {
  std::array<Cell, kPageBytes / kWord> cells;
};

/// All of them. Thread-safe, except for the cells themselves.
class Cells {
public:
  Page &page(uintptr_t number) { return *find(number); }
  /// Null if nobody has accessed the page.
  Page *ifThere(uintptr_t number) {
    if (std::atomic<Page *> *place = placeOf(number))
      return place->load(std::memory_order_acquire);
    const auto others = others_.lockShared();
    const auto found = others->find(number);
    return found == others->end() ? nullptr : found->second;
  }
  std::atomic_flag &lockOf(uintptr_t address) { return locks_[address / 256 % locks_.size()]; }

  static Cells &get() {
    static auto *cells = new Cells; // kernels may run when the process ends
    return *cells;
  }

private:
  static constexpr uintptr_t kFirst = kRegionBegin / kPageBytes, kCount = (kRegionEnd - kRegionBegin) / kPageBytes;

  Cells() {
    void *memory = ::mmap(nullptr, kCount * sizeof(std::atomic<Page *>), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    directory_ = memory == MAP_FAILED ? nullptr : static_cast<std::atomic<Page *> *>(memory);
  }

  std::atomic<Page *> *placeOf(uintptr_t number) {
    return directory_ && number - kFirst < kCount ? &directory_[number - kFirst] : nullptr;
  }

  // Zeros, of which only what is used takes memory.
  static Page *make() {
    void *memory =
        ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      std::abort(); // there is no address space left
    return static_cast<Page *>(memory);
  }

  Page *find(uintptr_t number) {
    if (Page *page = ifThere(number))
      return page;
    if (std::atomic<Page *> *place = placeOf(number)) {
      Page *made = make(), *present = nullptr;
      if (place->compare_exchange_strong(present, made, std::memory_order_acq_rel))
        return made;
      ::munmap(made, sizeof(Page));
      return present;
    }
    Page *&page = (*others_.lock())[number];
    return page = page ? page : make();
  }

  std::atomic<Page *> *directory_ = nullptr;
  std::array<std::atomic_flag, 4096> locks_{};
  Lockable<std::unordered_map<uintptr_t, Page *>, SharedMutex> others_{LockRank::cpuCheckMaps};
};

/// The lock of a cell, from Cells::lockOf(). Neighbours have one in common, which is kept from one to the next.
class Guard {
public:
  Guard() = default;
  explicit Guard(std::atomic_flag &flag) { take(flag); }
  ~Guard() { release(); }
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;

  void take(std::atomic_flag &flag) {
    if (flag_ == &flag)
      return;
    release();
    while (flag.test_and_set(std::memory_order_acquire))
      while (flag.test(std::memory_order_relaxed))
        ;
    flag_ = &flag;
  }
  void release() {
    if (flag_)
      flag_->clear(std::memory_order_release);
    flag_ = nullptr;
  }

private:
  std::atomic_flag *flag_ = nullptr;
};

} // namespace hiplz::cpu::check
