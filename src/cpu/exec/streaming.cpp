// SPDX-License-Identifier: MIT
// See streaming.h.
#include "cpu/exec/streaming.h"
#include "base/processors.h"
#include "cpu/exec/scheduler.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <emmintrin.h>

namespace hiplz::cpu {
namespace {

constexpr size_t kLine = 64, kPage = 4096;

// Where a virtual machine shows the whole cache of a processor of which it has a few cores, most of it serves others. No processor
// has more than this for each of its own.
constexpr uint64_t kMostCachePerProcessor = 16 << 20;
constexpr uint64_t kUnknownCache = 16 << 20;

size_t bytesToLine(const std::byte *address) { return -reinterpret_cast<uintptr_t>(address) & (kLine - 1); }

[[gnu::always_inline]] inline void copyLine(std::byte *to, const std::byte *from) {
  __m128i part[4];
  for (int i = 0; i < 4; ++i)
    part[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from) + i);
  for (int i = 0; i < 4; ++i)
    _mm_stream_si128(reinterpret_cast<__m128i *>(to) + i, part[i]);
}

} // namespace

uint64_t lastLevelCaches() {
  static const uint64_t bytes = lastLevelCacheBytes(Scheduler::get().processors());
  return bytes;
}

size_t streamingThreshold() {
  static const size_t threshold = [] {
    const uint64_t cache = lastLevelCaches();
    return std::min(cache ? cache : kUnknownCache, Scheduler::get().processors().size() * kMostCachePerProcessor) / 2;
  }();
  return threshold;
}

void streamingCopy(std::byte *to, const std::byte *from, size_t bytes) {
  const size_t head = std::min(bytes, bytesToLine(to));
  std::memcpy(to, from, head);
  to += head, from += head, bytes -= head;
  // Four pages at a time, a line of each: the processor fetches ahead in each of them.
  constexpr size_t kPages = 4;
  for (; bytes >= kPages * kPage; to += kPages * kPage, from += kPages * kPage, bytes -= kPages * kPage)
    for (size_t line = 0; line < kPage; line += kLine)
      for (size_t page = 0; page < kPages * kPage; page += kPage)
        copyLine(to + page + line, from + page + line);
  for (; bytes >= kLine; to += kLine, from += kLine, bytes -= kLine)
    copyLine(to, from);
  std::memcpy(to, from, bytes);
  _mm_sfence();
}

void streamingFill(std::byte *to, const std::byte *pattern, size_t bytes) {
  const size_t head = std::min(bytes, bytesToLine(to));
  std::memcpy(to, pattern, head);
  to += head, bytes -= head;
  std::byte turned[kStreamingPattern];
  std::rotate_copy(pattern, pattern + head, pattern + kStreamingPattern, turned);
  constexpr size_t kParts = kStreamingPattern / sizeof(__m128i);
  __m128i part[kParts];
  std::memcpy(part, turned, sizeof part);
  for (; bytes >= kStreamingPattern; to += kStreamingPattern, bytes -= kStreamingPattern)
    for (size_t i = 0; i < kParts; ++i)
      _mm_stream_si128(reinterpret_cast<__m128i *>(to) + i, part[i]);
  std::memcpy(to, turned, bytes);
  _mm_sfence();
}

} // namespace hiplz::cpu
