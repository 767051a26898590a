// SPDX-License-Identifier: MIT
// Functions by their names. The library's own symbol table answers, whose version nodes say when a function came.
#include "api/api_scope.h"
#include "base/hip_version.h"

#include <dlfcn.h>
#include <iterator>

using namespace hiplz;

namespace {

struct Node {
  int version; // 100 * major + minor
  const char *name;
};
constexpr Node kNodes[] = {{402, "hip_4.2"}, {403, "hip_4.3"}, {404, "hip_4.4"},  {405, "hip_4.5"}, {500, "hip_5.0"},
                           {501, "hip_5.1"}, {502, "hip_5.2"}, {503, "hip_5.3"},  {505, "hip_5.5"}, {506, "hip_5.6"},
                           {600, "hip_6.0"}, {601, "hip_6.1"}, {602, "hip_6.2"},  {604, "hip_6.4"}, {605, "hip_6.5"},
                           {701, "hip_7.1"}, {702, "hip_7.2"}, {714, "hip_7.14"}, {715, "hip_7.15"}};
constexpr int kNewest = std::end(kNodes)[-1].version;

/// From HIP_VERSION (60443484), as CUDA writes versions (6040), or 604 for 6.4, to 604.
int normalised(int version) {
  if (version >= 10000000)
    return version / 10000000 * 100 + version / 100000 % 100;
  return version >= 1000 ? version / 1000 * 100 + version % 1000 / 10 : version;
}

/// This library. The handle keeps it loaded, which it is anyway.
void *ownLibrary() {
  static void *const handle = [] {
    Dl_info info;
    const bool found = ::dladdr(reinterpret_cast<const void *>(&hipGetProcAddress), &info) && info.dli_fname;
    return found ? ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  }();
  return handle;
}

/// The function with this name and the version it came with; null if there is none. `version` is 0 for what HIPLZ adds.
void *lookUp(const char *name, int &version) {
  if (!ownLibrary())
    return nullptr;
  for (const Node &node : kNodes)
    if (void *address = ::dlvsym(ownLibrary(), name, node.name)) {
      version = node.version;
      return address;
    }
  version = 0;
  return ::dlvsym(ownLibrary(), name, "HIPLZ_1");
}

constexpr uint64_t kPerThreadStream = 2; // 1 is the legacy stream, which is the default

hipError_t findFunction(const char *symbol, void **pfn, int hipVersion, uint64_t flags,
                        hipDriverProcAddressQueryResult *symbolStatus) {
  HIPLZ_NOT_NULL(symbol, pfn);
  if (!*symbol)
    return refuse(hipErrorInvalidValue, "symbol is empty");
  if (hipVersion < 0)
    return refuse(hipErrorInvalidValue, "hipVersion is negative");
  if (flags > kPerThreadStream)
    return refuse(hipErrorInvalidValue, "flags has bits that HIP does not know");
  *pfn = nullptr;
  const int wantedVersion = normalised(hipVersion);
  std::string name = symbol;
  // The headers give two functions another name since 6.0.
  if (wantedVersion >= 600 && (name == "hipGetDeviceProperties" || name == "hipChooseDevice"))
    name += "R0600";
  int version = 0;
  void *found = flags == kPerThreadStream ? lookUp((name + "_spt").c_str(), version) : nullptr;
  if (!found)
    found = lookUp(name.c_str(), version);
  auto status = HIP_GET_PROC_ADDRESS_SUCCESS;
  if (!found)
    status = HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  else if (version > wantedVersion)
    status = HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  if (symbolStatus)
    *symbolStatus = status;
  if (status == HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND)
    throw HipError(hipErrorInvalidValue, "there is no function " + name);
  if (status == HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT)
    throw HipError(hipErrorInvalidValue,
                   "the function " + name + " is newer than version " + std::to_string(hipVersion));
  *pfn = found;
  return hipSuccess;
}

/// All functions in HIP 7, those of 6.4 in HIP 6. The two enumerations of results have the same values.
hipError_t findEntryPoint(const char *symbol, void **function, uint64_t flags, hipDriverEntryPointQueryResult *status) {
  return findFunction(symbol, function, followsHip7() ? kNewest : kHipVersion6, flags,
                      reinterpret_cast<hipDriverProcAddressQueryResult *>(status));
}

/// The flags of a function whose default is the stream of the thread.
uint64_t perThreadByDefault(uint64_t flags) { return flags == hipEnableDefault ? kPerThreadStream : flags; }

} // namespace

extern "C" {

hipError_t hipGetProcAddress(const char *symbol, void **pfn, int hipVersion, uint64_t flags,
                             hipDriverProcAddressQueryResult *symbolStatus) {
  return HIPLZ_API(hipGetProcAddress, symbol, pfn, hipVersion, flags,
                   symbolStatus)([&] { return findFunction(symbol, pfn, hipVersion, flags, symbolStatus); });
}

hipError_t hipGetProcAddress_spt(const char *symbol, void **pfn, int hipVersion, uint64_t flags,
                                 hipDriverProcAddressQueryResult *symbolStatus) {
  return HIPLZ_API(hipGetProcAddress_spt, symbol, pfn, hipVersion, flags, symbolStatus)(
      [&] { return findFunction(symbol, pfn, hipVersion, perThreadByDefault(flags), symbolStatus); });
}

hipError_t hipGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                                  hipDriverEntryPointQueryResult *driverStatus) {
  return HIPLZ_API(hipGetDriverEntryPoint, symbol, funcPtr, flags,
                   driverStatus)([&] { return findEntryPoint(symbol, funcPtr, flags, driverStatus); });
}

hipError_t hipGetDriverEntryPoint_spt(const char *symbol, void **funcPtr, unsigned long long flags,
                                      hipDriverEntryPointQueryResult *status) {
  return HIPLZ_API(hipGetDriverEntryPoint_spt, symbol, funcPtr, flags,
                   status)([&] { return findEntryPoint(symbol, funcPtr, perThreadByDefault(flags), status); });
}

} // extern "C"
