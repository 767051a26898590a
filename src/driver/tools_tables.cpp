// SPDX-License-Identifier: MIT
// The tables of the tools and system management parts of the API. The loader refuses a driver without them; a driver offers
// little of the latter (fillToolsEntries), so that nearly every entry of every table is the same function.
#include "driver/tables.h"

#include <algorithm>
#include <initializer_list>
#include <level_zero/ze_api.h>

namespace {

using Entry = ze_result_t (*)();

/// In the calling convention of x86-64 the caller removes its arguments, so a function that looks at none may stand for one
/// with any.
ze_result_t reportUnsupported() { return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE; }

struct Size {
  uint32_t minor, entries;
};

/// A loader's table is as large as the version that it asks for.
ze_result_t fill(const char *function, ze_api_version_t version, void *table, std::initializer_list<Size> sizes) {
  if (!table)
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (ZE_MAJOR_VERSION(version) != 1 || version < ZE_API_VERSION_1_4)
    return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  uint32_t entries = 0;
  for (const Size &size : sizes)
    if (version >= ZE_MAKE_VERSION(1, size.minor))
      entries = size.entries;
  std::fill_n(static_cast<Entry *>(table), entries, Entry(reportUnsupported));
  hiplz::driver::fillToolsEntries(function, static_cast<void **>(table), entries);
  return ZE_RESULT_SUCCESS;
}

} // namespace

// The headers that declare these functions must not be included: newer ones have types that older ones lack.
#define HIPLZ_TOOLS_TABLE(function, ...)                                                                               \
  extern "C" ZE_DLLEXPORT ze_result_t ZE_APICALL function(ze_api_version_t version, void *table) {                     \
    return fill(#function, version, table, {__VA_ARGS__});                                                             \
  }
#include "driver/tools_tables.def"
