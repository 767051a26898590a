// SPDX-License-Identifier: MIT
// libhiplz_prof.so: what base/profiler.h asks of a recorder. Each thread has a chunk of the file that it alone writes, so
// a record is a copy and a store; ids of texts are the only thing that threads share.
#include "base/env.h"
#include "base/profiler.h"
#include "prof/recorder/trace_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace hiplz::prof {
namespace {

uint64_t read(clockid_t clock) {
  timespec time;
  ::clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t now() { return read(CLOCK_MONOTONIC); }

// The requests in HIPLZ_PROF_TRACE.
struct Wishes {
  uint32_t bits = 0;
  bool paused = false; // until hipProfilerStart() or roctxProfilerResume()
};

Wishes wishes() {
  struct Word {
    const char *name;
    uint32_t bit;
  };
  static constexpr Word kWords[] = {{"calls", trace::kCalls},
                                    {"commands", trace::kCommands},
                                    {"memory", trace::kMemory},
                                    {"markers", trace::kMarkers},
                                    {"all", trace::kEverything}};
  Wishes all;
  std::string text = envString(EnvVar::HIPLZ_PROF_TRACE) + ',';
  for (size_t begin = 0, end; (end = text.find(',', begin)) != text.npos; begin = end + 1)
    if (text.compare(begin, end - begin, "paused") == 0)
      all.paused = true;
    else
      for (const Word &word : kWords)
        if (text.compare(begin, end - begin, word.name) == 0)
          all.bits |= word.bit;
  return all;
}

/// The state of a thread. Constant-initialised and without a destructor: a thread may record until its very end.
struct ThreadPart {
  trace::ChunkHeader *chunk;
  uint32_t generation; // of the process that the chunk belongs to
  bool keyed;          // the key's destructor will seal the chunk
  uint64_t call;       // the API call that is going on, or 0
  uint64_t callBegin;
  uint64_t lastCall, callsEnd;
};
constinit thread_local ThreadPart thisThread{};

/// Of literals, by their address. An entry is never changed.
struct LiteralTable {
  static constexpr size_t kSize = 4096; // twice what the API has of functions
  struct Entry {
    std::atomic<const char *> literal{nullptr};
    std::atomic<uint32_t> id{0};
  };
  std::array<Entry, kSize> entries;
};

class Recorder {
public:
  Recorder(std::string folder, Wishes wishes)
      : file_(std::move(folder)), wanted_(wishes.bits), bits_(wishes.paused ? 0 : wishes.bits) {
    ::pthread_key_create(&key_, [](void *) { sealOfThread(); });
  }

  bool wants(uint32_t bits) const { return bits_.load(std::memory_order_relaxed) & bits; }
  void setRecording(bool on) { bits_.store(on ? wanted_ : 0, std::memory_order_relaxed); }

  uint64_t beginCall();
  void endCall(const char *function, uint64_t begin, int result);
  uint32_t name(const char *text, size_t bytes);
  void write(trace::Record *record, size_t bytes, const char *text, size_t textBytes);
  uint64_t newCommand() { return commands_.fetch_add(1, std::memory_order_relaxed) + 1; }

  void beforeFork();
  void afterForkInParent();
  void afterForkInChild();
  /// The process ends in good order.
  void end();

private:
  static constexpr uint64_t kCallsOfThread = 4096;
  static void sealOfThread();
  trace::ChunkHeader *chunkFor(size_t bytes);
  void beginFile();
  uint32_t literal(const char *text);
  /// Writes a record of a type that has no text of its own, or with one.
  template <class Type> void put(Type record, std::string_view text = {}) {
    record.kind = Type::kKind;
    write(&record, sizeof record, text.data(), text.size());
  }
  void putName(uint32_t id, std::string_view text) {
    trace::Name record{};
    record.name = id;
    put(record, text);
  }

  TraceFile file_;
  const uint32_t wanted_;
  std::atomic<uint32_t> bits_;
  std::atomic<uint64_t> calls_{0}, commands_{0};
  std::atomic<uint32_t> generation_{1};
  pthread_key_t key_{};
  LiteralTable literals_;
  Mutex namesMutex_{LockRank::traceNames};
  std::unordered_map<std::string, uint32_t> names_ HIPLZ_GUARDED_BY(namesMutex_);
};

void Recorder::sealOfThread() {
  ThreadPart &thread = thisThread;
  if (trace::ChunkHeader *chunk = std::exchange(thread.chunk, nullptr))
    TraceFile::seal(chunk);
  thread.keyed = false;
}

trace::ChunkHeader *Recorder::chunkFor(size_t bytes) {
  ThreadPart &thread = thisThread;
  const uint32_t generation = generation_.load(std::memory_order_relaxed);
  if (thread.generation != generation) [[unlikely]] {
    if (thread.chunk) // of the parent of this forked child
      ::munmap(thread.chunk, trace::kChunkBytes);
    thread.chunk = nullptr;
    thread.generation = generation;
  }
  if (thread.chunk && thread.chunk->used + bytes <= trace::kChunkBytes) [[likely]]
    return thread.chunk;
  bool first = false;
  thread.chunk = file_.newChunk(first, thread.chunk);
  if (!thread.chunk)
    return nullptr;
  if (!thread.keyed) {
    ::pthread_setspecific(key_, &thread);
    thread.keyed = true;
  }
  if (first)
    beginFile();
  char comm[16] = "";
  ::pthread_getname_np(::pthread_self(), comm, sizeof comm);
  trace::Thread about{};
  about.time = now();
  put(about, comm);
  return chunkFor(bytes);
}

void Recorder::beginFile() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string line((std::istreambuf_iterator<char>(file)), {});
  std::replace(line.begin(), line.end(), '\0', '\n');
  trace::Process process{};
  process.pid = ::getpid();
  process.parent = ::getppid();
  process.rank = mpiRank();
  process.time = now();
  process.realTime = read(CLOCK_REALTIME);
  put(process, line);
  // A forked child goes on with the ids of its parent.
  Lock lock(namesMutex_);
  for (const auto &[text, id] : names_)
    putName(id, text);
}

uint64_t Recorder::beginCall() {
  ThreadPart &thread = thisThread;
  if (thread.lastCall == thread.callsEnd) [[unlikely]] {
    thread.lastCall = calls_.fetch_add(kCallsOfThread, std::memory_order_relaxed);
    thread.callsEnd = thread.lastCall + kCallsOfThread;
  }
  thread.call = ++thread.lastCall;
  return thread.callBegin = now();
}

void Recorder::endCall(const char *function, uint64_t begin, int result) {
  const uint64_t id = std::exchange(thisThread.call, 0);
  if (!wants(trace::kCalls))
    return;
  trace::Call call{};
  call.name = literal(function);
  call.id = id;
  call.begin = begin;
  call.end = now();
  call.result = result;
  put(call);
}

// An id is written before anybody gets it, by the thread that asked first.
uint32_t Recorder::name(const char *text, size_t bytes) {
  std::string key(text, std::min(bytes, trace::kLongestText));
  chunkFor(0); // the first chunk of a file begins with all names
  Lock lock(namesMutex_);
  const auto [entry, isNew] = names_.try_emplace(std::move(key), static_cast<uint32_t>(names_.size()) + 1);
  if (isNew)
    putName(entry->second, entry->first);
  return entry->second;
}

uint32_t Recorder::literal(const char *text) {
  size_t at = (reinterpret_cast<uintptr_t>(text) * 0x9e3779b97f4a7c15) >> 52;
  for (size_t tried = 0; tried < LiteralTable::kSize; ++tried, at = (at + 1) % LiteralTable::kSize) {
    LiteralTable::Entry &entry = literals_.entries[at];
    const char *known = entry.literal.load(std::memory_order_acquire);
    if (known == text)
      if (const uint32_t id = entry.id.load(std::memory_order_relaxed)) [[likely]]
        return id;
    if (known && known != text)
      continue;
    const uint32_t id = name(text, std::strlen(text));
    if (known || entry.literal.compare_exchange_strong(known, text, std::memory_order_acq_rel))
      entry.id.store(id, std::memory_order_relaxed);
    return id;
  }
  return name(text, std::strlen(text));
}

void Recorder::write(trace::Record *record, size_t bytes, const char *text, size_t textBytes) {
  textBytes = std::min(textBytes, trace::kLongestText);
  const size_t all = (bytes + (text ? textBytes + 1 : 0) + 7) & ~size_t{7};
  record->bytes = static_cast<uint16_t>(all);
  if (record->kind == trace::Kind::command) {
    auto *command = static_cast<trace::Command *>(record);
    command->call = thisThread.call;
    if (command->submitted == 0) // reading the clock once more would cost as much as the record
      command->submitted = thisThread.call ? thisThread.callBegin : now();
  }
  if (record->kind == trace::Kind::stream)
    static_cast<trace::Stream *>(record)->time = now();
  trace::ChunkHeader *chunk = chunkFor(all);
  if (!chunk) [[unlikely]]
    return;
  std::byte *to = reinterpret_cast<std::byte *>(chunk) + chunk->used;
  std::memcpy(to, record, bytes);
  if (text) // the bytes behind it are still zero
    std::memcpy(to + bytes, text, textBytes);
  std::atomic_ref(chunk->used).store(static_cast<uint32_t>(chunk->used + all), std::memory_order_release);
}

void Recorder::beforeFork() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
  namesMutex_.lock();
  file_.beforeFork();
}

