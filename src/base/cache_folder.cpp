// SPDX-License-Identifier: MIT
// See cache_folder.h. Everything below a folder goes through its descriptor, so what has been checked is what is used.
#include "base/cache_folder.h"
#include "base/log.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace hiplz {
namespace {

constexpr size_t kNameDigits = 32;
constexpr time_t kAbandonedSeconds = 3600; // writing an entry never takes an hour

template <class Pointer, class Call> bool transfer(Pointer at, size_t bytes, Call call) {
  while (bytes) {
    ssize_t done = call(at, bytes);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    at += done;
    bytes -= static_cast<size_t>(done);
  }
  return true;
}

/// Makes the folder and those above it. Zero, or the number of the first error: later ones only follow from it.
int makeFolders(const std::string &path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    if (::mkdir(path.substr(0, slash).c_str(), 0700) != 0 && errno != EEXIST)
      return errno;
    if (slash == path.npos)
      return 0;
  }
}

/// Calls visit(name) for what is in a folder. The descriptor stays the caller's.
template <class Visit> void forEachIn(int folder, Visit visit) {
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = again >= 0 ? ::fdopendir(again) : nullptr;
  if (!list) {
    if (again >= 0)
      ::close(again);
    return;
  }
  while (const dirent *entry = ::readdir(list))
    if (entry->d_name[0] != '.')
      visit(entry->d_name);
  ::closedir(list);
}

bool isHexadecimal(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

struct Entry {
  size_t folder;
  std::string name;
  uint64_t bytes;
  timespec used;
};

} // namespace

OpenFile::~OpenFile() { close(); }

OpenFile &OpenFile::operator=(OpenFile &&other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

bool OpenFile::close() {
  if (descriptor_ < 0)
    return true;
  const bool whole = ::close(descriptor_) == 0;
  descriptor_ = -1;
  return whole;
}

bool OpenFile::readAll(void *to, size_t bytes) {
  return transfer(static_cast<char *>(to), bytes, [this](char *at, size_t n) { return ::read(descriptor_, at, n); });
}

bool OpenFile::writeAll(const void *from, size_t bytes) {
  return transfer(static_cast<const char *>(from), bytes,
                  [this](const char *at, size_t n) { return ::write(descriptor_, at, n); });
}

bool isOurs(const struct stat &status, std::string &why) {
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    why = "it belongs to user " + std::to_string(status.st_uid);
    return false;
  }
  if (status.st_mode & (S_IWGRP | S_IWOTH)) {
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", static_cast<unsigned>(status.st_mode & 07777));
    why = std::string("others may write it (mode ") + mode + ")";
    return false;
  }
  return true;
}

OpenFile openCacheFolder(const std::string &path, bool create) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  int descriptor = ::open(path.c_str(), kFlags);
  if (descriptor < 0 && errno == ENOENT && create) {
    const int error = makeFolders(path);
    descriptor = ::open(path.c_str(), kFlags);
    if (descriptor < 0 && error)
      errno = error;
  }
  if (descriptor < 0)
    return OpenFile();
  OpenFile folder(descriptor);
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return OpenFile();
  if (std::string why; !isOurs(status, why)) {
    HIPLZ_LOG_ERROR("the cache folder %s is not used: %s; you must own it, and nobody else may write to it",
                    path.c_str(), why.c_str());
    errno = EPERM;
    return OpenFile();
  }
  return folder;
}

void trimCaches(const std::string &root, uint64_t limit) {
  const OpenFile top = openCacheFolder(root, false);
  if (!top)
    return;
  std::vector<OpenFile> folders;
  std::vector<Entry> entries;
  uint64_t total = 0;
  const time_t now = ::time(nullptr);
  forEachIn(top.descriptor(), [&](const char *cache) {
    OpenFile folder(::openat(top.descriptor(), cache, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder)
      return;
    forEachIn(folder.descriptor(), [&](const char *file) {
      const std::string_view name = file;
      struct stat status;
      if (name.size() < kNameDigits || !isHexadecimal(name.substr(0, kNameDigits)) ||
          ::fstatat(folder.descriptor(), file, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
        return;
      if (name.size() == kNameDigits) {
        const uint64_t bytes = static_cast<uint64_t>(status.st_blocks) * 512;
        entries.push_back({folders.size(), file, bytes, status.st_mtim});
        total += bytes;
      } else if (name[kNameDigits] == '.' && status.st_mtim.tv_sec + kAbandonedSeconds < now) {
        ::unlinkat(folder.descriptor(), file, 0);
      }
    });
    folders.push_back(std::move(folder));
  });
  if (total <= limit)
    return;
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
  });
  const uint64_t goal = limit - limit / 8; // so that the next entries do not have to do this again
  size_t removed = 0;
  for (; removed < entries.size() && total > goal; ++removed) {
    const Entry &entry = entries[removed];
    ::unlinkat(folders[entry.folder].descriptor(), entry.name.c_str(), 0);
    total -= entry.bytes;
  }
  HIPLZ_LOG_DEBUG("%zu of %zu cache entries in %s were removed to stay within HIPLZ_CACHE_SIZE", removed,
                  entries.size(), root.c_str());
}

} // namespace hiplz
