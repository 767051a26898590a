// SPDX-License-Identifier: MIT
// See hostcall.h. The buffer lies in the host's memory, where both sides use atomic operations on it.
#include "lz/module/hostcall.h"
#include "amdgcn/object/code_object.h"
#include "base/log.h"
#include "lz/core/error.h"
#include "lz/device/device_list.h"
#include "lz/module/abort.h"
#include "lz/module/printf_format.h"

#include <hip/spirv/abort_state.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

namespace hiplz {
namespace {

using namespace __hiplz;
using amdgcn::PrintfBuffer;

// Compiled code takes a packet for granted, so there is one for each wave that can wait at the same time: on the CPU device 512
// work-groups of 32 waves. Memory of those that nobody uses is not touched.
constexpr uint64_t kPackets = 512 * 32;
static_assert(std::has_single_bit(kPackets));

// The allocator's state may be all zeros at first, and is this large in all versions of its layout.
constexpr size_t kHeapBytes = 131072;
// The allocator finds the beginning of a chunk by its address.
constexpr uint64_t kChunkBytes = 2 << 20, kPageBytes = 4096;

/// Says that the text is that of a failed assertion: AMD's headers print it and then trap.
constexpr std::string_view kAssertion = "Device-side assertion `";

/// By ordinal; null before the first is made.
using Place = std::atomic<LZHostcall *>;
std::atomic<Place *> places{nullptr};

// AMD's runtime gives 4 MiB to each stream.
constexpr uint32_t kPrintfBytes = 16 << 20;
std::atomic<bool> printfBuffers{false};

/// By their numbers, of all modules so far: equal numbers mean equal formats.
using Formats = std::map<uint64_t, std::string>;
Lockable<Formats> &knownFormats() {
  static auto &formats = *new Lockable<Formats>(LockRank::hostcall);
  return formats;
}

constexpr uint64_t alignUp(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

} // namespace

LZHostcall *LZHostcall::existing(const LZDevice &device) {
  const Place *known = places.load(std::memory_order_acquire);
  return known ? known[device.ordinal()].load(std::memory_order_acquire) : nullptr;
}

LZHostcall &LZHostcall::of(LZDevice &device) {
  if (LZHostcall *known = existing(device)) [[likely]]
    return *known;
  static Place *const all = new Place[allDevices().size()]();
  places.store(all, std::memory_order_release);
  auto *made = new LZHostcall(device);
  LZHostcall *known = nullptr;
  if (all[device.ordinal()].compare_exchange_strong(known, made, std::memory_order_acq_rel))
    return *made;
  delete made;
  return *known;
}

void LZHostcall::requireSharedAtomics() const {
  if (!device_.sharesHostAtomics())
    throw HipError(hipErrorNotSupported,
                   "kernels that call the host need a device that shares atomic operations with it");
}

void *LZHostcall::address() {
  const auto memory = memory_.lock();
  if (memory->buffer)
    return memory->buffer.get();
  requireSharedAtomics();
  constexpr size_t kHeadersAt = alignUp(sizeof(HostcallBuffer) + sizeof(HostcallDoorbell), 64);
  constexpr size_t kPayloadsAt = alignUp(kHeadersAt + kPackets * sizeof(HostcallHeader), kPageBytes);
  ZeMemory made = ZeMemory::onHost(device_.zeContext(), kPayloadsAt + kPackets * sizeof(HostcallPayload), kPageBytes);
  auto *doorbell = new (made.get() + alignUp(sizeof(HostcallBuffer), 64)) HostcallDoorbell{};
  auto *headers = reinterpret_cast<HostcallHeader *>(made.get() + kHeadersAt);
  // The tag of a pointer begins with 1, so that none is 0.
  for (uint64_t i = 0; i < kPackets; ++i)
    new (&headers[i]) HostcallHeader{i + 1 < kPackets ? kPackets + i + 1 : 0, 0, 0, 0};
  auto *payloads = reinterpret_cast<HostcallPayload *>(made.get() + kPayloadsAt);
  buffer_.store(new (made.get()) HostcallBuffer{headers, payloads, doorbell, kPackets, 0, kPackets - 1},
                std::memory_order_release);
  memory->buffer = std::move(made);
  return memory->buffer.get();
}

void *LZHostcall::heapAddress() {
  const auto memory = memory_.lock();
  if (!memory->heap) {
    ZeMemory made = ZeMemory::onDevice(device_.zeContext(), device_.ze(), kHeapBytes, kPageBytes);
    device_.fillBlocking(made.get(), 0, 1, kHeapBytes);
    memory->heap = std::move(made);
  }
  return memory->heap.get();
}

void *LZHostcall::printfAddress() {
  const auto memory = memory_.lock();
  if (!memory->printf) {
    requireSharedAtomics();
    memory->printf = ZeMemory::onHost(device_.zeContext(), sizeof(PrintfBuffer) + kPrintfBytes, kPageBytes);
    new (memory->printf.get()) PrintfBuffer{0, kPrintfBytes};
    printfBuffers.store(true, std::memory_order_release);
  }
  return memory->printf.get();
}

bool LZHostcall::anyPrintfBuffer() { return printfBuffers.load(std::memory_order_acquire); }

void LZHostcall::learnFormats(std::span<const spirv::PrintfFormat> formats) {
  if (formats.empty())
    return;
  const auto known = knownFormats().lock();
  for (const spirv::PrintfFormat &format : formats)
    known->emplace(format.number, format.text);
}

LZHostcall::Printing::Printing(LZHostcall &hostcall) : hostcall_(hostcall) { ++hostcall.memory_.lock()->printing; }

LZHostcall::Printing::~Printing() {
  try {
    hostcall_.printAll(hostcall_.takePrinted());
  } catch (const std::bad_alloc &) {
    HIPLZ_LOG_ERROR("the output of printf in kernels is lost: out of memory");
  }
}

/// The records of all that have printed, if this was the last one.
std::vector<std::byte> LZHostcall::takePrinted() {
  const auto memory = memory_.lock();
  if (--memory->printing > 0 || !memory->printf)
    return {};
  auto *buffer = reinterpret_cast<PrintfBuffer *>(memory->printf.get());
  const auto *records = reinterpret_cast<const std::byte *>(buffer + 1);
  const size_t bytes = std::min<size_t>(std::exchange(buffer->used, 0), kPrintfBytes);
  return {records, records + bytes};
}

void LZHostcall::printAll(std::span<const std::byte> records) {
  const auto formats = knownFormats().lock();
  while (!records.empty()) {
    uint32_t control = 0;
    std::memcpy(&control, records.data(), std::min(sizeof control, records.size()));
    const size_t bytes = control >> PrintfBuffer::sizeShift;
    const bool isKnown = control & PrintfBuffer::formatIsNumber;
    if (bytes < sizeof control || bytes > records.size()) {
      HIPLZ_LOG_ERROR("the printf buffer of the device is damaged; some output is lost");
      break;
    }
    Words words((bytes - sizeof control) / sizeof(uint64_t));
    std::memcpy(words.data(), records.data() + sizeof control, words.size() * sizeof(uint64_t));
    records = records.subspan(bytes);
    if (isKnown && !words.empty()) {
      const auto format = formats->find(words.front());
      if (format == formats->end()) {
        HIPLZ_LOG_ERROR("a kernel prints by a format that its module does not have");
        continue;
      }
      Words text(format->second.size() / sizeof(uint64_t) + 1);
      std::memcpy(text.data(), format->second.data(), format->second.size());
      words.erase(words.begin());
      words.insert(words.begin(), text.begin(), text.end());
    }
    std::string text;
    formatPrintfWords(words, text);
    std::fwrite(text.data(), 1, text.size(), control & PrintfBuffer::isError ? stderr : stdout);
  }
}

void LZHostcall::expect() {
  std::string reason;
  if (thread_.expect(reason) == LZServingThread::Expected::impossible)
    throw HipError(hipErrorOutOfMemory, "no thread can be created that answers calls of kernels: " + reason);
}

void LZHostcall::clear() {
  const auto memory = memory_.lock();
  if (memory->heap)
    device_.fillBlocking(memory->heap.get(), 0, 1, kHeapBytes);
  for (const auto &[address, allocation] : allocations_)
    device_.allocatedBytes -= allocation.bytes;
  allocations_.clear();
  messages_.clear();
}

void LZHostcall::stopAll(std::span<LZDevice *const> devices) noexcept {
  for (LZDevice *device : devices)
    if (LZHostcall *hostcall = existing(*device))
      hostcall->thread_.stop();
}

/// Answers all packets on the ready stack, the oldest first.
bool LZHostcall::serve() noexcept {
  HostcallBuffer *buffer = buffer_.load(std::memory_order_acquire);
  if (!buffer)
    return false;
  uint64_t at = std::atomic_ref(buffer->readyStack).exchange(0, std::memory_order_acquire);
  uint64_t oldest = 0;
  while (at) {
    HostcallHeader &header = buffer->headers[at & buffer->indexMask];
    const uint64_t next = header.next;
    header.next = oldest;
    oldest = at;
    at = next;
  }
  const bool any = oldest != 0;
  while (oldest) {
    const uint64_t index = oldest & buffer->indexMask;
    HostcallHeader &header = buffer->headers[index];
    oldest = header.next; // the packet is the kernel's as soon as it is answered
    try {
      answer(header, buffer->payloads[index]);
    } catch (const std::exception &error) {
      HIPLZ_LOG_ERROR("a call of a kernel cannot be answered: %s", error.what());
    }
    std::atomic_ref(header.control).fetch_and(~HostcallHeader::ready, std::memory_order_release);
  }
  return any;
}

void LZHostcall::answer(HostcallHeader &header, HostcallPayload &payload) {
  for (uint64_t mask = header.activeMask; mask; mask &= mask - 1) {
    uint64_t(&slots)[8] = payload.slots[std::countr_zero(mask)];
    switch (header.service) {
    case HostcallService::callFunction: {
      uint64_t results[2] = {};
      reinterpret_cast<void (*)(uint64_t *, const uint64_t *)>(slots[0])(results, slots + 1);
      std::copy_n(results, 2, slots);
      break;
    }
    case HostcallService::printMessage: addToMessage(slots); break;
    case HostcallService::deviceMemory: allocateOrFree(slots); break;
    default:
      std::fill_n(slots, 2, uint64_t{0});
      if (!std::exchange(unknownReported_, true))
        HIPLZ_LOG_ERROR("a kernel calls the host for service %u, which is not implemented", header.service);
    }
  }
}

void LZHostcall::addToMessage(uint64_t (&slots)[8]) {
  const uint64_t descriptor = slots[0];
  const uint64_t number = descriptor & HostcallMessage::begin ? nextMessage_++ : descriptor >> HostcallMessage::idShift;
  Words &words = messages_[number];
  words.insert(words.end(), slots + 1,
               slots + 1 + (descriptor >> HostcallMessage::lengthShift & HostcallMessage::lengthMask));
  slots[0] = number << HostcallMessage::idShift;
  slots[1] = 0;
  if (descriptor & HostcallMessage::end) {
    const Words message = std::move(words);
    messages_.erase(number);
    slots[0] = print(message);
  }
}

/// Returns the number of characters, which is the result of printf.
uint64_t LZHostcall::print(const Words &message) {
  if (message.empty())
    return 0;
  const bool isError = message.front() & 1;
  std::string text;
  formatPrintfWords(std::span(message).subspan(1), text);
  std::fwrite(text.data(), 1, text.size(), isError ? stderr : stdout);
  if (isError && text.find(kAssertion) != text.npos)
    LZAbort::of(device_).raise(__hiplz_end_assert);
  return text.size();
}

void LZHostcall::allocateOrFree(uint64_t (&slots)[8]) {
  const uint64_t address = slots[0], bytes = slots[1];
  slots[0] = slots[1] = 0;
  if (address) {
    if (const auto found = allocations_.find(address); found != allocations_.end()) {
      device_.allocatedBytes -= found->second.bytes;
      allocations_.erase(found);
    }
    return;
  }
  if (bytes == 0 || bytes > device_.remainingMemory())
    return; // malloc returns null
  try {
    ZeMemory memory =
        ZeMemory::onDevice(device_.zeContext(), device_.ze(), bytes, bytes >= kChunkBytes ? kChunkBytes : kPageBytes);
    slots[0] = memory.address();
    allocations_.emplace(memory.address(), Allocation{std::move(memory), bytes});
    device_.allocatedBytes += bytes;
  } catch (const HipError &) {
    slots[0] = 0;
  }
}

} // namespace hiplz