void Recorder::afterForkInParent() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
  file_.afterForkInParent();
  namesMutex_.unlock();
}

void Recorder::afterForkInChild() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
  generation_.fetch_add(1, std::memory_order_relaxed);
  file_.afterForkInChild();
  namesMutex_.unlock();
}

void Recorder::end() {
  if (!file_.opened())
    return;
  trace::End last{};
  last.time = now();
  put(last);
  sealOfThread();
}

/// Of the process; never destroyed, because threads record until the end. Null if HIPLZ_PROF names no folder.
Recorder *recorder = nullptr;

constexpr ProfilerHooks kHooks{
    kProfilerVersion,
    [](uint32_t bits) { return recorder->wants(bits); },
    [](bool on) { recorder->setRecording(on); },
    [] { return recorder->beginCall(); },
    [](const char *function, uint64_t begin, int result) { recorder->endCall(function, begin, result); },
    [](const char *text, size_t bytes) { return recorder->name(text, bytes); },
    [](trace::Record *record, size_t bytes, const char *text, size_t textBytes) {
      recorder->write(record, bytes, text, textBytes);
    },
    now,
    [] { return recorder->newCommand(); },
};

} // namespace
} // namespace hiplz::prof

using namespace hiplz;

extern "C" [[gnu::visibility("default")]] const ProfilerHooks *hiplz_profiler_hooks() {
  using namespace hiplz::prof;
  static const bool opened = [] {
    std::string folder = envString(EnvVar::HIPLZ_PROF);
    if (folder.empty())
      return false;
    recorder = new Recorder(std::move(folder), wishes());
    ::pthread_atfork([] { recorder->beforeFork(); }, [] { recorder->afterForkInParent(); },
                     [] { recorder->afterForkInChild(); });
    return true;
  }();
  return opened ? &kHooks : nullptr;
}

// Behind the exit handlers of the program, the runtime and the drivers.
[[gnu::destructor]] static void endOfTrace() {
  if (hiplz::prof::recorder)
    hiplz::prof::recorder->end();
}
