// SPDX-License-Identifier: MIT
// See foreign_runtime.h. Libraries of ours under AMD's name (src/amdhip64) reach this library, so what tells is which file defines the
// function that they lead to.
#include "lz/context/foreign_runtime.h"
#include "base/env.h"
#include "base/log.h"

#include <dlfcn.h>
#include <link.h>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz {
namespace {

const void *libraryOf(const void *address) {
  Dl_info info{};
  return ::dladdr(address, &info) ? info.dli_fbase : nullptr;
}

bool isForeign(const std::string &path) {
  void *const handle = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return false;
  const void *const function = ::dlsym(handle, "hipMalloc");
  ::dlclose(handle);
  return function && libraryOf(function) != libraryOf(reinterpret_cast<const void *>(&sayIfForeign));
}

} // namespace

void sayIfForeign() {
  if (!envFlag(EnvVar::HIPLZ_FOREIGN_HIP))
    return;
  std::vector<std::string> paths;
  ::dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *found) {
        const std::string_view path = info->dlpi_name;
        if (path.substr(path.rfind('/') + 1).starts_with("libamdhip64.so"))
          static_cast<std::vector<std::string> *>(found)->emplace_back(path);
        return 0;
      },
      &paths);
  for (const std::string &path : paths)
    if (isForeign(path))
      logLine("another HIP runtime is in this process beside HIPLZ: %s, with which some library was linked. Memory and "
              "streams of the "
              "two do not mix. Put HIPLZ's folder with AMD's library names first in LD_LIBRARY_PATH (docs/using.md), "
              "or link "
              "that library with HIPLZ; HIPLZ_FOREIGN_HIP=0 turns this line off",
              path.c_str());
}

} // namespace hiplz
