// SPDX-License-Identifier: MIT
// Memory for records: chunks that are filled from front to back by one thread. Two uses:
// - the records of a regular command list: written once, executed many times, shared by reference count;
// - the pipe between the host thread that appends to a stream and the thread that executes it. Chunks that the executing
//   thread has left behind go back to the appending thread, so a warm stream allocates nothing.
#pragma once
#include "cpu/exec/record.h"

#include <atomic>
#include <memory>
#include <new>
#include <vector>

namespace hiplz::cpu {

class Program;

class RecordArena {
public:
  /// Records of a stream are executed once, those of a list any number of times.
  enum class Use { list, stream };
  explicit RecordArena(Use use);
  ~RecordArena();
  RecordArena(const RecordArena &) = delete;
  RecordArena &operator=(const RecordArena &) = delete;

  /// A new record with room for `extraBytes` behind it (64-byte aligned, see extra()), the wait list copied in. Appending
  /// thread only. The record becomes part of the list with commit(). Throws std::bad_alloc.
  template <class T>
  T &append(Op op, EventState *signal, uint32_t waitCount, EventState *const *waits, size_t extraBytes = 0) {
    T *record = new (allocate(sizeof(T) + extraBytes + waitCount * sizeof(EventState *))) T();
    initialise(*record, op, signal, waitCount, waits);
    return *record;
  }
  template <class T> static std::byte *extra(T &record) { return reinterpret_cast<std::byte *>(&record + 1); }

  /// Keeps a program loaded as long as this arena may have records that use it. Appending thread only.
  void keepAlive(const std::shared_ptr<const Program> &program);
  /// Allows programs to be unloaded again; for a moment when no record is left.
  void dropPrograms() { programs_.clear(); }
  size_t programCount() const { return programs_.size(); }

  /// Keeps the state of an event to which a record refers: of a list as long as the arena, of a stream until the record has been
  /// executed and the stream releases it. For events that are not the record's `signal` or one of its `waits`.
  void hold(EventState &state);

  /// The first record, and the one behind `record`; they must exist. If `recycle`, chunks left behind are given back.
  /// Executing thread; several if they do not recycle.
  const Record *first(bool recycle);
  const Record *next(const Record &record, bool recycle);

  /// Reference count of a regular list's records.
  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  // Of a regular list; fixed when it is closed.
  uint64_t recordCount = 0;
  std::vector<EventState *> signalled; ///< every event that a record signals

private:
  struct Chunk;
  void *allocate(size_t bytes);
  void initialise(Record &record, Op op, EventState *signal, uint32_t waitCount, EventState *const *waits);
  Chunk *newChunk(size_t bytes);
  static void freeChunks(Chunk *chunk);
  const Record *followJump(const Record *record, bool recycle);

  const Use use_;
  std::vector<EventState *> held_;         // of a list; once for each reference
  Chunk *first_;                           // oldest chunk in use; moved on by the executing thread if it recycles
  Chunk *current_;                         // appending thread
  Chunk *spare_ = nullptr;                 // appending thread: chunks ready for use
  std::atomic<Chunk *> recycled_{nullptr}; // pushed by the executing thread, taken as a whole by the appending one
  std::vector<std::shared_ptr<const Program>> programs_;
  std::atomic<uint32_t> references_{1};
};

} // namespace hiplz::cpu
