// SPDX-License-Identifier: MIT
// How the code of a module can be divided for a device. Kernels that the device cannot run are left out, because drivers refuse
// a module whole if one kernel has, say, a double. The others can be compiled each by itself, when they are first needed: a
// program may have 500 instances of a kernel template and launch three. Only kernels that share a variable stay together, as
// a group, so that each variable remains one object. PartChoice says which groups are compiled together
// (docs/design/modules.md).
#pragma once
#include "fatbin/module_cutter.h"
#include "fatbin/reflection.h"
#include "lz/module/part_choice.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hiplz {

class LZDevice;

/// The features in `needs` that the device lacks, in words.
std::string lackingOn(const LZDevice &device, const spirv::Needs &needs);

/// Immutable after construction; every method may be called by any thread. Refers to the module's SPIR-V.
class ModulePlan {
public:
  /// Nothing is known of the code: one group with everything.
  ModulePlan() = default;

  /// Tells in words what the device lacks of what a kernel needs; empty if it has all.
  using Lacking = std::function<std::string(const spirv::Needs &)>;

  /// `together`: all that the device can run is one group. Throws HipError (hipErrorInvalidImage if the SPIR-V is malformed).
  /// `recursion`: which form of kernels that recurse the device takes.
  ModulePlan(const spirv::Module &reflection, std::span<const std::byte> spirv, const Lacking &lacking, bool together,
             spirv::Recursion recursion = spirv::Recursion::native);

  /// At least one. The index of a group is the same whenever the same module is divided for the same device.
  const std::vector<PartChoice::Group> &groups() const { return groups_; }

  /// The group that a kernel is in that has not been left out.
  size_t groupOfKernel(const std::string &name) const { return find(kernels_, name); }
  /// The group that an exported variable is in.
  size_t groupOfVariable(const std::string &name) const { return find(variables_, name); }

  /// The module to compile for these groups; nothing if it is the module as it came.
  std::optional<std::vector<std::byte>> cut(std::span<const size_t> groups) const;

  /// The features that the device lacks for each kernel that was left out, in words.
  const std::unordered_map<std::string, std::string> &leftOut() const { return leftOut_; }

private:
  using Groups = std::unordered_map<std::string, size_t>;
  static size_t find(const Groups &groups, const std::string &name) {
    const auto found = groups.find(name);
    return found == groups.end() ? 0 : found->second;
  }
  void divide();

  std::unique_ptr<spirv::ModuleCutter> cutter_; // null: the one group is the module as it came
  std::vector<PartChoice::Group> groups_{1};
  Groups kernels_, variables_; // empty if there is one group
  std::unordered_map<std::string, std::string> leftOut_;
};

} // namespace hiplz
