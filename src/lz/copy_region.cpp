// Between the descriptions of the application and the runtime's own.
#include "lz/copy_region.h"

namespace hiplz {

CopyRegion rowsRegion(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                      hipMemcpyKind kind) {
  CopyRegion region;
  region.to.base = static_cast<std::byte *>(to);
  region.to.pitch = toPitch;
  region.from.base = static_cast<std::byte *>(const_cast<void *>(from));
  region.from.pitch = fromPitch;
  region.width = width;
  region.height = height;
  region.kind = kind;
  return region;
}

CopyRegion linearRegion(void *to, const void *from, size_t bytes, hipMemcpyKind kind) {
  return rowsRegion(to, bytes, from, bytes, bytes, 1, kind);
}

} // namespace hiplz
