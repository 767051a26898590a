// SPDX-License-Identifier: MIT
// Copies by a group. They are done by its threads together, in pieces as large as addresses and size allow, before the call
// returns; wait() makes them visible to all threads of the group.
#pragma once

#include "../spirv/user_macros_off.h"

#include <hip/hip_cooperative_groups.h>

#if defined(__cplusplus) && defined(__HIP__)
namespace cooperative_groups {

/// A size that is a multiple of `alignment`, which is that of both addresses too.
template <size_t alignment> struct aligned_size_t {
  size_t size;
  __HIPLZ_BOTH explicit aligned_size_t(size_t bytes) : size(bytes) {}
  __HIPLZ_BOTH operator size_t() const { return size; }
};

namespace internal {
// Memory of any type.
template <unsigned count> struct __attribute__((may_alias)) Words {
  unsigned words[count];
} __attribute__((aligned(4 * count)));

template <class Piece, class Group>
__HIPLZ_DEVICE void copyPieces(const Group &group, void *to, const void *from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(Piece); i += (size_t)group.size())
    ((Piece *)to)[i] = ((const Piece *)from)[i];
}
} // namespace internal

/// Copies bytes. No thread may use the destination, nor change the source, before wait() or wait_prior().
template <class Group, class T>
__HIPLZ_DEVICE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
  size_t bits = (size_t)to | (size_t)from | bytes;
  if (bits % 16 == 0)
    internal::copyPieces<internal::Words<4>>(group, to, from, bytes);
  else if (bits % 4 == 0)
    internal::copyPieces<internal::Words<1>>(group, to, from, bytes);
  else
    internal::copyPieces<unsigned char>(group, to, from, bytes);
}
/// Copies as many elements as both sides have.
template <class Group, class To, class From>
__HIPLZ_DEVICE void memcpy_async(const Group &group, To *to, size_t toCount, const From *from, size_t fromCount) {
  static_assert(sizeof(To) == sizeof(From), "the elements of both sides have the same size");
  size_t count = toCount < fromCount ? toCount : fromCount;
  memcpy_async(group, (char *)to, (const char *)from, count * sizeof(To));
}

/// Waits for the copies of the group, and for its threads.
template <class Group> __HIPLZ_DEVICE void wait(const Group &group) { group.sync(); }
/// The same, for all copies but the last `count`, which this waits for too.
template <unsigned count, class Group> __HIPLZ_DEVICE void wait_prior(const Group &group) { group.sync(); }

} // namespace cooperative_groups
#endif
#include "../spirv/user_macros_on.h"
