// SPDX-License-Identifier: MIT
// See shared_file.h.
#include "cpu/objects/shared_file.h"
#include "base/log.h"
#include "base/memory_file.h"
#include "cpu/objects/object.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {
constexpr uint16_t kMagic = 0x68'7a; // "hz"

const char *nameOf(IpcKind kind) {
  switch (kind) {
  case IpcKind::memory: return "hiplz-cpu-memory";
  case IpcKind::eventPool: return "hiplz-cpu-events";
  }
  return "hiplz-cpu";
}
} // namespace

std::shared_ptr<SharedFile> SharedFile::create(IpcKind kind, size_t bytes) {
  int descriptor = createMemoryFile(nameOf(kind), bytes);
  if (descriptor < 0) {
    const int error = errno;
    HIPLZ_LOG_INFO("%zu bytes of shared memory cannot be created: %s", bytes, describeSystemError(error).c_str());
    throw Error{shortageResult(error)};
  }
  return std::shared_ptr<SharedFile>(new SharedFile(descriptor));
}

void SharedFile::setOpen(bool isOpen) const {
  if (!setMemoryFileOpen(descriptor_, isOpen))
    throw Error{ZE_RESULT_ERROR_UNKNOWN, "the access to shared memory cannot be changed"};
}

std::shared_ptr<SharedFile> SharedFile::import(int descriptor, size_t bytes) {
  int own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0)
    throw Error{errno == EBADF ? ZE_RESULT_ERROR_INVALID_ARGUMENT : shortageResult(errno)};
  std::shared_ptr<SharedFile> file(new SharedFile(own));
  struct stat status {};
  off_t size = -1;
  if (::fstat(own, &status) == 0 && S_ISREG(status.st_mode))
    size = status.st_size;
  else if ((status.st_mode & S_IFMT) == 0) // a dma_buf is of no kind, and its position nothing that could be lost
    size = ::lseek(own, 0, SEEK_END);
  if (size < 0)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the descriptor is not of memory"};
  if (static_cast<uint64_t>(size) < bytes)
    throw Error{ZE_RESULT_ERROR_INVALID_SIZE, "the descriptor is of less memory"};
  void *probe = ::mmap(nullptr, pageSize(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, own, 0);
  if (probe == MAP_FAILED)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the descriptor cannot be mapped for writing"};
  ::munmap(probe, pageSize());
  return file;
}

IpcRecord SharedFile::read(const void *handle, IpcKind kind) {
  IpcRecord record;
  std::memcpy(&record, handle, sizeof record);
  if (record.magic != kMagic || record.kind != kind)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "it is not a handle of this kind"};
  return record;
}

std::shared_ptr<SharedFile> SharedFile::open(const void *handle, IpcKind kind, IpcRecord &record) {
  record = read(handle, kind);
  // A descriptor that has been sent may have the number that it has in the exporting process.
  OpenedMemoryFile opened = openMemoryFile(::getpid(), record.sent, record.inode, nameOf(kind));
  if (opened.descriptor < 0 && record.sent == record.descriptor && record.process != ::getpid())
    opened = openMemoryFile(record.process, record.descriptor, record.inode, nameOf(kind));
  if (opened.descriptor < 0) {
    HIPLZ_LOG_INFO("an IPC handle cannot be opened: %s", opened.refusal.c_str());
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  }
  std::shared_ptr<SharedFile> file(new SharedFile(opened.descriptor));
  // A file is what it describes, in whole pages or exactly.
  if (record.size == 0 || record.size > opened.bytes || opened.bytes - record.size >= pageSize()) {
    HIPLZ_LOG_INFO("an IPC handle says %llu bytes, its file has %llu", static_cast<unsigned long long>(record.size),
                   static_cast<unsigned long long>(opened.bytes));
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  }
  return file;
}

SharedFile::~SharedFile() { ::close(descriptor_); }

uint64_t SharedFile::residentBytes() const {
  struct stat status {};
  return ::fstat(descriptor_, &status) == 0 ? static_cast<uint64_t>(status.st_blocks) * 512 : 0;
}

void SharedFile::describe(void *handle, size_t handleBytes, IpcKind kind, uint64_t size) const {
  struct stat status {};
  ::fstat(descriptor_, &status);
  IpcRecord record{descriptor_, kMagic, kind, ::getpid(), descriptor_, status.st_ino, size};
  std::memset(handle, 0, handleBytes);
  std::memcpy(handle, &record, sizeof record);
}

std::byte *SharedFile::map(void *place, size_t bytes, size_t offset, int protection) const {
  void *memory = ::mmap(place, bytes, protection, MAP_SHARED | MAP_NORESERVE | (place ? MAP_FIXED : 0), descriptor_,
                        static_cast<off_t>(offset));
  if (memory == MAP_FAILED)
    return nullptr;
  if (bytes >= kHugePage)
    ::madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<std::byte *>(memory);
}

} // namespace hiplz::cpu
