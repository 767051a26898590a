// SPDX-License-Identifier: MIT
// The headers that every source finds, parsed once for each set of options that it depends on: parsing it takes several times as long as compiling a
// small kernel.
#pragma once
#include "rtc/compiler/front_end.h"

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace hiplz::rtc {

struct Precompiled {
  std::string bytes;                           ///< clang's precompiled header
  std::vector<std::string> files;              ///< that it was made of
  std::unordered_set<std::string> identifiers; ///< that its text has
};

/// The name, for Files::add, under which a compilation sees the precompiled header, and of the text that it was made of.
inline constexpr const char *kPrecompiledName = "hip_runtime.pch";
inline constexpr const char *kImplicitName = "hip_runtime.hip";
/// The headers that every source finds without including them: those of AMD's hipRTC 7.2, which has no hip/hip_bf16.h either.
inline constexpr const char *kImplicitHeaders[] = {"hip/hip_runtime.h",        "hip/hip_fp16.h",
                                                   "hip/hip_bfloat16.h",       "hip/hip_complex.h",
                                                   "hip/hip_math_constants.h", "hip/hip_cooperative_groups.h"};
const std::string &implicitText();

/// The precompiled header for these options of clang's driver: out of this process, out of the disk cache, or made now.
/// Null if the headers do not compile with them. Thread-safe.
std::shared_ptr<const Precompiled> precompiledFor(const std::string &prefix, const std::vector<std::string> &options);

} // namespace hiplz::rtc
