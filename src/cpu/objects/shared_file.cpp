// See shared_file.h.
#include "cpu/objects/shared_file.h"
#include "base/log.h"
#include "cpu/objects/object.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {
constexpr uint32_t kMagic = 0x68'7a'69'70; // "hzip"
} // namespace

size_t pageSize() {
  static const size_t size = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

std::shared_ptr<SharedFile> SharedFile::create(size_t bytes) {
  int descriptor = ::memfd_create("hiplz-cpu", MFD_CLOEXEC);
  if (descriptor < 0)
    throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  std::shared_ptr<SharedFile> file(new SharedFile(descriptor));
  if (::ftruncate(descriptor, static_cast<off_t>(bytes)) != 0)
    throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  return file;
}

std::shared_ptr<SharedFile> SharedFile::import(int descriptor, size_t bytes) {
  int own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0)
    throw Error{errno == EBADF ? ZE_RESULT_ERROR_INVALID_ARGUMENT : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  std::shared_ptr<SharedFile> file(new SharedFile(own));
  struct stat status;
  if (::fstat(own, &status) != 0 || !S_ISREG(status.st_mode))
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  if (static_cast<uint64_t>(status.st_size) < bytes)
    throw Error{ZE_RESULT_ERROR_INVALID_SIZE};
  return file;
}

std::shared_ptr<SharedFile> SharedFile::open(const void *handle, IpcKind kind, IpcRecord &record) {
  std::memcpy(&record, handle, sizeof record);
  if (record.magic != kMagic || record.kind != kind)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", record.process, record.descriptor);
  int descriptor = ::open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) {
    HIPLZ_LOG_INFO("an IPC handle cannot be opened: %s: %s", path, std::strerror(errno));
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  }
  std::shared_ptr<SharedFile> file(new SharedFile(descriptor));
  struct stat status;
  if (::fstat(descriptor, &status) != 0 || status.st_ino != record.inode ||
      static_cast<uint64_t>(status.st_size) < record.size) {
    HIPLZ_LOG_INFO("an IPC handle is out of date: what it referred to has been freed");
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  }
  return file;
}

SharedFile::~SharedFile() { ::close(descriptor_); }

void SharedFile::describe(void *handle, size_t handleBytes, IpcKind kind, uint64_t size) const {
  struct stat status{};
  ::fstat(descriptor_, &status);
  IpcRecord record{kMagic, kind, ::getpid(), descriptor_, status.st_ino, size};
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
