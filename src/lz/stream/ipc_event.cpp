// SPDX-License-Identifier: MIT
// The shared page, the pool of shared events, and their recordings.
#include "lz/stream/ipc_event.h"
#include "base/lockable.h"
#include "base/memory_file.h"
#include "base/shortage.h"
#include "lz/core/error.h"
#include "lz/device/device.h"
#include "lz/stream/queue.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hiplz {
namespace {

constexpr uint32_t kSlots = 32;
constexpr uint64_t kMagic = 0x31544e4556454c48;
constexpr char kPageName[] = "hiplz-event";

/// The data with which other processes find the page. The process must still have it.
struct __attribute__((packed)) Record {
  uint64_t magic;
  int32_t process;
  int32_t descriptor;
  uint64_t inode; // distinguishes the page from a later file of the same numbers
};
static_assert(sizeof(Record) <= sizeof(IpcBytes));

// Pools of destroyed events, which streams may still refer to.
Lockable<std::list<std::unique_ptr<LZEventPool>>> ended{LockRank::endedEvents};

} // namespace

// Only what is lock-free may lie in memory that processes share.
struct LZSharedEvent::State {
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  uint64_t magic = kMagic;
  std::atomic<uint64_t> begun{0}; // recordings, counted from 1; recording n uses event n % kSlots
  std::atomic<uint64_t> last{0};  // the newest recording whose signal has been submitted
  ze_ipc_event_pool_handle_t pool{};
};

void LZSharedEvent::Unmap::operator()(State *state) const noexcept { munmap(state, sizeof(State)); }

void LZSharedEvent::map(int descriptor) {
  void *memory = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED)
    throw HipError(hipErrorOutOfMemory, "the page of an interprocess event cannot be mapped");
  state_.reset(static_cast<State *>(memory));
}

void LZSharedEvent::takeSlots(std::unique_ptr<LZEventPool> pool) {
  pool_ = std::move(pool);
  for (uint32_t index = 0; index < kSlots; ++index)
    slots_.push_back(pool_->at(index));
}

LZSharedEvent::LZSharedEvent(LZDevice &device) {
  const ze_event_pool_desc_t description{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                         ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC, kSlots};
  ZeEventPool pool;
  ze_ipc_event_pool_handle_t shared{};
  zeCheck(pool.create(zeEventPoolCreate, device.zeContext(), &description, 0, nullptr), "zeEventPoolCreate");
  if (ze_result_t result = zeEventPoolGetIpcHandle(pool.get(), &shared))
    throw HipError(toHipErrorOr(result, hipErrorNotSupported), "the driver cannot share events with other processes",
                   result);
  descriptor_ = createMemoryFile(kPageName, sizeof(State));
  try {
    if (const int error = descriptor_ < 0 ? errno : 0)
      throw HipError(isShortOfHandles(error) ? hipErrorOperatingSystem : hipErrorOutOfMemory,
                     "an interprocess event cannot be created: " + describeSystemError(error));
    map(descriptor_);
    new (state_.get()) State;
    state_->pool = shared;
    takeSlots(std::make_unique<LZEventPool>(device.zeContext(), std::move(pool), kSlots));
  } catch (...) {
    if (descriptor_ >= 0)
      close(descriptor_);
    throw;
  }
}

LZSharedEvent::LZSharedEvent(LZDevice &device, const IpcBytes &handle) {
  Record record;
  std::memcpy(&record, handle.data(), sizeof record);
  if (record.magic != kMagic)
    throw HipError(hipErrorInvalidValue, "the handle does not stand for another process's event");
  if (record.process == getpid())
    throw HipError(hipErrorInvalidContext, "an event of this process does not have to be opened");
  const OpenedMemoryFile page = openMemoryFile(record.process, record.descriptor, record.inode, kPageName);
  if (page.descriptor < 0)
    throw HipError(hipErrorInvalidValue, "the event of the handle is gone, or its process has ended: " + page.refusal);
  try {
    if (page.bytes != sizeof(State))
      throw HipError(hipErrorInvalidValue, "the handle does not stand for another process's event");
    map(page.descriptor);
    if (state_->magic != kMagic)
      throw HipError(hipErrorInvalidValue, "the handle does not stand for another process's event");
    ZeOpenedEventPool pool;
    if (ze_result_t result = pool.create(zeEventPoolOpenIpcHandle, device.zeContext(), state_->pool))
      throw HipError(result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE ? hipErrorNotSupported
                                                                   : toHipErrorOr(result, hipErrorInvalidValue),
                     "the driver cannot open the event of another process", result);
    takeSlots(std::make_unique<LZEventPool>(device.zeContext(), std::move(pool), kSlots));
  } catch (...) {
    close(page.descriptor);
    throw;
  }
  close(page.descriptor);
}

LZSharedEvent::~LZSharedEvent() {
  slots_.clear();
  if (descriptor_ >= 0)
    close(descriptor_);
  const auto pools = ended.lock();
  pools->push_back(std::move(pool_));
  pools->remove_if([](const std::unique_ptr<LZEventPool> &pool) { return pool->unused(); });
}

IpcBytes LZSharedEvent::handle() const {
  struct stat status {};
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0)
    throw HipError(hipErrorInvalidValue, "only the process that created an event can describe it to others");
  const Record record{kMagic, getpid(), descriptor_, status.st_ino};
  IpcBytes bytes{};
  std::memcpy(bytes.data(), &record, sizeof record);
  return bytes;
}

LZEventRef LZSharedEvent::record(LZQueue &queue) {
  const uint64_t number = state_->begun.fetch_add(1, std::memory_order_acq_rel) + 1;
  const LZEventRef &slot = slots_[number % kSlots];
  try {
    if (number > kSlots) {
      if (ze_result_t result = slot.wait())
        throw HipError(toHipError(result), "an earlier recording of the event failed", result);
      zeCheck(slot.reset(), "zeEventHostReset");
    }
    if (hipError_t error = queue.signal(slot))
      throw HipError(error);
  } catch (...) {
    // Nobody waits for this recording, but a later one will want the event.
    slot.signal();
    throw;
  }
  uint64_t seen = state_->last.load(std::memory_order_relaxed);
  while (seen < number && !state_->last.compare_exchange_weak(seen, number, std::memory_order_release))
    ;
  return slot;
}

LZEventRef LZSharedEvent::last() const {
  const uint64_t number = state_->last.load(std::memory_order_acquire);
  return number ? slots_[number % kSlots] : LZEventRef();
}

} // namespace hiplz
