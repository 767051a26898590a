// SPDX-License-Identifier: MIT
#include "prof/recorder/trace_file.h"
#include "base/log.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace hiplz::prof {
namespace {

// A process that calls exec leaves its number to the next program.
constexpr int kMostOfProcess = 10000;

} // namespace

int mpiRank() {
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    const char *text = ::secure_getenv(name);
    int rank = -1;
    if (text && std::from_chars(text, text + std::strlen(text), rank).ec == std::errc() && rank >= 0)
      return rank;
  }
  return -1;
}

// Somebody who profiles wants to know why there is nothing, so this does not depend on HIPLZ_LOG.
void TraceFile::giveUp(const char *what, int error) {
  if (!failed_.exchange(true))
    logLine("the profile of process %d ends here: %s %s: %s", static_cast<int>(::getpid()), what, folder_.c_str(),
            std::strerror(error));
}

bool TraceFile::open(State &state) {
  opened_.store(true, std::memory_order_relaxed);
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat about {};
  if (folder < 0 || ::fstat(folder, &about) != 0) {
    giveUp("cannot open", errno);
    return false;
  }
  int error = 0;
  if (about.st_uid != ::geteuid() || (about.st_mode & (S_IWGRP | S_IWOTH))) {
    error = EPERM; // others could put links there
  } else {
    const int rank = mpiRank();
    const std::string stem = (rank >= 0 ? "rank" + std::to_string(rank) + "-" : "") + std::to_string(::getpid()) + "-";
    for (int number = 0; number < kMostOfProcess && state.file < 0; ++number) {
      const std::string name = stem + std::to_string(number) + ".hlzt";
      state.file = ::openat(folder, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
      error = errno;
      if (state.file < 0 && error != EEXIST)
        break;
    }
  }
  ::close(folder);
  if (state.file < 0) {
    giveUp("cannot write to", error);
    return false;
  }
  trace::FileHeader header{{}, trace::kVersion, trace::kChunkBytes};
  std::memcpy(header.magic, trace::kMagic, sizeof header.magic);
  if (::pwrite(state.file, &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header)) {
    giveUp("cannot write to", errno);
    return false;
  }
  state.bytes = trace::kChunkBytes;
  return true;
}

trace::ChunkHeader *TraceFile::newChunk(bool &first, trace::ChunkHeader *full) {
  trace::ChunkHeader *chunk = nullptr;
  {
    Lock lock(mutex_);
    first = !opened();
    if (first && !open(state_))
      return nullptr;
    if (full && startHelper(state_))
      state_.full.push_back(std::exchange(full, nullptr));
    chunk = std::exchange(state_.spare, nullptr);
  }
  if (full)
    seal(full);
  else
    work_.notify_one();
  if (!chunk)
    chunk = makeChunk();
  if (chunk)
    *chunk = {trace::ChunkHeader::kMagic, static_cast<uint32_t>(::gettid()), sizeof(trace::ChunkHeader), 0, 0};
  return chunk;
}

trace::ChunkHeader *TraceFile::makeChunk() {
  if (failed())
    return nullptr;
  int file;
  off_t offset;
  {
    Lock lock(mutex_);
    // Beyond this limit the kernel sends a signal that ends the program.
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && state_.bytes + trace::kChunkBytes > limit.rlim_cur) {
      giveUp("the limit of file sizes is reached in", EFBIG);
      return nullptr;
    }
    file = state_.file;
    offset = static_cast<off_t>(state_.bytes);
    state_.bytes += trace::kChunkBytes;
  }
  if (const int error = ::posix_fallocate(file, offset, trace::kChunkBytes)) {
    giveUp("no more space in", error);
    return nullptr;
  }
  void *memory = ::mmap(nullptr, trace::kChunkBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
  if (memory == MAP_FAILED) {
    giveUp("cannot map a file in", errno);
    return nullptr;
  }
  // All pages at once instead of a fault for each. Kernels before 5.14 do not know it.
  ::madvise(memory, trace::kChunkBytes, MADV_POPULATE_WRITE);
  return static_cast<trace::ChunkHeader *>(memory);
}

// Without the thread everything works the same, only slower.
bool TraceFile::startHelper(State &state) {
  if (state.helper != Helper::none)
    return state.helper == Helper::runs;
  state.helper = Helper::runs;
  sigset_t all, previous; // the application's signals are not for a thread that it does not know
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &previous);
  try {
    std::thread([this] { help(); }).detach();
  } catch (const std::system_error &) {
    state.helper = Helper::impossible;
  }
  ::pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  return state.helper == Helper::runs;
}

void TraceFile::help() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
  ::pthread_setname_np(::pthread_self(), "hiplz-trace");
  std::vector<trace::ChunkHeader *> full;
  for (;;) {
    bool needed;
    {
      Lock lock(mutex_);
      while (state_.full.empty() && (state_.spare || failed()))
        waitLocked(mutex_, [this](auto &standard) { work_.wait(standard); });
      full.swap(state_.full);
      needed = !state_.spare;
    }
    trace::ChunkHeader *spare = needed ? makeChunk() : nullptr;
    if (spare) {
      Lock lock(mutex_);
      state_.spare = spare; // nobody else makes one
    }
    for (trace::ChunkHeader *chunk : full)
      seal(chunk);
    full.clear();
  }
}

void TraceFile::seal(trace::ChunkHeader *chunk) {
  chunk->checksum = trace::checksumOf(chunk + 1, chunk->used - sizeof *chunk);
  std::atomic_ref(chunk->sealed).store(1, std::memory_order_release);
  ::munmap(chunk, trace::kChunkBytes);
}

void TraceFile::beforeFork() HIPLZ_NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }

void TraceFile::afterForkInParent() HIPLZ_NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock(); }

void TraceFile::afterForkInChild() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
  if (state_.file >= 0)
    ::close(state_.file);
  // Chunks of the parent stay mapped and untouched. The thread did not come along, nor what waited for work_.
  state_ = {};
  state_.helper = Helper::impossible;
  opened_.store(false, std::memory_order_relaxed);
  failed_.store(false, std::memory_order_relaxed);
  mutex_.unlock();
}

} // namespace hiplz::prof
