// SPDX-License-Identifier: MIT
#include "base/profiler.h"
#include "base/env.h"
#include "base/log.h"

#include <dlfcn.h>
#include <filesystem>
#include <string>

namespace hiplz {

std::atomic<const ProfilerHooks *> detail::profilerHooks{nullptr};

void openProfiler() {
  if (envString(EnvVar::HIPLZ_PROF).empty())
    return;
  Dl_info self;
  if (!::dladdr(reinterpret_cast<const void *>(&openProfiler), &self) || !self.dli_fname)
    return;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::canonical(self.dli_fname, error).parent_path();
  const std::string library = (folder / "hiplz/libhiplz_prof.so").string();
  void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  auto hooksOf = handle ? reinterpret_cast<const ProfilerHooks *(*)()>(::dlsym(handle, kProfilerSymbol)) : nullptr;
  if (!hooksOf) {
    const char *why = ::dlerror();
    HIPLZ_LOG_ERROR("the program is not profiled: %s", why ? why : "the recorder cannot be loaded");
    return;
  }
  const ProfilerHooks *hooks = hooksOf();
  if (hooks && hooks->version != kProfilerVersion)
    HIPLZ_LOG_ERROR("the program is not profiled: %s is of another version", library.c_str());
  else
    detail::profilerHooks.store(hooks, std::memory_order_release);
}

} // namespace hiplz
