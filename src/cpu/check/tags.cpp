// SPDX-License-Identifier: MIT
// See tags.h.
#include "cpu/check/tags.h"
#include "cpu/abi/check_shadow.h"
#include "cpu/check/pages.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <sys/mman.h>

namespace hiplz::cpu::check {
namespace {

constexpr uint64_t kPart = 64 << 10; // allocations lie farther apart
constexpr uint64_t kParts = (kRegionEnd - kRegionBegin) / kPart;
constexpr size_t kKept = 64; // of allocations that are gone, for kernels that still use them

void *reserve(size_t bytes) {
  void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

using Directory = std::atomic<const CheckTags *>; // an element for each part of the region

struct All {
  std::map<uint64_t, std::shared_ptr<Tags>> present; ///< by the first address
  std::deque<std::shared_ptr<Tags>> gone;
};

All &all() {
  static auto *tags = new All; // kernels may run when the process ends
  return *tags;
}
std::atomic_flag busy; // of all()

std::atomic<Directory *> directory{nullptr};

/// Where the tags of a range are to be found.
void enter(const CheckTags &tags, const CheckTags *entry) {
  Directory *const places = directory.load();
  for (uint64_t part = tags.begin / kPart; part <= (tags.begin + tags.bytes - 1) / kPart; ++part)
    places[part - kRegionBegin / kPart].store(entry, std::memory_order_release);
}

} // namespace

Tags::Tags(uint64_t begin, uint64_t bytes) {
  constexpr uint64_t kPage = 4096;
  const uint64_t whole = (bytes + kPage - 1) / kPage * kPage; // as many bytes as the numbers of launches have
  mapped_ = 6 * whole;
  memory_ = reserve(mapped_);
  if (!memory_)
    return;
  constexpr size_t kLarge = 4 << 20;
  if (mapped_ >= kLarge)
    ::madvise(memory_, mapped_, MADV_HUGEPAGE); // kernels touch most of it at once
  auto *const from = static_cast<std::byte *>(memory_);
  all_.begin = begin;
  all_.bytes = bytes;
  for (unsigned kind = 0; kind < 2; ++kind) {
    all_.launches[kind] = reinterpret_cast<uint32_t *>(from + kind * whole);
    all_.places[kind] = reinterpret_cast<uint64_t *>(from + (2 + 2 * kind) * whole);
  }
}

Tags::~Tags() {
  if (memory_)
    ::munmap(memory_, mapped_);
}

void Tags::forget(uint64_t begin, uint64_t bytes) {
  const uint64_t from = std::max(begin, all_.begin), to = std::min(begin + bytes, all_.begin + all_.bytes);
  for (uint64_t word = (from - all_.begin) / kTagWord; all_.begin + word * kTagWord < to; ++word)
    for (uint32_t *launches : all_.launches)
      std::atomic_ref(launches[word]).store(0, std::memory_order_relaxed);
}

const CheckTags *tagsOf(uint64_t address) {
  const Directory *const places = directory.load(std::memory_order_acquire);
  if (!places || address - kRegionBegin >= kRegionEnd - kRegionBegin)
    return nullptr;
  const CheckTags *tags = places[(address - kRegionBegin) / kPart].load(std::memory_order_acquire);
  return tags && address - tags->begin < tags->bytes ? tags : nullptr;
}

std::shared_ptr<const Tags> knownTags(uint64_t begin) {
  const Guard guard(busy);
  All &tags = all();
  const auto found = tags.present.find(begin);
  return found == tags.present.end() ? nullptr : found->second;
}

std::shared_ptr<const Tags> makeTags(uint64_t begin, uint64_t bytes) {
  const Guard guard(busy);
  All &tags = all();
  if (!directory.load())
    directory.store(static_cast<Directory *>(reserve(kParts * sizeof(Directory))));
  std::shared_ptr<Tags> &made = tags.present[begin];
  if (!made)
    made = std::make_shared<Tags>(begin, bytes);
  if (!made->all().bytes || !directory.load()) {
    tags.present.erase(begin);
    return nullptr;
  }
  enter(made->all(), &made->all());
  return made;
}

void releaseTags(uint64_t begin) {
  const Guard guard(busy);
  All &tags = all();
  const auto found = tags.present.find(begin);
  if (found == tags.present.end())
    return;
  enter(found->second->all(), nullptr);
  tags.gone.push_back(found->second);
  tags.present.erase(found);
  if (tags.gone.size() > kKept)
    tags.gone.pop_front();
}

void forgetTags(uint64_t begin, uint64_t bytes) {
  const Guard guard(busy);
  All &tags = all();
  const auto behind = tags.present.upper_bound(begin);
  if (behind != tags.present.begin())
    std::prev(behind)->second->forget(begin, bytes);
}

} // namespace hiplz::cpu::check
