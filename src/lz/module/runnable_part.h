// SPDX-License-Identifier: MIT
// The part of a module that a device can run: without the kernels that need what it lacks, because drivers refuse a module
// whole if one kernel has, say, a double.
#pragma once
#include "fatbin/reflection.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hiplz {

class LZDevice;

/// Not thread-safe. Refers to the module's SPIR-V.
class RunnablePart {
public:
  /// Throws HipError (hipErrorInvalidImage if the SPIR-V is malformed).
  RunnablePart(const spirv::Module &reflection, std::span<const std::byte> spirv, const LZDevice &device);

  /// What to compile: the module itself if the device has all it needs.
  std::span<const std::byte> spirv() const { return cut_.empty() ? whole_ : cut_; }

  /// What the device lacks for each of the kernels that were left out, in words.
  const std::unordered_map<std::string, std::string> &leftOut() const { return leftOut_; }

private:
  const std::span<const std::byte> whole_;
  std::vector<std::byte> cut_;
  std::unordered_map<std::string, std::string> leftOut_;
};

} // namespace hiplz
