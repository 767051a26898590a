// SPDX-License-Identifier: MIT
// The names of kernels in the outputs, and the choice of kernels: rocprofv3's kernel naming and filtering.
#pragma once
#include "base/name_pattern.h"
#include "prof/tool/profile.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace hiplz::prof {

struct KernelChoice {
  enum class Names {
    readable,  ///< "space::scale<float>"
    mangled,   ///< as the module calls it
    truncated, ///< "scale"
  } names = Names::readable;
  bool rename = false;                 ///< after the range of roctx in which it was launched
  std::optional<NamePattern> included; ///< only those whose names match
  std::optional<NamePattern> excluded; ///< none of those
  std::set<uint32_t> iterations;       ///< of each kernel, counted from 1; empty: all

  std::string nameOf(std::string_view mangled) const;
};

/// Numbers from texts such as "[2-4]", "1,7" or "[1,[5-8]]"; false if it is none of these.
bool addIterations(std::set<uint32_t> &iterations, const std::string &text);

/// Gives all kernels of the process their names, and notes which are not wanted. What is not stays in the process: the device was
/// not idle while it ran. Iterations are counted in the order in which they ran.
void chooseKernels(Process &process, const KernelChoice &choice);

} // namespace hiplz::prof
