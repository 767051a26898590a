// SPDX-License-Identifier: MIT
// Files and folders of the disk cache: who may have written them, and how large they have become.
#pragma once
#include <cstdint>
#include <string>
#include <sys/stat.h>

namespace hiplz {

/// A descriptor that is closed by the destructor.
class OpenFile {
public:
  explicit OpenFile(int descriptor = -1) : descriptor_(descriptor) {}
  ~OpenFile();
  OpenFile(OpenFile &&other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  OpenFile &operator=(OpenFile &&other) noexcept;
  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool readAll(void *to, size_t bytes);
  bool writeAll(const void *from, size_t bytes);
  /// False if what was written may not have arrived.
  bool close();

private:
  int descriptor_;
};

/// True if only the user of the process, or root, can have written it; else `why` is half a sentence.
bool isOurs(const struct stat &status, std::string &why);

/// A folder, for use with the functions that take one. It is made, for the user alone, if it is not there and `create` is
/// true. Fails with errno; with EPERM, and a line in the log, if it is not ours.
OpenFile openCacheFolder(const std::string &path, bool create);

/// Removes the entries in the folders below `root` that were not used for the longest time until all fit into `limit`
/// bytes, and what dead processes left half-written. Touches nothing but files with names of entries.
void trimCaches(const std::string &root, uint64_t limit);

} // namespace hiplz
