// SPDX-License-Identifier: MIT
// The trace of a profiled process as it lies on disk: what the runtime and libroctx64 record (base/profiler.h), what the
// recorder writes and what hiplz-prof reads. docs/design/profiler.md has the reasons.
//
// A file is a FileHeader and chunks of the same size. Each chunk belongs to one thread, which appends records; the file is
// mapped, so what has been recorded survives the end of the process, whatever that end is. Numbers are those of the machine.
#pragma once
#include "base/trace_version.h"

#include <cstddef>
#include <cstdint>

namespace hiplz::trace {

inline constexpr char kMagic[8] = {'H', 'I', 'P', 'L', 'Z', 't', 'r', 'c'};
inline constexpr uint32_t kChunkBytes = 64 * 1024;
/// Longer texts are cut.
inline constexpr size_t kLongestText = 4096;

/// Takes the place of the first chunk.
struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t chunkBytes;
};

/// At the beginning of each chunk. `used` grows with each record, header included; of a chunk whose process was killed it
/// tells how far the records go. A sealed chunk has a checksum over its records.
struct ChunkHeader {
  static constexpr uint32_t kMagic = 0x6b6e6863; // "chnk"
  uint32_t magic;
  uint32_t thread; ///< the kernel's number of it
  uint32_t used;
  uint32_t sealed;
  uint64_t checksum;
};

/// FNV-1a over words of 8 bytes. `bytes` is a multiple of 8.
inline uint64_t checksumOf(const void *data, size_t bytes) {
  uint64_t sum = 0xcbf29ce484222325;
  const auto *words = static_cast<const uint64_t *>(data);
  for (size_t index = 0; index < bytes / 8; ++index)
    sum = (sum ^ words[index]) * 0x100000001b3;
  return sum;
}

enum class Kind : uint16_t {
  process = 1,
  name,
  thread,
  device,
  stream,
  call,
  command,
  times,
  clock,
  memory,
  compilation,
  kernel,
  marker,
  node,
  end,
};

/// Times are nanoseconds of the host's monotonic clock unless something else is said. `bytes` counts the whole record with
/// its text, rounded up to 8; a text follows the structure and ends with a zero.
struct Record {
  Kind kind;
  uint16_t bytes;
  uint32_t name; ///< the id of a Name record, or 0; what it names depends on the kind
};

/// The first record of a file. Its text is the command line, each argument ended by a newline.
struct Process : Record {
  static constexpr Kind kKind = Kind::process;
  int32_t pid, parent;
  int32_t rank; ///< of an MPI program, else -1
  uint32_t reserved;
  uint64_t time;
  uint64_t realTime; ///< the same moment in nanoseconds since 1970
};

/// Gives an id to its text. May stand in another thread's chunk than its uses.
struct Name : Record {
  static constexpr Kind kKind = Kind::name;
};

/// The thread of the chunk is called so from `time` on.
struct Thread : Record {
  static constexpr Kind kKind = Kind::thread;
  uint64_t time;
};

struct Device : Record {
  static constexpr Kind kKind = Kind::device;
  uint32_t ordinal;
  uint32_t timestampBits; ///< of a command's times; higher bits are lost
  double tick;            ///< nanoseconds
  uint32_t multiprocessors, residentThreads;
  uint64_t memoryBytes;
};

struct Stream : Record {
  static constexpr Kind kKind = Kind::stream;
  uint64_t id;
  uint64_t handle; ///< hipStream_t, which a later stream may have again
  uint64_t time;   ///< of its creation, or when the application named it; the recorder fills it
  uint32_t device;
  enum class Type : uint8_t { null, blocking, nonBlocking, internal } type;
  int8_t priority;
};

/// A call of the HIP API; `name` is the function.
struct Call : Record {
  static constexpr Kind kKind = Kind::call;
  uint64_t id; ///< unique in the process
  uint64_t begin, end;
  int32_t result; ///< hipError_t
  uint32_t reserved;
};

enum class CommandType : uint8_t { kernel, copy, fill, hostFunction, wait, graph, write };
enum class Place : uint8_t { unknown, pageable, pinned, device, managed };

/// Something was given to a stream. `name` is the kernel.
struct Command : Record {
  static constexpr Kind kKind = Kind::command;
  uint64_t id;   ///< unique in the process
  uint64_t call; ///< that submitted it, or 0
  uint64_t stream;
  uint64_t submitted;
  uint64_t bytes; ///< that a copy or fill writes
  uint32_t grid[3], block[3];
  uint32_t sharedBytes; ///< dynamic
  CommandType type;
  Place from, to;
  uint8_t reserved;
};

/// When a command ran.
struct Times : Record {
  static constexpr Kind kKind = Kind::times;
  uint64_t command;
  uint64_t begin, end; ///< ticks of the device, or of the host if `device` is kHost
  uint64_t collected;  ///< when the host had seen its end
  static constexpr uint32_t kHost = UINT32_MAX;
  uint32_t device;
  uint32_t reserved;
};

/// One moment by both clocks.
struct Clock : Record {
  static constexpr Kind kKind = Kind::clock;
  uint64_t host;
  uint64_t ticks;
  uint32_t device;
  uint32_t reserved;
};

struct Memory : Record {
  static constexpr Kind kKind = Kind::memory;
  uint64_t time;
  uint64_t address;
  int64_t bytes; ///< negative: freed
  uint32_t device;
  Place place;
};

/// A module or a kernel was made ready for a device. `name` is the kernel, 0 of a module.
struct Compilation : Record {
  static constexpr Kind kKind = Kind::compilation;
  uint64_t begin, end;
  uint64_t bytes; ///< of the module
};

/// The resources that a kernel takes of a device with this block.
struct Kernel : Record {
  static constexpr Kind kKind = Kind::kernel;
  uint32_t device;
  uint32_t blockThreads;
  uint32_t sharedBytes, privateBytes; ///< fixed, of a block and of a thread
  uint32_t dynamicBytes;
  uint32_t blocksPerMultiprocessor;
};

/// roctx. Its text is the message.
struct Marker : Record {
  static constexpr Kind kKind = Kind::marker;
  enum class Type : uint32_t { mark, push, pop, start, stop } type;
  uint32_t reserved;
  uint64_t id; ///< of start and stop
  uint64_t time;
};

/// A node of a graph has run, as a part of the command. `name` is its kernel.
struct Node : Record {
  static constexpr Kind kKind = Kind::node;
  uint64_t command;
  uint64_t begin, end; ///< ticks of the device
  uint64_t collected;
  uint64_t bytes;
  uint32_t grid[3], block[3];
  uint32_t device;
  CommandType type;
  Place from, to;
};

/// The process has ended in good order.
struct End : Record {
  static constexpr Kind kKind = Kind::end;
  uint64_t time;
};

/// The events to record: bits of ProfilerHooks::wants().
enum Wanted : uint32_t { kCalls = 1, kCommands = 2, kMemory = 4, kMarkers = 8, kEverything = 15 };

} // namespace hiplz::trace
