// SPDX-License-Identifier: MIT
// Anonymous files (memfd) that processes share. Another process names one by the number of a process and of its
// descriptor, and a process that opens it must not believe that: the number may be that of a file of the user, a device or a
// pipe. So a file of ours has a name that says what is in it, its size is sealed, and nothing else is ever opened.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace hiplz {

/// A new file of `bytes` zeros, whose size can never change. Returns a descriptor, closed on exec, that belongs to the
/// caller; -1 with errno set if there is none. Thread-safe.
int createMemoryFile(const char *name, size_t bytes);

/// True if others may open a memory file by openMemoryFile(), as they may at first; those that have a descriptor keep it. False
/// with errno set if that fails. Thread-safe.
bool setMemoryFileOpen(int descriptor, bool isOpen);

struct OpenedMemoryFile {
  int descriptor = -1; ///< the caller's, closed on exec
  uint64_t bytes = 0;
  std::string refusal; ///< why there is no descriptor
};

/// Opens for reading and writing what createMemoryFile made in another process under this name. `inode` tells it from
/// a later file of the same numbers. Any other file is not opened at all, so that nothing happens to it.
/// Thread-safe.
OpenedMemoryFile openMemoryFile(int process, int descriptor, uint64_t inode, const char *name);

} // namespace hiplz
