// SPDX-License-Identifier: MIT
// The module's declarations decide whether it is examined more closely, so it costs nothing where the device has everything.
#include "lz/module/module_plan.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

#include <hip/spirv/runtime_variables.h>

#include <algorithm>
#include <numeric>

namespace hiplz {

std::string lackingOn(const LZDevice &device, const spirv::Needs &needs) {
  const auto flags = device.moduleProperties().flags;
  std::string text;
  auto add = [&](bool needed, const std::string &what) {
    if (needed)
      text += (text.empty() ? "" : ", ") + what;
  };
  add(needs.float64 && !(flags & ZE_DEVICE_MODULE_FLAG_FP64), "double precision");
  add(needs.float16 && !(flags & ZE_DEVICE_MODULE_FLAG_FP16), "half precision");
  add(needs.int64Atomics && !(flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS), "atomic operations on 64 bits");
  const ze_device_compute_properties_t &compute = device.compute();
  const uint32_t *const end = compute.subGroupSizes + compute.numSubGroupSizes;
  for (const uint32_t size : needs.subgroupSizes)
    add(std::find(compute.subGroupSizes, end, size) == end, "sub-groups of " + std::to_string(size));
  return text;
}

namespace {
/// Variables that the runtime fills: each part has its own.
bool isOfTheRuntime(std::string_view name) {
  return name == __hiplz::abortVariable || name == __hiplz::heapVariable || name == __hiplz::printfVariable;
}

} // namespace

ModulePlan::ModulePlan(const spirv::Module &reflection, std::span<const std::byte> spirv, const Lacking &lacking,
                       bool together, spirv::Recursion recursion) {
  together |= reflection.kernels.size() + reflection.refused.size() < 2;
  const bool complete = lacking(reflection.needs).empty();
  if (together && complete && !(reflection.recursion && recursion == spirv::Recursion::frames))
    return;
  try {
    cutter_ = std::make_unique<spirv::ModuleCutter>(spirv, recursion);
  } catch (const ParseError &error) {
    throw HipError(hipErrorInvalidImage, error.what());
  }
  if (!complete)
    for (const auto &kernel : cutter_->kernels())
      if (std::string what = lacking(kernel.needs); !what.empty())
        leftOut_.emplace(kernel.name, std::move(what));
  if (!together)
    divide();
}

/// Kernels are in one group if variables connect them. Variables that no kernel needs are in one with the first that has any
/// others, because drivers need not take a module without kernels.
void ModulePlan::divide() {
  const auto &kernels = cutter_->kernels();
  const auto &variables = cutter_->variables();
  std::vector<size_t> parent(kernels.size() + variables.size());
  std::iota(parent.begin(), parent.end(), size_t{0});
  auto root = [&](size_t node) {
    while (parent[node] != node)
      node = parent[node] = parent[parent[node]];
    return node;
  };
  auto connect = [&](size_t one, size_t other) { parent[root(one)] = root(other); };
  std::unordered_map<std::string_view, size_t> nodeOf;
  for (size_t i = 0; i < variables.size(); ++i)
    nodeOf.emplace(variables[i].name, kernels.size() + i);
  for (size_t i = 0; i < variables.size(); ++i) {
    const std::string_view name = variables[i].name;
    if (isOfTheRuntime(name))
      continue;
    for (const size_t other : variables[i].others)
      connect(kernels.size() + i, kernels.size() + other);
    if (name.ends_with(__hiplz::managedSuffix))
      if (auto pointer = nodeOf.find(name.substr(0, name.rfind(__hiplz::managedSuffix))); pointer != nodeOf.end())
        connect(kernels.size() + i, pointer->second);
  }
  for (size_t i = 0; i < kernels.size(); ++i)
    if (!leftOut_.contains(kernels[i].name))
      for (const size_t variable : kernels[i].variables)
        if (!isOfTheRuntime(variables[variable].name))
          connect(i, kernels.size() + variable);
  std::unordered_map<size_t, size_t> groupOf; // by root
  groups_.clear();
  for (size_t i = 0; i < kernels.size(); ++i)
    if (!leftOut_.contains(kernels[i].name)) {
      const auto [group, isNew] = groupOf.emplace(root(i), groups_.size());
      if (isNew)
        groups_.push_back({0, true});
      groups_[group->second].words += kernels[i].words;
      kernels_.emplace(kernels[i].name, group->second);
    }
  if (groups_.empty())
    groups_.emplace_back();
  std::optional<size_t> rest;
  for (size_t i = 0; i < variables.size(); ++i)
    if (const auto group = groupOf.find(root(kernels.size() + i)); group != groupOf.end()) {
      groups_[group->second].mayHaveCompany = false;
      if (!rest)
        rest = group->second;
    }
  for (size_t i = 0; i < variables.size(); ++i)
    if (const std::string &name = variables[i].name; !name.empty() && !isOfTheRuntime(name)) {
      const auto found = groupOf.find(root(kernels.size() + i));
      const size_t group = found == groupOf.end() ? rest.value_or(0) : found->second;
      groups_[group].mayHaveCompany = false;
      variables_.emplace(name, group);
    }
}

std::optional<std::vector<std::byte>> ModulePlan::cut(std::span<const size_t> groups) const {
  if (!cutter_)
    return std::nullopt;
  auto wanted = [&](size_t group) { return std::find(groups.begin(), groups.end(), group) != groups.end(); };
  return cutter_->cut(
      [&](const auto &kernel) { return !leftOut_.contains(kernel.name) && wanted(groupOfKernel(kernel.name)); },
      [&](const auto &variable) {
        return groups_.size() == 1 || (!isOfTheRuntime(variable.name) && wanted(groupOfVariable(variable.name)));
      });
}

} // namespace hiplz
