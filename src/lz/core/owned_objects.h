// SPDX-License-Identifier: MIT
// Objects that the application has made and not yet destroyed, for hiplz-check --leak-check=full. Tables of handles (handle_table.h) say
// when one is gone.
#pragma once
#include "base/host_stack.h"

#include <string>
#include <vector>

namespace hiplz {

class OwnedObjects {
public:
  struct Object {
    std::string kind; ///< "a stream"
    HostStack madeBy;
  };

  /// Nothing is kept before this. Once, before other threads use the runtime.
  static void watch() noexcept { isWatched_ = true; }

  static void made(const char *kind, const void *handle) {
    if (isWatched_) [[unlikely]]
      add(kind, handle);
  }
  static void gone(const void *handle) noexcept {
    if (isWatched_) [[unlikely]]
      remove(handle);
  }

  /// Those that are left.
  static std::vector<Object> all();

private:
  static void add(const char *kind, const void *handle);
  static void remove(const void *handle) noexcept;

  static inline bool isWatched_ = false;
};

} // namespace hiplz
