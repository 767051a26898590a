// SPDX-License-Identifier: MIT
// The last accesses to global memory, for racecheck: lines (lines.h), and cells for the words of those that are divided (cells.h). Memory for
// kernels is found by its address; other memory, such as variables of modules, in a table.
#pragma once
#include "base/lockable.h"
#include "cpu/abi/check_shadow.h"
#include "cpu/check/lines.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <unordered_map>

namespace hiplz::cpu::check {

constexpr uintptr_t kPageBytes = 64 << 10;

/// The history of a part of memory. Only used parts take memory: mostly no cells. Its lines have locks.
class Page {
public:
  Line &lineOf(uintptr_t address) { return lines_[address % kPageBytes / kLineBytes]; }
  Cell &cellOf(uintptr_t address) { return cells_[address % kPageBytes / kWord]; }
  /// Those of a line, from its first address.
  Cell *cellsOf(uintptr_t line) { return &cellOf(line); }

  /// Divides the line of the address.
  void divide(uintptr_t address) { lineOf(address).divide(cellsOf(address & ~(kLineBytes - 1))); }

  /// The history of a word, and the end of it.
  Cell known(uintptr_t word) {
    const Line &line = lineOf(word);
    return line.isDivided() ? cellOf(word) : line.cellOf(word % kLineBytes / kWord);
  }
  void forget(uintptr_t word) {
    if (Line &line = lineOf(word); line.isDivided())
      cellOf(word) = {};
    else
      line.forget(1u << word % kLineBytes / kWord);
  }

private:
  std::array<Line, kPageBytes / kLineBytes> lines_;
  std::array<Cell, kPageBytes / kWord> cells_;
};

/// All of them. Thread-safe, except for what is in the pages.
class Pages {
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

  static Pages &get() {
    static auto *pages = new Pages; // kernels may run when the process ends
    return *pages;
  }

private:
  static constexpr uintptr_t kFirst = kRegionBegin / kPageBytes, kCount = (kRegionEnd - kRegionBegin) / kPageBytes;

  Pages() {
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

/// The lock of a line, from Pages::lockOf(). Neighbours have one in common, which is kept from one to the next.
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
