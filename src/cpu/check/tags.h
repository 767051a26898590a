// SPDX-License-Identifier: MIT
// The histories of allocations that launches use as a whole (launch_uses.h): for each word the launches that have read and written it last. Only
// what orders launches is asked of them, so they have no epochs. Copies and fills leave a mark of their own, by which a kernel knows that
// it has to look into their list.
#pragma once
#include "cpu/abi/launch_uses.h"
#include "cpu/check/cells.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace hiplz::cpu::check {

constexpr uint64_t kTagWord = 4;
constexpr uint32_t kTagOfCopy = UINT32_MAX;
/// In a place: the access has an entry in the other history as well (pages.h). The bit is Side::flag.
constexpr uint64_t kPlaceIsKnown = uint64_t{1} << 31;
/// In a place, four of the bits of Side::block: bit i is set if the launch has not accessed byte i of the word.
constexpr unsigned kMissingAt = 27;
constexpr uint64_t kAllBytes = 15;
/// Launches of more blocks have no tags.
constexpr uint64_t kMostBlocks = uint64_t{1} << kMissingAt;

/// The bytes of the word that begins at `word` that are in the range: bit i for byte i.
inline uint64_t bytesOfWord(uintptr_t word, uintptr_t begin, uintptr_t end) {
  const uintptr_t from = std::max(begin, word) - word, to = std::min(end, word + kTagWord) - word;
  return ((1u << to) - 1) & ~((1u << from) - 1);
}
inline uint64_t bytesOfPlace(uint64_t place) { return ~(place >> kMissingAt) & kAllBytes; }
inline Side sideOfPlace(uint64_t place, uint32_t launch) { return sideOf(place & ~(kAllBytes << kMissingAt), launch); }

class Tags {
public:
  /// Zeros. Without memory it has no bytes.
  Tags(uint64_t begin, uint64_t bytes);
  ~Tags();
  Tags(const Tags &) = delete;
  Tags &operator=(const Tags &) = delete;

  const CheckTags &all() const { return all_; }
  void forget(uint64_t begin, uint64_t bytes);

private:
  CheckTags all_;
  void *memory_ = nullptr;
  size_t mapped_ = 0;
};

/// Those of the allocation that the address is in, or null. They stay as long as the allocation, and a while longer.
const CheckTags *tagsOf(uint64_t address);

/// Those of the allocation that begins there, or null.
std::shared_ptr<const Tags> knownTags(uint64_t begin);
/// The same, made if they are not there. Null without memory.
std::shared_ptr<const Tags> makeTags(uint64_t begin, uint64_t bytes);

/// The allocation is gone.
void releaseTags(uint64_t begin);
/// The memory is new.
void forgetTags(uint64_t begin, uint64_t bytes);

} // namespace hiplz::cpu::check
