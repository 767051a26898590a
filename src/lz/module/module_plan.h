// SPDX-License-Identifier: MIT
// How the code of a module is divided for a device. Kernels that the device cannot run are left out, because drivers refuse
// a module whole if one kernel has, say, a double. The others are compiled when they are first needed, each by itself: a
// program may have 500 instances of a kernel template and launch three. Only kernels that share a variable stay together,
// so that each variable remains one object (docs/design/modules.md).
#pragma once
#include "fatbin/module_cutter.h"
#include "fatbin/reflection.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hiplz {

class LZDevice;

/// What the device lacks of `needs`, in words.
std::string lackingOn(const LZDevice &device, const spirv::Needs &needs);

/// Immutable after construction; every method may be called by any thread. Refers to the module's SPIR-V.
class ModulePlan {
public:
  /// Nothing is known of the code: one part with everything.
  ModulePlan() = default;

  /// Tells in words what the device lacks of what a kernel needs; empty if it has all.
  using Lacking = std::function<std::string(const spirv::Needs &)>;

  /// `together`: all that the device can run is one part. Throws HipError (hipErrorInvalidImage if the SPIR-V is malformed).
  ModulePlan(const spirv::Module &reflection, std::span<const std::byte> spirv, const Lacking &lacking, bool together);

  /// At least one.
  size_t parts() const { return parts_; }

  /// The part that a kernel is in that has not been left out.
  size_t partOfKernel(const std::string &name) const { return find(kernels_, name); }
  /// The part that an exported variable is in.
  size_t partOfVariable(const std::string &name) const { return find(variables_, name); }

  /// What to compile for a part.
  std::vector<std::byte> spirv(size_t part) const;

  /// What the device lacks for each of the kernels that were left out, in words.
  const std::unordered_map<std::string, std::string> &leftOut() const { return leftOut_; }

private:
  using Parts = std::unordered_map<std::string, size_t>;
  static size_t find(const Parts &parts, const std::string &name) {
    const auto found = parts.find(name);
    return found == parts.end() ? 0 : found->second;
  }
  void divide();

  std::span<const std::byte> whole_;
  std::unique_ptr<spirv::ModuleCutter> cutter_; // null: the one part is the whole
  size_t parts_ = 1;
  Parts kernels_, variables_; // empty if there is one part
  std::unordered_map<std::string, std::string> leftOut_;
};

} // namespace hiplz
