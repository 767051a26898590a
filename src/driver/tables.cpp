// SPDX-License-Identifier: MIT
// The tables of the core functions. This file must not include ze_ddi.h: newer headers declare the functions that it defines with
// types that older ones lack.
#include "driver/tables.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <vector>

namespace hiplz::driver {
namespace {

/// In the calling convention of x86-64 and of the other processors with Linux the caller removes its arguments, so a function that
/// looks at none may stand for one with any.
ze_result_t reportUnsupported() { return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE; }

struct CoreFunction {
  std::string_view table, name;
  uint32_t minor; ///< of the version 1.minor that has brought it
};

constexpr CoreFunction kCoreFunctions[] = {
#define HIPLZ_CORE(table, name, minor) {#table, #name, minor},
#include "driver/core_functions.def"
#undef HIPLZ_CORE
};

/// The driver's functions by name: a table with open addressing. It is filled at the start of every process, so it is one allocation.
class KnownFunctions {
public:
  KnownFunctions() : functions_(implementations()), places_(std::bit_ceil(2 * functions_.size() + 1), kFree) {
    for (uint16_t index = 0; index < functions_.size(); ++index)
      places_[placeOf(functions_[index].name)] = index;
  }

  Entry find(std::string_view name) const {
    const uint16_t index = places_[placeOf(name)];
    return index == kFree ? nullptr : functions_[index].entry;
  }

private:
  static constexpr uint16_t kFree = UINT16_MAX;

  /// The place that has the name, or the one where it belongs.
  size_t placeOf(std::string_view name) const {
    size_t place = std::hash<std::string_view>()(name);
    for (;; ++place) {
      const uint16_t index = places_[place &= places_.size() - 1];
      if (index == kFree || functions_[index].name == name)
        return place;
    }
  }

  std::span<const Implementation> functions_;
  std::vector<uint16_t> places_; ///< more than there are functions, so some are free
};

Entry find(std::string_view name) {
  static const KnownFunctions known;
  return known.find(name);
}

ze_result_t fillTable(std::string_view table, ze_api_version_t version, void *entries) {
  if (!entries)
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (ZE_MAJOR_VERSION(version) != 1 || version < ZE_API_VERSION_1_4)
    return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  auto *next = static_cast<Entry *>(entries);
  for (const CoreFunction &function : kCoreFunctions) {
    if (function.table != table || ZE_MINOR_VERSION(version) < function.minor)
      continue;
    const Entry entry = find(function.name);
    *next++ = entry ? entry : reinterpret_cast<Entry>(reportUnsupported);
  }
  return ZE_RESULT_SUCCESS;
}

} // namespace

void *findLaterFunction(std::string_view name) {
  const auto *function = std::ranges::find(kCoreFunctions, name, &CoreFunction::name);
  const bool isLater = function != std::end(kCoreFunctions) && function->minor != 0;
  return isLater ? reinterpret_cast<void *>(find(name)) : nullptr;
}

} // namespace hiplz::driver

extern "C" ZE_DLLEXPORT ze_result_t ZE_APICALL zerGetGlobalProcAddrTable(ze_api_version_t version, void *entries) {
  return hiplz::driver::fillTable("Runtime", version, entries);
}

#define HIPLZ_TABLE(table)                                                                                             \
  extern "C" ZE_DLLEXPORT ze_result_t ZE_APICALL zeGet##table##ProcAddrTable(ze_api_version_t version,                 \
                                                                             void *entries) {                          \
    return hiplz::driver::fillTable(#table, version, entries);                                                         \
  }
HIPLZ_TABLE(Global)
HIPLZ_TABLE(Driver)
HIPLZ_TABLE(Device)
HIPLZ_TABLE(DeviceExp)
HIPLZ_TABLE(Context)
HIPLZ_TABLE(CommandQueue)
HIPLZ_TABLE(CommandList)
HIPLZ_TABLE(Image)
HIPLZ_TABLE(ImageExp)
HIPLZ_TABLE(Fence)
HIPLZ_TABLE(EventPool)
HIPLZ_TABLE(Event)
HIPLZ_TABLE(EventExp)
HIPLZ_TABLE(Module)
HIPLZ_TABLE(ModuleBuildLog)
HIPLZ_TABLE(Kernel)
HIPLZ_TABLE(KernelExp)
HIPLZ_TABLE(Sampler)
HIPLZ_TABLE(PhysicalMem)
HIPLZ_TABLE(Mem)
HIPLZ_TABLE(VirtualMem)
HIPLZ_TABLE(FabricVertexExp)
HIPLZ_TABLE(FabricEdgeExp)
HIPLZ_TABLE(DriverExp)
HIPLZ_TABLE(CommandListExp)
HIPLZ_TABLE(MemExp)
HIPLZ_TABLE(RTASBuilder)
HIPLZ_TABLE(RTASBuilderExp)
HIPLZ_TABLE(RTASParallelOperation)
HIPLZ_TABLE(RTASParallelOperationExp)
HIPLZ_TABLE(Graph)
HIPLZ_TABLE(ExecutableGraph)
