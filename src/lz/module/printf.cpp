// SPDX-License-Identifier: MIT
// Where the host reaches the ring, it lies in the host's memory and is read where it lies; else in the device's, and is read
// in pieces through copies.
#include "lz/module/printf.h"
#include "base/log.h"
#include "lz/device/device.h"

#include <hip/spirv/printf_record.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace hiplz {
namespace {

using __hiplz::PrintfItem;
using __hiplz::PrintfRecord;
using __hiplz::PrintfRing;

constexpr unsigned kDroppedBits = PrintfRing::droppedBits;
constexpr uint64_t kDropped = (uint64_t{1} << kDroppedBits) - 1;

// A longer record may never fit behind the padding before it.
uint64_t longestToWait(uint64_t capacity) {
  return std::min<uint64_t>(capacity / 2 / 8, (uint64_t{1} << (64 - kDroppedBits)) - 1);
}

constexpr size_t kSmallest = 4096, kDefault = 4 << 20, kLargest = size_t{1} << 30;

/// The ring of a device, if there is one, and what concerns it before.
struct Place {
  static constexpr DevicePart kDevicePart = DevicePart::printf;
  explicit Place(LZDevice &) {}

  std::atomic<LZPrintf *> ring{nullptr};
  std::atomic<size_t> bytes{kDefault};
  std::atomic<bool> launched{false};     // a kernel that prints
  Mutex creation{LockRank::printfTable}; // one thread makes the ring
};

} // namespace

LZPrintf &LZPrintf::of(LZDevice &device) {
  Place &place = device.part<Place>();
  if (LZPrintf *ring = place.ring.load(std::memory_order_acquire))
    return *ring;
  Lock lock(place.creation);
  if (!place.ring.load(std::memory_order_relaxed))
    place.ring.store(new LZPrintf(device), std::memory_order_release);
  return *place.ring.load(std::memory_order_relaxed);
}

size_t LZPrintf::bytes(LZDevice &device) { return device.part<Place>().bytes; }

hipError_t LZPrintf::resize(LZDevice &device, size_t bytes) {
  Place &place = device.part<Place>();
  Lock lock(place.creation);
  const LZPrintf *ring = place.ring.load(std::memory_order_relaxed);
  if (bytes > (ring ? ring->capacity_ : kLargest))
    return hipErrorInvalidValue;
  place.bytes = std::max(bytes, kSmallest);
  return hipSuccess;
}

void LZPrintf::launched(LZDevice &device) { device.part<Place>().launched.store(true, std::memory_order_release); }

void LZPrintf::drainAfter(LZDevice &device) noexcept {
  const Place *place = device.partIfCreated<Place>();
  if (!place || !place->launched.load(std::memory_order_acquire))
    return;
  if (LZPrintf *ring = place->ring.load(std::memory_order_acquire))
    ring->tryDrain();
}

LZPrintf::LZPrintf(LZDevice &device)
    : device_(device), capacity_(std::bit_ceil(LZPrintf::bytes(device))), shared_(device.sharesHostAtomics()),
      thread_(device, LockRank::printfThread, [this] { return tryDrain(); }) {
  const size_t bytes = sizeof(PrintfRing) + capacity_;
  memory_ = shared_ ? ZeMemory::onHost(device.zeContext(), bytes, 64)
                    : ZeMemory::onDevice(device.zeContext(), device.ze(), bytes, 64);
  ring_ = memory_.get();
  const PrintfRing header{0, 0, capacity_, 0, 0};
  clear(ring_ + sizeof header, capacity_);
  if (shared_)
    std::memcpy(ring_, &header, sizeof header);
  else
    device.copyBlocking(ring_, &header, sizeof header);
}

void LZPrintf::read(void *to, const std::byte *from, size_t bytes) {
  if (shared_) {
    std::memcpy(to, from, bytes);
    std::atomic_thread_fence(std::memory_order_acquire);
  } else {
    device_.copyBlocking(to, from, bytes);
  }
}

void LZPrintf::clear(std::byte *at, size_t bytes) {
  if (shared_)
    std::memset(at, 0, bytes);
  else
    device_.fillBlocking(at, 0, 1, bytes);
}

void LZPrintf::setHead(uint64_t head) {
  std::byte *place = ring_ + offsetof(PrintfRing, head);
  if (shared_)
    std::atomic_ref(*reinterpret_cast<uint64_t *>(place)).store(head, std::memory_order_release);
  else
    device_.copyBlocking(place, &head, sizeof head);
}

void LZPrintf::expect() {
  if (!shared_)
    return;
  std::string reason;
  switch (thread_.expect(reason)) {
  case LZServingThread::Expected::running: break;
  case LZServingThread::Expected::begun:
    std::atomic_ref(reinterpret_cast<PrintfRing *>(ring_)->dropped).fetch_or(longestToWait(capacity_) << kDroppedBits);
    break;
  case LZServingThread::Expected::impossible:
    HIPLZ_LOG_INFO(
        "the output of printf in kernels appears only when they have ended, because no thread could be created: %s",
        reason.c_str());
  }
}

