// SPDX-License-Identifier: MIT
// Chunks are chained by their `next`; the last record of a chunk that has a successor is a jump.
#include "cpu/exec/record_arena.h"
#include "cpu/exec/counted_event.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hiplz::cpu {
namespace {
constexpr size_t kChunkBytes = 32 << 10; // about 150 launches; a stream keeps as many chunks as it ever was ahead
constexpr size_t roundUp(size_t bytes) { return (bytes + 63) & ~size_t{63}; }
struct JumpRecord : Record {
  void *chunk;
};
} // namespace

struct alignas(64) RecordArena::Chunk {
  Chunk *next;
  size_t capacity;
  size_t used;
  std::byte *data() { return reinterpret_cast<std::byte *>(this + 1); }
};

RecordArena::RecordArena(Use use) : use_(use), first_(newChunk(0)), current_(first_) {}

RecordArena::~RecordArena() {
  freeChunks(spare_);
  freeChunks(recycled_.load());
  freeChunks(first_);
  for (EventState *state : held_)
    state->release();
}

void RecordArena::hold(EventState &state) {
  if (use_ == Use::list)
    held_.push_back(&state);
  state.retain();
}

void RecordArena::freeChunks(Chunk *chunk) {
  while (chunk)
    ::operator delete(std::exchange(chunk, chunk->next), std::align_val_t{64});
}

RecordArena::Chunk *RecordArena::newChunk(size_t bytes) {
  size_t capacity = std::max(kChunkBytes - sizeof(Chunk), bytes + sizeof(JumpRecord));
  void *memory = ::operator new(sizeof(Chunk) + capacity, std::align_val_t{64});
  return new (memory) Chunk{nullptr, capacity, 0};
}

void *RecordArena::allocate(size_t bytes) {
  bytes = roundUp(bytes);
  if (current_->used + bytes + sizeof(JumpRecord) > current_->capacity) {
    if (!spare_)
      spare_ = recycled_.exchange(nullptr, std::memory_order_acquire);
    Chunk *chunk;
    if (spare_ && bytes + sizeof(JumpRecord) <= spare_->capacity) {
      chunk = std::exchange(spare_, spare_->next);
      chunk->next = nullptr;
      chunk->used = 0;
    } else {
      chunk = newChunk(bytes);
    }
    auto *jump = new (current_->data() + current_->used) JumpRecord();
    jump->op = Op::jump;
    jump->chunk = chunk;
    current_->next = chunk;
    current_ = chunk;
  }
  void *memory = current_->data() + current_->used;
  current_->used += bytes;
  return memory;
}

void RecordArena::initialise(Record &record, Op op, EventState *signal, uint32_t waitCount, EventState *const *waits) {
  record.bytes = static_cast<uint32_t>(current_->data() + current_->used - reinterpret_cast<std::byte *>(&record));
  record.op = op;
  record.signal = record.timeStart = signal;
  record.waitCount = waitCount;
  if (waitCount) {
    record.waits = reinterpret_cast<EventState **>(reinterpret_cast<std::byte *>(&record) + record.bytes) - waitCount;
    std::memcpy(record.waits, waits, waitCount * sizeof *waits);
  }
  if (signal)
    hold(*signal);
  for (uint32_t index = 0; index < waitCount; ++index)
    hold(*waits[index]);
}

void RecordArena::keepAlive(const std::shared_ptr<const Program> &program) {
  // The program of the last launch is at the back: a stream that launches one program compares one pointer.
  if (!programs_.empty() && programs_.back() == program)
    return;
  auto found = std::find(programs_.begin(), programs_.end(), program);
  if (found == programs_.end())
    programs_.push_back(program);
  else
    std::iter_swap(found, programs_.end() - 1);
}

const Record *RecordArena::first(bool recycle) {
  return followJump(reinterpret_cast<const Record *>(first_->data()), recycle);
}

const Record *RecordArena::next(const Record &record, bool recycle) {
  auto *behind = reinterpret_cast<const std::byte *>(&record) + record.bytes;
  return followJump(reinterpret_cast<const Record *>(behind), recycle);
}

const Record *RecordArena::followJump(const Record *record, bool recycle) {
  if (record->op != Op::jump)
    return record;
  auto *chunk = static_cast<Chunk *>(static_cast<const JumpRecord *>(record)->chunk);
  if (recycle) {
    Chunk *left = std::exchange(first_, chunk);
    Chunk *head = recycled_.load(std::memory_order_relaxed);
    do
      left->next = head;
    while (!recycled_.compare_exchange_weak(head, left, std::memory_order_release, std::memory_order_relaxed));
  }
  return reinterpret_cast<const Record *>(chunk->data());
}

} // namespace hiplz::cpu
