// SPDX-License-Identifier: MIT
// Memory that several mappings and several processes can share: an anonymous file (memfd). It has no name that a crash
// could leave behind; it ends with its last mapping and descriptor. Another process reaches it through an IPC handle, which
// says where the exporting process keeps the descriptor: /proc/<pid>/fd/<number>. Opening that needs the permission to
// read the process, which every process of the same user has, under Yama's ptrace restrictions, too (these refuse
// pidfd_getfd, which needs the permission to attach).
#pragma once
#include "cpu/exec/kernel_memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sys/mman.h>

namespace hiplz::cpu {

/// The kind of object behind an IPC handle.
enum class IpcKind : uint16_t {
  memory = 1,
  eventPool = 2,
};

/// The beginning of the bytes of an IPC handle; the rest is zero. The number of the descriptor comes first, as in handles of
/// Intel's driver: programs send the descriptor itself to the other process through a socket and write the number that it has
/// there over the first one.
struct IpcRecord {
  int32_t sent; ///< of the descriptor in the process that opens the handle, if it is another one than `descriptor`
  uint16_t magic;
  IpcKind kind;
  int32_t process;
  int32_t descriptor;
  uint64_t inode; ///< of the file: tells it from one that a later process or descriptor of these numbers refers to
  uint64_t size;  ///< of the allocation, in bytes
};
static_assert(sizeof(IpcRecord) == 32); // as much as the handles of other interfaces have room for

/// Immutable; any thread may call any method.
class SharedFile {
public:
  /// A new file full of zeros, of a fixed size. Throws Error(OUT_OF_HOST_MEMORY).
  static std::shared_ptr<SharedFile> create(IpcKind kind, size_t bytes);

  /// True if handles may lead to it, as they may at first. Throws Error(UNKNOWN).
  void setOpen(bool isOpen) const;

  /// Another descriptor of a file or dma_buf that the caller has, which must be one that can be mapped for writing and have
  /// at least `bytes`. Throws Error(INVALID_ARGUMENT), or Error(INVALID_SIZE) if it is too small.
  static std::shared_ptr<SharedFile> import(int descriptor, size_t bytes);

  /// The contents of a handle; nothing is opened. Throws Error(INVALID_ARGUMENT) if it is not one of this kind.
  static IpcRecord read(const void *handle, IpcKind kind);

  /// The file that a handle of a process that lives, or a descriptor that it has sent, refers to; it has what record.size
  /// says, in whole pages or exactly.
  /// Throws Error(INVALID_ARGUMENT) for every other handle. Nothing is opened but files of this kind that create() made.
  static std::shared_ptr<SharedFile> open(const void *handle, IpcKind kind, IpcRecord &record);

  ~SharedFile();
  SharedFile(const SharedFile &) = delete;

  /// Valid as long as this object.
  int descriptor() const { return descriptor_; }

  /// How much of the file has pages.
  uint64_t residentBytes() const;

  /// Writes an IPC handle of `handleBytes` bytes. The handle is valid as long as this object.
  void describe(void *handle, size_t handleBytes, IpcKind kind, uint64_t size) const;

  /// Maps a part of the file, at `place` (replacing what is there) or where there is room. Null if that fails.
  std::byte *map(void *place, size_t bytes, size_t offset = 0, int protection = PROT_READ | PROT_WRITE) const;

private:
  explicit SharedFile(int descriptor) : descriptor_(descriptor) {}
  const int descriptor_;
};

} // namespace hiplz::cpu
