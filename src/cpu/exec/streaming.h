// SPDX-License-Identifier: MIT
// Moving much memory past the caches. A copy or fill that is larger than the caches leaves nothing in them that anybody will find
// there; ordinary stores would still read each line before they overwrite it, and evict what others use. Streaming stores
// do neither. They are limited by memory, so the instructions that every x86-64 processor has do as well as wider ones.
#pragma once
#include <cstddef>
#include <cstdint>

namespace hiplz::cpu {

/// Size of the last-level caches of the processors that workers run on, in bytes; 0 if the system does not say. Read once.
uint64_t lastLevelCaches();

/// From how many bytes on streaming stores are faster: half of the last-level caches of the processors that workers run on.
size_t streamingThreshold();

/// Like memcpy; the ranges must not overlap. What it has written is ordered before whatever the caller writes next.
void streamingCopy(std::byte *to, const std::byte *from, size_t bytes);

constexpr size_t kStreamingPattern = 128;

/// Repeats a pattern of kStreamingPattern bytes, the last time perhaps only in part. Ordered like a copy.
void streamingFill(std::byte *to, const std::byte *pattern, size_t bytes);

} // namespace hiplz::cpu
