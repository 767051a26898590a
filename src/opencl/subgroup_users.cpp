// SPDX-License-Identifier: MIT
// See subgroup_users.h.
#include "opencl/subgroup_users.h"
#include "spirv/instructions.h"

#include <algorithm>
#include <map>
#include <vector>

namespace hiplz::opencl {

std::set<std::string> kernelsWithSubgroups(std::span<const std::byte> module) {
  using spirv::operand;
  const spirv::Words words(module);
  std::map<std::string, uint32_t> kernels;
  std::map<uint32_t, std::vector<uint32_t>> callers;
  std::set<uint32_t> users;
  std::vector<uint32_t> found; // users whose callers are to be looked at
  const auto add = [&](uint32_t function) {
    if (users.insert(function).second)
      found.push_back(function);
  };
  uint32_t function = 0;
  spirv::forEachInstruction(words, [&](const spirv::Instruction &in) {
    if (in.op() == spv::OpEntryPoint) {
      if (const auto name = in.literal(2))
        kernels.emplace(name->text, operand(in, 1));
    } else if (in.op() == spv::OpFunction) {
      function = operand(in, 1);
    } else if (in.op() == spv::OpFunctionCall) {
      callers[operand(in, 2)].push_back(function);
    } else if (spirv::isOfSubgroups(in.op())) {
      add(function);
    }
  });
  while (!found.empty()) {
    const uint32_t user = found.back();
    found.pop_back();
    for (uint32_t caller : callers[user])
      add(caller);
  }
  std::set<std::string> names;
  for (const auto &[name, entry] : kernels)
    if (users.contains(entry))
      names.insert(name);
  return names;
}

} // namespace hiplz::opencl
