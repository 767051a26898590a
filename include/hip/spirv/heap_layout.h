// SPDX-License-Identifier: MIT
// The beginning of the heap that kernels allocate from, in device memory. The runtime makes and clears it, the functions of
// malloc.h manage it; both include this file.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace __hiplz {

/// Arrays follow: uint32_t used[pages / 32], one bit for each page; uint32_t state[pages]; uint32_t slots[pages][slotWords],
/// one bit for each taken block of the page. An empty heap has zeros everywhere but in the first two members.
struct HeapHeader {
  static constexpr unsigned pageBytes = 4096, classes = 14, places = 32, slotWords = 8;
  static constexpr unsigned pagesPerWord = 32; ///< of `used`
  // The state of a page has the size class in its highest byte and below it a count, of pages or blocks.
  static constexpr unsigned kindShift = 24, countMask = (1u << kindShift) - 1;
  static constexpr unsigned maxPages = (countMask + 1) - pagesPerWord;

  uint64_t pages; ///< how many there are, a multiple of pagesPerWord
  uint64_t data;  ///< address of the first one
  uint32_t top;   ///< a guess: no page is free in the words of `used` from here on
  uint32_t reserved;
  uint32_t recent[classes][places]; ///< guesses: 1 + a page of the class that has room

  /// Bytes of the arrays.
  static constexpr uint64_t arrayBytes(uint64_t pageCount) {
    return sizeof(uint32_t) * (pageCount / pagesPerWord + pageCount + pageCount * slotWords);
  }
};
static_assert(sizeof(HeapHeader) == 24 + 4 * HeapHeader::classes * HeapHeader::places,
              "the arrays follow without a gap");
static_assert(offsetof(HeapHeader, data) == 8 && offsetof(HeapHeader, top) == 16 && offsetof(HeapHeader, recent) == 24,
              "host and device agree");
static_assert(HeapHeader::slotWords * 32 * 16 == HeapHeader::pageBytes, "a bit for each of the smallest blocks");

} // namespace __hiplz
