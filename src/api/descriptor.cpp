// SPDX-License-Identifier: MIT
// File descriptors in arguments.
#include "api/current.h"

#include <climits>
#include <fcntl.h>
#include <unistd.h>

namespace hiplz {
namespace {

/// Copies an int out of memory that may not be there: the system says so where the processor would fault.
bool readInt(const void *from, int &value) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw HipError(hipErrorOutOfMemory, "no file descriptors are left");
  const bool there =
      ::write(ends[1], from, sizeof value) == sizeof value && ::read(ends[0], &value, sizeof value) == sizeof value;
  ::close(ends[0]);
  ::close(ends[1]);
  return there;
}

} // namespace

int descriptorFrom(const void *shared) {
  const uintptr_t value = reinterpret_cast<uintptr_t>(shared);
  if (value <= INT_MAX && ::fcntl(static_cast<int>(value), F_GETFD) >= 0)
    return static_cast<int>(value);
  int descriptor = -1;
  if (!readInt(shared, descriptor))
    throw HipError(hipErrorInvalidValue,
                   "the shareable handle is neither an open file descriptor nor the address of one");
  return descriptor;
}

} // namespace hiplz
