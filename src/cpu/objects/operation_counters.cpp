// SPDX-License-Identifier: MIT
// See operation_counters.h. A forked child adds to the pages that it has inherited, and begins a file of its own for new kernels:
// nobody knows which pages of the parent's file the parent has used meanwhile.
#include "cpu/objects/operation_counters.h"
#include "base/env.h"
#include "base/lockable.h"
#include "base/log.h"
#include "cpu/check/tools.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

// A process that calls exec leaves its number to the next program.
constexpr int kMostOfProcess = 10000;

class CounterFile {
public:
  explicit CounterFile(std::string folder) : folder_(std::move(folder)) {}

  counts::Page *page(const std::string &kernel) {
    counts::Page *&page = pages_[kernel];
    if (!page)
      page = make(kernel);
    return page;
  }

private:
  counts::Page *make(const std::string &kernel) {
    void *memory = MAP_FAILED;
    if (const int error = grow())
      logLine("operations of %s are not counted: %s: %s", kernel.c_str(), folder_.c_str(), std::strerror(error));
    else
      memory = ::mmap(nullptr, counts::kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_,
                      bytes_ - static_cast<off_t>(counts::kPageBytes));
    if (memory == MAP_FAILED)
      memory = ::mmap(nullptr, counts::kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    auto *page = new (memory) counts::Page{};
    page->nameBytes = static_cast<uint32_t>(std::min(kernel.size(), counts::Page::kLongestName));
    std::memcpy(page->name, kernel.data(), page->nameBytes);
    std::memcpy(page->magic, counts::Page::kMagic, sizeof page->magic);
    return page;
  }

  // One page more, with space on the disk. An error number if that is not possible.
  int grow() {
    if (owner_ != ::getpid()) {
      if (const int error = open())
        return error;
      owner_ = ::getpid();
    }
    if (const int error = ::posix_fallocate(file_, bytes_, counts::kPageBytes))
      return error;
    bytes_ += counts::kPageBytes;
    return 0;
  }

  int open() {
    const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat about {};
    if (folder < 0 || ::fstat(folder, &about) != 0) {
      const int error = errno;
      if (folder >= 0)
        ::close(folder);
      return error;
    }
    int error = EPERM; // others could put links there
    if (about.st_uid == ::geteuid() && !(about.st_mode & (S_IWGRP | S_IWOTH)))
      for (int number = 0; error && number < kMostOfProcess; ++number) {
        const std::string name = std::to_string(::getpid()) + "-" + std::to_string(number) + counts::kSuffix;
        const int file = ::openat(folder, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        error = file < 0 ? errno : 0;
        if (error && error != EEXIST)
          break;
        if (error)
          continue;
        if (file_ >= 0)
          ::close(file_);
        file_ = file;
        bytes_ = 0;
      }
    ::close(folder);
    return error;
  }

  const std::string folder_;
  int file_ = -1;
  off_t bytes_ = 0;
  pid_t owner_ = 0; // the process that has opened the file
  std::map<std::string, counts::Page *, std::less<>> pages_;
};

} // namespace

counts::Page *operationCounters(const std::string &kernel) {
  static const std::string folder = envString(EnvVar::HIPLZ_CPU_COUNTS);
  if (folder.empty() || check::tools().any()) // checked code does not count
    return nullptr;
  static auto &file = *new Lockable<CounterFile>(LockRank::cpuCounters, folder); // kernels outlive static objects
  return file.lock()->page(kernel);
}

} // namespace hiplz::cpu
