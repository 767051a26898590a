// SPDX-License-Identifier: MIT
// See copy.h. Adjacent pieces of one claim are moved by one call.
#include "cpu/exec/copy.h"
#include "cpu/check/uninitialized.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/streaming.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace hiplz::cpu {
namespace {

constexpr size_t kPieceBytes = 64 << 10;
// Less than this is one piece: it takes as long as other threads need to come.
constexpr size_t kParallelBytes = 1 << 20;
// Shorter rows end too often in the middle of a line of the cache.
constexpr size_t kStreamingRow = 1024;

template <class T> const T &recordOf(const Job &job, Worker &worker) {
  worker.state.kernelName = nullptr;
  return *static_cast<const T *>(job.record);
}

uint64_t pieces(uint64_t units, uint64_t unitsPerPiece) { return (units + unitsPerPiece - 1) / unitsPerPiece; }
uint64_t piecesOf(size_t bytes) { return bytes < kParallelBytes ? 1 : pieces(bytes, kPieceBytes); }

struct Range {
  size_t begin, end;
};
Range bytesOf(const Job &job, uint64_t begin, uint64_t end, size_t size) {
  return {begin * kPieceBytes, end == job.total ? size : end * kPieceBytes};
}

/// True if the bytes from the first to the last of both sides have any in common.
bool touch(const std::byte *to, size_t toExtent, const std::byte *from, size_t fromExtent) {
  return to < from + fromExtent && from < to + toExtent;
}

bool overlap(const CopyRegionRecord &record) {
  auto extent = [&record](size_t pitch, size_t slicePitch) {
    return (record.slices - 1) * slicePitch + (record.rows - 1) * pitch + record.width;
  };
  if (!touch(record.to, extent(record.toPitch, record.toSlicePitch), record.from,
             extent(record.fromPitch, record.fromSlicePitch)))
    return false;
  const size_t pitch = record.toPitch;
  if (pitch != record.fromPitch || pitch == 0 ||
      (record.slices > 1 && (record.toSlicePitch != record.fromSlicePitch || record.toSlicePitch % pitch != 0)))
    return true;
  // Beside each other in one grid of rows, they have no column in common.
  const auto distance =
      static_cast<size_t>(record.to < record.from ? record.from - record.to : record.to - record.from);
  const size_t columns = distance % pitch;
  return columns < record.width || pitch - columns < record.width;
}

/// How a region is divided.
struct Division {
  uint64_t pieces;
  uint64_t rowsPerPiece; ///< zero: a piece is a part of a row
  uint64_t piecesPerRow;
};
Division divisionOf(const CopyRegionRecord &record) {
  const uint64_t rows = record.rows * record.slices;
  if (record.width * rows < kParallelBytes || overlap(record))
    return {1, rows, 0};
  if (record.width >= 2 * kPieceBytes) {
    const uint64_t perRow = pieces(record.width, kPieceBytes);
    return {rows * perRow, 0, perRow};
  }
  const uint64_t perPiece = std::max<uint64_t>(1, kPieceBytes / record.width);
  return {pieces(rows, perPiece), perPiece, 0};
}

/// `copy`: where the whole copy goes to.
void move(const std::byte *copy, std::byte *to, const std::byte *from, size_t bytes, bool streaming) {
  if (check::tools().initialization) [[unlikely]]
    check::copied(copy, to, from, bytes);
  if (streaming)
    streamingCopy(to, from, bytes);
  else
    std::memmove(to, from, bytes);
}

/// From byte `from` to byte `to` of a row.
void copyRow(const CopyRegionRecord &record, uint64_t row, size_t from, size_t to, bool streaming) {
  const uint64_t slice = row / record.rows, rowInSlice = row % record.rows;
  std::byte *target = record.to + slice * record.toSlicePitch + rowInSlice * record.toPitch + from;
  const std::byte *source = record.from + slice * record.fromSlicePitch + rowInSlice * record.fromPitch + from;
  move(record.to, target, source, to - from, streaming);
}

} // namespace

