// SPDX-License-Identifier: MIT
// See move_into_file.h.
#include "cpu/objects/move_into_file.h"
#include "base/mutex.h"
#include "cpu/exec/fault.h"
#include "cpu/objects/object.h"

#include <algorithm>
#include <sys/syscall.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

// Moved at a time: what is needed in addition, and how long a writer may have to wait (about 10 ms).
constexpr size_t kPieceBytes = 32 << 20;

// The memory read here is read-only at the moment, and its replacement has the same contents, neither of which a thread
// sanitizer can know. So it does not look at this function, and pages are written and replaced by bare system calls.
__attribute__((no_sanitize("thread"))) bool isZero(const std::byte *page) {
  auto *words = reinterpret_cast<const uint64_t *>(page);
  uint64_t all = 0;
  for (size_t word = 0; word < pageSize() / sizeof *words; ++word)
    all |= words[word];
  return all == 0;
}

// Pages of zeros are left out, so that memory which has never been written stays without pages.
bool writePages(const SharedFile &file, const std::byte *from, size_t bytes, size_t offset) {
  for (size_t page = 0; page < bytes; page += pageSize())
    if (!isZero(from + page) && ::syscall(SYS_pwrite64, file.descriptor(), from + page, pageSize(), offset + page) !=
                                    static_cast<long>(pageSize()))
      return false;
  return true;
}

bool replacePages(const SharedFile &file, std::byte *base, size_t bytes, size_t offset) {
  return ::syscall(SYS_mmap, base, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
                   file.descriptor(), offset) == reinterpret_cast<long>(base);
}

} // namespace

std::shared_ptr<SharedFile> moveIntoFile(std::byte *base, size_t bytes) {
  static Mutex mutex(LockRank::cpuRelocation); // one relocation at a time
  Lock lock(mutex);
  std::shared_ptr<SharedFile> file = SharedFile::create(IpcKind::memory, bytes);
  for (size_t done = 0; done < bytes; done += kPieceBytes) {
    size_t piece = std::min(kPieceBytes, bytes - done);
    beginRelocation(base + done, base + done + piece);
    const bool moved = ::mprotect(base + done, piece, PROT_READ) == 0 && writePages(*file, base + done, piece, done) &&
                       replacePages(*file, base + done, piece, done);
    if (!moved)
      ::mprotect(base + done, piece, PROT_READ | PROT_WRITE);
    endRelocation();
    if (!moved)
      throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  }
  return file;
}

} // namespace hiplz::cpu
