// SPDX-License-Identifier: MIT
// Functions that device code may call though no file defines them.
#pragma once

#include <string_view>

namespace hiplz::spirv {

/// Attribute of a function that the program declares and does not define, for LLVM. What passes declare is without it: functions of
/// OpenCL that the translator knows.
inline constexpr char kDeclaredByProgram[] = "hiplz-declared-by-program";

/// True for what the compilers of the drivers define: behind clock64() and __smid().
inline bool isOfDriver(std::string_view name) {
  return name == "_Z23intel_get_cycle_counterv" || name == "_Z18intel_get_slice_idv" ||
         name == "_Z21intel_get_subslice_idv";
}

/// True for these and for what the translator makes instructions of.
inline bool isBuiltin(std::string_view name) { return name.find("__spirv_") != name.npos || isOfDriver(name); }

} // namespace hiplz::spirv
