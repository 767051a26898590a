// See move_into_file.h.
#include "cpu/objects/move_into_file.h"
#include "cpu/exec/fault.h"
#include "cpu/objects/object.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

namespace hiplz::cpu {
namespace {

// Moved at a time: what is needed in addition, and how long a writer may have to wait (about 10 ms).
constexpr size_t kPieceBytes = 32 << 20;

bool isZero(const std::byte *page, size_t bytes) {
  return page[0] == std::byte{0} && std::memcmp(page, page + 1, bytes - 1) == 0;
}

// Pages of zeros are left out, so that memory which has never been written stays without pages.
void copyPages(std::byte *to, const std::byte *from, size_t bytes) {
  for (size_t page = 0; page < bytes; page += pageSize())
    if (!isZero(from + page, pageSize()))
      std::memcpy(to + page, from + page, pageSize());
}

} // namespace

std::shared_ptr<SharedFile> moveIntoFile(std::byte *base, size_t bytes) {
  static std::mutex mutex; // one relocation at a time
  std::lock_guard lock(mutex);
  std::shared_ptr<SharedFile> file = SharedFile::create(bytes);
  for (size_t done = 0; done < bytes; done += kPieceBytes) {
    size_t piece = std::min(kPieceBytes, bytes - done);
    std::byte *copy = file->map(nullptr, piece, done);
    if (!copy)
      throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
    beginRelocation(base + done, base + done + piece);
    bool moved = ::mprotect(base + done, piece, PROT_READ) == 0;
    if (moved) {
      copyPages(copy, base + done, piece);
      moved = file->map(base + done, piece, done) != nullptr;
      if (!moved)
        ::mprotect(base + done, piece, PROT_READ | PROT_WRITE);
    }
    endRelocation();
    ::munmap(copy, piece);
    if (!moved)
      throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  }
  return file;
}

} // namespace hiplz::cpu
