// SPDX-License-Identifier: MIT
// A file beside the entry, locked by flock: the system unlocks it when its holder dies. The holder removes it, so
// the process that gets the lock checks that the file still has that name.
#include "base/cache_lock.h"
#include "base/cancellation.h"
#include "base/log.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace hiplz {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{60};
constexpr std::chrono::milliseconds kLongestPause{20};

bool isStillThere(const OpenFile &folder, const char *name, const OpenFile &file) {
  struct stat ours, named;
  return ::fstat(file.descriptor(), &ours) == 0 &&
         ::fstatat(folder.descriptor(), name, &named, AT_SYMLINK_NOFOLLOW) == 0 && ours.st_ino == named.st_ino &&
         ours.st_dev == named.st_dev;
}

} // namespace

CacheLock::CacheLock(const std::string &entry, const std::atomic<bool> *givesUp) {
  if (entry.empty())
    return;
  const CancellationOff notNow;
  const size_t slash = entry.rfind('/');
  folder_ = openCacheFolder(entry.substr(0, slash), true);
  if (!folder_)
    return;
  name_ = entry.substr(slash + 1) + ".lock";
  const auto end = Clock::now() + kPatience;
  std::chrono::milliseconds pause{1};
  while (take() == Attempt::busy && Clock::now() < end && !(givesUp && *givesUp)) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
}

CacheLock::Attempt CacheLock::take() {
  const char *name = name_.c_str();
  OpenFile file(::openat(folder_.descriptor(), name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file)
    return Attempt::failed;
  if (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK || errno == EINTR ? Attempt::busy : Attempt::failed;
  if (!isStillThere(folder_, name, file))
    return Attempt::busy;
  file_ = std::move(file);
  return Attempt::taken;
}

CacheLock::~CacheLock() {
  if (!file_)
    return;
  const CancellationOff notNow;
  ::unlinkat(folder_.descriptor(), name_.c_str(), 0);
  ::flock(file_.descriptor(), LOCK_UN); // a process that was forked meanwhile has the descriptor as well
}

} // namespace hiplz
