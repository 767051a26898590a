// SPDX-License-Identifier: MIT
// See copy.h. A piece is large enough that claiming it costs nothing in comparison. Adjacent pieces of one claim are moved
// by one call, so that the C library sees how large the copy is and bypasses the caches where that is faster.
#include "cpu/exec/copy.h"
#include "cpu/exec/futex.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace hiplz::cpu {
namespace {

constexpr size_t kPieceBytes = 256 << 10;

template <class T> const T &recordOf(const Job &job, Worker &worker) {
  worker.state.kernelName = nullptr;
  return *static_cast<const T *>(job.record);
}

uint64_t rowsPerPiece(const CopyRegionRecord &record) { return std::max<uint64_t>(1, kPieceBytes / record.width); }

uint64_t pieces(uint64_t units, uint64_t unitsPerPiece) { return (units + unitsPerPiece - 1) / unitsPerPiece; }

} // namespace

uint64_t copyPieces(const CopyRecord &record) { return pieces(record.size, kPieceBytes); }
uint64_t fillPieces(const FillRecord &record) { return pieces(record.size, kPieceBytes); }
uint64_t copyRegionPieces(const CopyRegionRecord &record) {
  return pieces(record.rows * record.slices, rowsPerPiece(record));
}

void copyBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end) {
  const auto &record = recordOf<CopyRecord>(job, worker);
  size_t from = begin * kPieceBytes, to = std::min(end * kPieceBytes, record.size);
  std::memmove(record.to + from, record.from + from, to - from);
}

void copyRegionBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end) {
  const auto &record = recordOf<CopyRegionRecord>(job, worker);
  uint64_t perPiece = rowsPerPiece(record);
  uint64_t last = std::min(end * perPiece, record.rows * record.slices);
  for (uint64_t row = begin * perPiece; row < last; ++row) {
    uint64_t slice = row / record.rows, rowInSlice = row % record.rows;
    std::memmove(record.to + slice * record.toSlicePitch + rowInSlice * record.toPitch,
                 record.from + slice * record.fromSlicePitch + rowInSlice * record.fromPitch, record.width);
  }
}

// A fill that is one aligned word is one store: others may wait for the word and must never see a part of it.
template <class Word> static bool storeWord(std::byte *to, const FillRecord &record, size_t size) {
  if (record.patternSize != sizeof(Word) || size != sizeof(Word) || reinterpret_cast<uintptr_t>(to) % sizeof(Word) != 0)
    return false;
  Word word;
  std::memcpy(&word, record.pattern, sizeof word);
  std::atomic_ref(*reinterpret_cast<Word *>(to)).store(word, std::memory_order_release);
  return true;
}

void fillBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end) {
  const auto &record = recordOf<FillRecord>(job, worker);
  size_t from = begin * kPieceBytes, size = std::min(end * kPieceBytes, record.size) - from;
  std::byte *to = record.to + from;
  if (record.patternSize == 1) {
    std::memset(to, static_cast<int>(record.pattern[0]), size);
    return;
  }
  if (storeWord<uint32_t>(to, record, size) || storeWord<uint64_t>(to, record, size))
    return;
  // The pattern of the record is repeated to its full length, which divides the size of a piece.
  static_assert(kPieceBytes % sizeof record.pattern == 0);
  std::byte block[sizeof record.pattern];
  std::memcpy(block, record.pattern, sizeof block);
  for (; size >= sizeof block; size -= sizeof block, to += sizeof block)
    std::memcpy(to, block, sizeof block);
  std::memcpy(to, block, size);
}

void writeTimestampBody(const Job &job, Worker &worker, uint64_t, uint64_t) {
  *recordOf<WriteTimestampRecord>(job, worker).to = now();
}

void queryTimestampsBody(const Job &job, Worker &worker, uint64_t, uint64_t) {
  const auto &record = recordOf<QueryTimestampsRecord>(job, worker);
  for (uint32_t index = 0; index < record.count; ++index) {
    const EventState &event = *record.events[index];
    ze_kernel_timestamp_result_t result{{event.startTime(), event.endTime()}, {event.startTime(), event.endTime()}};
    size_t offset = record.offsets ? record.offsets[index] : index * sizeof result;
    std::memcpy(record.to + offset, &result, sizeof result);
  }
}

} // namespace hiplz::cpu
