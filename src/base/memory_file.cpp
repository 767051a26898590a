// SPDX-License-Identifier: MIT
// See memory_file.h.
#include "base/memory_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hiplz {
namespace {

// Without them another process could truncate what is mapped here, and an access would raise SIGBUS.
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (number_ >= 0)
      ::close(number_);
  }
  int get() const { return number_; }
  int release() {
    const int number = number_;
    number_ = -1;
    return number;
  }

private:
  int number_;
};

std::string pathOf(const std::string &process, int descriptor) {
  return "/proc/" + process + "/fd/" + std::to_string(descriptor);
}

constexpr mode_t kOwnersAccess = S_IRUSR | S_IWUSR;

/// The device number of the kernel's mount that all such files are in.
std::optional<dev_t> memoryDevice() {
  static const std::optional<dev_t> device = []() -> std::optional<dev_t> {
    const Descriptor sample(::memfd_create("hiplz", MFD_CLOEXEC));
    struct stat status {};
    if (sample.get() < 0 || ::fstat(sample.get(), &status) != 0)
      return std::nullopt;
    return status.st_dev;
  }();
  return device;
}

bool isNamed(int descriptor, const char *name) {
  char target[128];
  const ssize_t length = ::readlink(pathOf("self", descriptor).c_str(), target, sizeof target);
  return length > 0 && std::string(target, length) == "/memfd:" + std::string(name) + " (deleted)";
}

} // namespace

int createMemoryFile(const char *name, size_t bytes) {
  Descriptor file(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.get() < 0 || ::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(file.get(), F_ADD_SEALS, kSeals) != 0)
    return -1;
  return file.release();
}

bool setMemoryFileOpen(int descriptor, bool isOpen) { return ::fchmod(descriptor, isOpen ? kOwnersAccess : 0) == 0; }

OpenedMemoryFile openMemoryFile(int process, int descriptor, uint64_t inode, const char *name) {
  OpenedMemoryFile result;
  // Opening a path alone has no effect on what it leads to, whatever that is.
  const std::string path = pathOf(std::to_string(process), descriptor);
  const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (place.get() < 0) {
    result.refusal = path + ": " + std::strerror(errno);
    return result;
  }
  struct stat status {};
  if (::fstat(place.get(), &status) != 0 || !S_ISREG(status.st_mode) || memoryDevice() != status.st_dev ||
      !isNamed(place.get(), name) || status.st_ino != inode || (status.st_mode & kOwnersAccess) != kOwnersAccess) {
    result.refusal = path + " is not, or is no longer, what was shared";
    return result;
  }
  Descriptor file(::open(pathOf("self", place.get()).c_str(), O_RDWR | O_CLOEXEC));
  if (file.get() < 0) {
    result.refusal = path + ": " + std::strerror(errno);
    return result;
  }
  const int seals = ::fcntl(file.get(), F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals) {
    result.refusal = path + " is a file whose size can change";
    return result;
  }
  result.bytes = static_cast<uint64_t>(status.st_size);
  result.descriptor = file.release();
  return result;
}

} // namespace hiplz
