// The ring lies in device memory. Draining reads it in pieces through copies, so that it works on devices whose memory the
// host cannot reach.
#include "lz/lz_printf.h"
#include "base/log.h"
#include "lz/lz_context.h"
#include "lz/lz_device.h"
#include "lz/printf_format.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace hiplz {
namespace {

struct RingHeader {
  uint64_t tail;
  uint64_t head;
  uint64_t capacity;
  uint64_t dropped;
};
constexpr uint64_t kCapacity = 1 << 20; // what HIP documents as the default

void *allocateRing(LZDevice &device) {
  const ze_device_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *ring = nullptr;
  LZ_CALL(zeMemAllocDevice, (device.zeContext(), &description, sizeof(RingHeader) + kCapacity, 64, device.ze(), &ring));
  return ring;
}

} // namespace

LZPrintf &LZPrintf::of(LZDevice &device) {
  // One place for each device of the process, whose number never changes; never freed, like the devices.
  static auto *rings = new std::vector<std::atomic<LZPrintf *>>(LZContext::instance().devices().size());
  static std::mutex creation;
  std::atomic<LZPrintf *> &place = (*rings)[device.ordinal()];
  if (LZPrintf *ring = place.load(std::memory_order_acquire))
    return *ring;
  std::lock_guard lock(creation);
  if (!place.load(std::memory_order_relaxed))
    place.store(new LZPrintf(device), std::memory_order_release);
  return *place.load(std::memory_order_relaxed);
}

LZPrintf::LZPrintf(LZDevice &device) : device_(device) {
  void *ring = allocateRing(device);
  const RingHeader header{0, 0, kCapacity, 0};
  try {
    device.fillBlocking(static_cast<RingHeader *>(ring) + 1, 0, 1, kCapacity);
    device.copyBlocking(ring, &header, sizeof header);
  } catch (...) {
    zeMemFree(device.zeContext(), ring);
    throw;
  }
  address_ = reinterpret_cast<uint64_t>(ring);
}

void LZPrintf::drain() {
  std::lock_guard lock(mutex_);
  auto *ring = reinterpret_cast<std::byte *>(address_);
  std::byte *data = ring + sizeof(RingHeader);
  RingHeader header{};
  device_.copyBlocking(&header, ring, sizeof header);
  if (header.dropped != dropped_) {
    HIPLZ_LOG_INFO("%llu calls of printf in kernels were dropped, because more than %llu bytes were printed between two "
                   "synchronisations",
                   static_cast<unsigned long long>(header.dropped - dropped_),
                   static_cast<unsigned long long>(kCapacity));
    dropped_ = header.dropped;
  }
  const uint64_t pending = header.tail - header.head;
  if (pending == 0)
    return;
  if (pending > kCapacity)
    throw HipError(hipErrorUnknown, "the printf buffer of the device has been overwritten");

  /// Calls visit(device address, offset in the stream, bytes) for the one or two pieces of the first `bytes` bytes.
  auto forEachPiece = [&](uint64_t bytes, auto visit) {
    const uint64_t begin = header.head % kCapacity;
    const uint64_t first = std::min(bytes, kCapacity - begin);
    if (first)
      visit(data + begin, uint64_t(0), first);
    if (bytes > first)
      visit(data, first, bytes - first);
  };
  std::vector<std::byte> stream(pending);
  auto read = [&](std::byte *piece, uint64_t offset, uint64_t bytes) {
    device_.copyBlocking(stream.data() + offset, piece, bytes);
  };
  forEachPiece(pending, read);
  bool damaged = false;
  const uint64_t finished = finishedPrintfBytes(stream, damaged);
  // Other kernels may be printing: what stands behind a state that was seen is whole only when it is read after it.
  forEachPiece(finished, read);

  std::string text;
  for (uint64_t at = 0; at < finished;) {
    PrintfRecordHeader record;
    std::memcpy(&record, stream.data() + at, sizeof record);
    if (record.state != PrintfRecordHeader::padding) {
      text.clear();
      formatPrintfRecord(std::span(stream).subspan(at + sizeof record, record.bytes - sizeof record), text);
      std::fwrite(text.data(), 1, text.size(), record.state == PrintfRecordHeader::readyError ? stderr : stdout);
    }
    at += record.bytes;
  }

  const uint64_t consumed = damaged ? pending : finished;
  if (damaged)
    HIPLZ_LOG_ERROR("the printf buffer of the device is damaged; some output is lost");
  forEachPiece(consumed, [&](std::byte *piece, uint64_t, uint64_t bytes) { device_.fillBlocking(piece, 0, 1, bytes); });
  const uint64_t head = header.head + consumed;
  device_.copyBlocking(ring + offsetof(RingHeader, head), &head, sizeof head);
}

} // namespace hiplz
