// SPDX-License-Identifier: MIT
#include "rtc/library.h"
#include "base/lockable.h"

#include <dlfcn.h>
#include <filesystem>

namespace hiplz::rtc {

const std::string &installedPrefix() {
  // Never destroyed: the application may compile in destructors of static objects.
  static const std::string &prefix = *new std::string([] {
    Dl_info info;
    std::error_code error;
    if (!::dladdr(reinterpret_cast<const void *>(&compilerLibrary), &info) || !info.dli_fname)
      return std::string();
    return std::filesystem::canonical(info.dli_fname, error).parent_path().parent_path().string();
  }());
  return prefix;
}

std::string compilerLibrary() { return installedPrefix() + "/lib/hiplz/libhiplz_rtc_compiler.so"; }

Compiler compiler() {
  // Never destroyed, like the prefix.
  static auto &compiler = *new Lockable<Compiler>(LockRank::rtcCompiler);
  const auto loaded = compiler.lock();
  if (loaded->compile)
    return *loaded;
  Compiler result;
  // Its symbols stay its own, and LLVM's have versions, so another LLVM in the process, such as that of a driver, is not
  // mistaken for it. RTLD_DEEPBIND would be wrong: it parts the library from the process's malloc.
  void *library = ::dlopen(compilerLibrary().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    const char *why = ::dlerror();
    result.problem = std::string("the compiler of hipRTC cannot be loaded: ") + (why ? why : "for no known reason");
    return result;
  }
  result.compile = reinterpret_cast<CompileFunction>(::dlsym(library, kCompileFunction));
  result.link = reinterpret_cast<LinkFunction>(::dlsym(library, kLinkFunction));
  if (!result.compile || !result.link)
    return {nullptr, nullptr, compilerLibrary() + " is not hipRTC's compiler"};
  return *loaded = result;
}

} // namespace hiplz::rtc
