// SPDX-License-Identifier: MIT
// Notes of the runtime to the checks of HIPLZ's own driver about memory that is a part of something larger, or that is freed before its
// allocation is (docs/checking.md).
#pragma once
#include <cstdint>

namespace hiplz {

struct ZeCheckMark {
  enum class Kind : uint32_t {
    allocated,  ///< commands may use the range again
    freed,      ///< they may not, though it stays allocated for the driver
    obtained,   ///< from a pool: commands that do not come after this one may not use it
    returned,   ///< to a pool: freed, and commands that do not come before this one may not use it
    registered, ///< memory of the host that devices may use from now on
    unregistered,
    rows,    ///< only the first `width` bytes of every `pitch` are meant to be used
    constant ///< a __constant__ variable, which kernels must not write
  };
  Kind kind;
  const void *begin;
  uint64_t bytes;
  uint64_t width = 0, pitch = 0;
};

/// A function of the driver, as zeDriverGetExtensionFunctionAddress finds it; there is none unless HIPLZ_CHECK names memcheck or racecheck. The command
/// list, the driver's own handle, says when, in the order of its commands; null: now. Returns a ze_result_t.
inline constexpr char kZeCheckMark[] = "hiplzCheckMark";
using ZeCheckMarkFunction = uint32_t (*)(void *commandList, const ZeCheckMark *mark);

} // namespace hiplz
