// libLLVM registers its options in static constructors and is never unloaded again: a second registration would abort.
#include "cpu/program/compiler_library.h"

#include <dlfcn.h>
#include <mutex>
#include <sys/stat.h>

namespace hiplz::cpu {
namespace {

constexpr const char *kLibraryName = "libze_hiplz_cpu_compiler.so.1";

std::string findLibrary() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void *>(&findLibrary), &info) || !info.dli_fname)
    return kLibraryName;
  std::string self = info.dli_fname;
  size_t slash = self.rfind('/');
  std::string folder = slash == std::string::npos ? "." : self.substr(0, slash);
  for (const char *relative : {"/", "/../lib/"}) {
    std::string path = folder + relative + kLibraryName;
    struct stat status;
    if (::stat(path.c_str(), &status) == 0)
      return path;
  }
  return kLibraryName; // the dynamic linker's search path
}

} // namespace

const std::string &compilerLibraryPath() {
  static const std::string path = findLibrary();
  return path;
}

std::string compilerBuildId() {
  struct stat status;
  if (::stat(compilerLibraryPath().c_str(), &status) != 0)
    return {};
  return std::to_string(status.st_size) + "." + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

decltype(&hiplzCpuCompile) openCompiler(std::string &error) {
  static std::mutex mutex; // guards the first opening only
  static decltype(&hiplzCpuCompile) function = nullptr;
  std::lock_guard lock(mutex);
  if (function)
    return function;
  void *library = dlopen(compilerLibraryPath().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library)
    function = reinterpret_cast<decltype(&hiplzCpuCompile)>(dlsym(library, "hiplzCpuCompile"));
  if (!function) {
    const char *reason = dlerror();
    error = std::string("compiler: the library ") + kLibraryName + " cannot be opened: " +
            (reason ? reason : "unknown reason");
  }
  return function;
}

} // namespace hiplz::cpu