uint64_t copyPieces(const CopyRecord &record) {
  return touch(record.to, record.size, record.from, record.size) ? 1 : piecesOf(record.size);
}
uint64_t fillPieces(const FillRecord &record) { return piecesOf(record.size); }
uint64_t copyRegionPieces(const CopyRegionRecord &record) { return divisionOf(record).pieces; }

void copyBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end) {
  const auto &record = recordOf<CopyRecord>(job, worker);
  const Range bytes = bytesOf(job, begin, end, record.size);
  move(record.to, record.to + bytes.begin, record.from + bytes.begin, bytes.end - bytes.begin,
       job.total > 1 && record.size >= streamingThreshold());
}

void copyRegionBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end) {
  const auto &record = recordOf<CopyRegionRecord>(job, worker);
  const Division division = divisionOf(record);
  const uint64_t rows = record.rows * record.slices;
  const bool streaming =
      division.pieces > 1 && record.width >= kStreamingRow && record.width * rows >= streamingThreshold();
  if (division.rowsPerPiece == 0) {
    for (uint64_t piece = begin; piece < end; ++piece) {
      const size_t from = piece % division.piecesPerRow * kPieceBytes;
      copyRow(record, piece / division.piecesPerRow, from, std::min(from + kPieceBytes, record.width), streaming);
    }
    return;
  }
  const uint64_t first = begin * division.rowsPerPiece, last = std::min(end * division.rowsPerPiece, rows);
  // Backwards if the region moves up within itself, so that each row is read before it is overwritten.
  if (record.to > record.from)
    for (uint64_t row = last; row-- > first;)
      copyRow(record, row, 0, record.width, streaming);
  else
    for (uint64_t row = first; row < last; ++row)
      copyRow(record, row, 0, record.width, streaming);
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
  const Range bytes = bytesOf(job, begin, end, record.size);
  std::byte *to = record.to + bytes.begin;
  size_t size = bytes.end - bytes.begin;
  if (check::tools().initialization) [[unlikely]]
    check::initialize(to, size);
  if (record.longPattern) {
    for (size_t at = bytes.begin; at < bytes.end;) {
      const size_t offset = at % record.patternSize, step = std::min(bytes.end - at, record.patternSize - offset);
      std::memcpy(record.to + at, record.longPattern + offset, step);
      at += step;
    }
    return;
  }
  // The pattern of the record is repeated to its full length, which divides the size of a piece.
  static_assert(kPieceBytes % sizeof record.pattern == 0 && sizeof record.pattern == kStreamingPattern);
  if (job.total > 1 && record.size >= streamingThreshold())
    return streamingFill(to, record.pattern, size);
  if (record.patternSize == 1) {
    std::memset(to, static_cast<int>(record.pattern[0]), size);
    return;
  }
  if (storeWord<uint32_t>(to, record, size) || storeWord<uint64_t>(to, record, size))
    return;
  std::byte block[sizeof record.pattern];
  std::memcpy(block, record.pattern, sizeof block);
  for (; size >= sizeof block; size -= sizeof block, to += sizeof block)
    std::memcpy(to, block, sizeof block);
  std::memcpy(to, block, size);
}

void writeTimestampBody(const Job &job, Worker &worker, uint64_t, uint64_t) {
  const auto &record = recordOf<WriteTimestampRecord>(job, worker);
  check::initialize(record.to, sizeof *record.to);
  *record.to = now();
}

void queryTimestampsBody(const Job &job, Worker &worker, uint64_t, uint64_t) {
  const auto &record = recordOf<QueryTimestampsRecord>(job, worker);
  for (uint32_t index = 0; index < record.count; ++index) {
    const ze_kernel_timestamp_result_t result = record.events[index]->timestamps();
    size_t offset = record.offsets ? record.offsets[index] : index * sizeof result;
    check::initialize(record.to + offset, sizeof result);
    std::memcpy(record.to + offset, &result, sizeof result);
  }
}

} // namespace hiplz::cpu