bool LZPrintf::tryDrain() noexcept {
  try {
    return drain(*drain_.lock());
  } catch (const std::exception &error) {
    HIPLZ_LOG_ERROR("the output of printf in kernels cannot be read: %s", error.what());
    return false;
  }
}

void LZPrintf::stopAll(std::span<LZDevice *const> devices) noexcept {
  for (LZDevice *device : devices) {
    const Place *place = device->partIfCreated<Place>();
    LZPrintf *ring = place ? place->ring.load(std::memory_order_acquire) : nullptr;
    if (!ring || !ring->thread_.stop())
      continue;
    std::atomic_ref(reinterpret_cast<PrintfRing *>(ring->ring_)->dropped).fetch_and(kDropped);
    ring->tryDrain(); // what kernels that nobody has waited for have printed
  }
}

void LZPrintf::drain() { drain(*drain_.lock()); }

void LZPrintf::print(Drain &state, std::span<const std::byte> record, std::string &text) {
  PrintfRecord header;
  std::memcpy(&header, record.data(), sizeof header);
  text.clear();
  const auto stream = state.messages.format(record.subspan(sizeof header, header.bytes - sizeof header), text);
  const bool error = stream == PrintfMessages::Stream::error || header.state == PrintfRecord::readyError;
  std::fwrite(text.data(), 1, text.size(), error ? stderr : stdout);
}

// Kernels wait for the results of printing the records from the head on. Those behind the first are answered too, or each would cost a
// round trip, and what is in front of them is printed.
bool LZPrintf::answer(Drain &state, uint64_t head, uint64_t tail) {
  if (!shared_)
    return false;
  bool any = false;
  std::string text;
  for (uint64_t at = head; at < tail;) {
    std::byte *bytes = ring_ + sizeof(PrintfRing) + at % capacity_;
    auto *record = reinterpret_cast<PrintfRecord *>(bytes);
    std::atomic_ref written(record->state);
    const uint32_t found = written.load(std::memory_order_acquire), size = record->bytes;
    const bool asks = found == PrintfRecord::asking;
    if (found == PrintfRecord::writing || found > PrintfRecord::answered || size > capacity_ - at % capacity_ ||
        size % 8 != 0 || size < sizeof(PrintfRecord) + (asks ? sizeof(PrintfItem) : 0))
      break;
    if (at >= state.printed) {
      if (found != PrintfRecord::padding)
        print(state, {bytes, size}, text);
      if (asks) {
        const uint32_t answer = static_cast<uint32_t>(text.size());
        std::memcpy(record + 1, &answer, sizeof answer);
        written.store(PrintfRecord::answered, std::memory_order_release);
      }
      state.printed = at + size;
      any = true;
    }
    at += size;
  }
  return any;
}

// Returns whether there was anything to do.
bool LZPrintf::drain(Drain &state) {
  std::byte *data = ring_ + sizeof(PrintfRing);
  PrintfRing header{};
  read(&header, ring_, sizeof header);
  header.dropped &= kDropped;
  if (header.dropped != state.dropped) {
    HIPLZ_LOG_ERROR("%llu calls of printf in kernels were lost: more than %llu bytes were printed between two "
                    "synchronisations, or in one call (hipLimitPrintfFifoSize)",
                    static_cast<unsigned long long>(header.dropped - state.dropped),
                    static_cast<unsigned long long>(capacity_));
    state.dropped = header.dropped;
  }
  const uint64_t pending = header.tail - header.head;
  if (pending == 0)
    return false;
  if (pending > capacity_)
    throw HipError(hipErrorUnknown, "the printf buffer of the device has been overwritten");

  /// Calls visit(device address, offset in the stream, bytes) for the one or two pieces of the first `bytes` bytes.
  auto forEachPiece = [&](uint64_t bytes, auto visit) {
    const uint64_t begin = header.head % capacity_;
    const uint64_t first = std::min(bytes, capacity_ - begin);
    if (first)
      visit(data + begin, uint64_t(0), first);
    if (bytes > first)
      visit(data, first, bytes - first);
  };
  std::vector<std::byte> stream(pending);
  auto take = [&](std::byte *piece, uint64_t offset, uint64_t bytes) { read(stream.data() + offset, piece, bytes); };
  forEachPiece(pending, take);
  bool damaged = false;
  const uint64_t finished = finishedPrintfBytes(stream, damaged);
  // Other kernels may be printing: what follows a state that was seen is whole only when it is read after it.
  forEachPiece(finished, take);

  std::string text;
  for (uint64_t at = 0; at < finished;) {
    PrintfRecord record;
    std::memcpy(&record, stream.data() + at, sizeof record);
    if (record.state != PrintfRecord::padding && header.head + at >= state.printed)
      print(state, std::span(stream).subspan(at, record.bytes), text);
    at += record.bytes;
  }

  const uint64_t consumed = damaged ? pending : finished;
  if (damaged)
    HIPLZ_LOG_ERROR("the printf buffer of the device is damaged; some output is lost");
  forEachPiece(consumed, [&](std::byte *piece, uint64_t, uint64_t bytes) { clear(piece, bytes); });
  if (consumed)
    setHead(header.head + consumed);
  const bool answered = consumed < pending && answer(state, header.head + consumed, header.tail);
  return consumed != 0 || answered;
}

} // namespace hiplz
