// SPDX-License-Identifier: MIT
// See later_tables.h. This file must not include ze_ddi.h: newer headers declare the functions that it defines with types that
// older ones lack.
#include "cpu/ddi/later_tables.h"
#include "cpu/ddi/later_api.h"

namespace hiplz::cpu::ddi {
namespace {

/// A function of any signature. gcc's -Wcast-function-type allows conversions to this type alone.
using Entry = void (*)();

/// In the calling convention of x86-64 the caller removes its arguments, so a function that looks at none may stand for one
/// with any.
ze_result_t reportUnsupported() { return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE; }

struct LaterFunction {
  std::string_view table, name;
  uint32_t minor; ///< of the version 1.minor that has brought it
  Entry entry;    ///< null: not supported
};

std::span<const LaterFunction> laterFunctions() {
  static const LaterFunction functions[] = {
#define HIPLZ_LATER(table, name, minor, function) {#table, #name, minor, reinterpret_cast<Entry>(function)},
#define HIPLZ_LATER_UNSUPPORTED(table, name, minor) {#table, #name, minor, nullptr},
#include "cpu/ddi/later_functions.def"
#undef HIPLZ_LATER
#undef HIPLZ_LATER_UNSUPPORTED
  };
  return functions;
}

/// A table that version 1.4 does not have at all.
ze_result_t fillLaterTable(std::string_view table, ze_api_version_t version, void *entries) {
  if (!entries)
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (ZE_MAJOR_VERSION(version) != 1 || version < ZE_API_VERSION_1_4)
    return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  fillLaterEntries(table, version, entries);
  return ZE_RESULT_SUCCESS;
}

} // namespace

void fillLaterEntries(std::string_view table, ze_api_version_t version, void *entries) {
  auto *next = static_cast<Entry *>(entries);
  for (const LaterFunction &function : laterFunctions())
    if (function.table == table && version >= ZE_MAKE_VERSION(1, function.minor))
      *next++ = function.entry ? function.entry : reinterpret_cast<Entry>(reportUnsupported);
}

void *findLaterFunction(std::string_view name) {
  for (const LaterFunction &function : laterFunctions())
    if (function.name == name)
      return reinterpret_cast<void *>(function.entry);
  return nullptr;
}

} // namespace hiplz::cpu::ddi

extern "C" ZE_DLLEXPORT ze_result_t ZE_APICALL zerGetGlobalProcAddrTable(ze_api_version_t version, void *entries) {
  return hiplz::cpu::ddi::fillLaterTable("Runtime", version, entries);
}

#define HIPLZ_LATER_TABLE(table)                                                                                       \
  extern "C" ZE_DLLEXPORT ze_result_t ZE_APICALL zeGet##table##ProcAddrTable(ze_api_version_t version,                 \
                                                                             void *entries) {                          \
    return hiplz::cpu::ddi::fillLaterTable(#table, version, entries);                                                  \
  }
HIPLZ_LATER_TABLE(DriverExp)
HIPLZ_LATER_TABLE(CommandListExp)
HIPLZ_LATER_TABLE(MemExp)
HIPLZ_LATER_TABLE(RTASBuilder)
HIPLZ_LATER_TABLE(RTASBuilderExp)
HIPLZ_LATER_TABLE(RTASParallelOperation)
HIPLZ_LATER_TABLE(RTASParallelOperationExp)
HIPLZ_LATER_TABLE(Graph)
HIPLZ_LATER_TABLE(ExecutableGraph)
