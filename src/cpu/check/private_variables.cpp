// SPDX-License-Identifier: MIT
// See private_variables.h.
#include "cpu/check/private_variables.h"
#include "cpu/abi/check_functions.h"
#include "cpu/check/group_state.h"
#include "cpu/check/shadow.h"

#include <iterator>

namespace hiplz::cpu::check {

void PrivateVariables::add(const void *address, uint64_t bytes, uint32_t item) {
  const auto begin = reinterpret_cast<uintptr_t>(address);
  auto overlapping = all_.lower_bound(begin);
  if (overlapping != all_.begin() && std::prev(overlapping)->first + std::prev(overlapping)->second.bytes > begin)
    --overlapping;
  while (overlapping != all_.end() && overlapping->first < begin + bytes)
    overlapping = all_.erase(overlapping);
  all_[begin] = {bytes, item, true};
}

void PrivateVariables::end(const void *address) {
  if (const auto found = all_.find(reinterpret_cast<uintptr_t>(address)); found != all_.end())
    found->second.exists = false;
}

const PrivateVariables::Variable *PrivateVariables::find(const void *address) const {
  const auto place = reinterpret_cast<uintptr_t>(address);
  const auto behind = all_.upper_bound(place);
  if (behind == all_.begin())
    return nullptr;
  const auto &[begin, variable] = *std::prev(behind);
  return place - begin < variable.bytes ? &variable : nullptr;
}

} // namespace hiplz::cpu::check

using namespace hiplz::cpu;

void hiplz_cpu_check_private(WorkItem *item, const void *variable, uint64_t bytes) {
  if (!bytes || !check::isPrivate(variable))
    return;
  check::groupOf(*item).variables.add(variable, bytes, item->linearId);
  check::forbid(variable, bytes);
}

void hiplz_cpu_check_private_end(WorkItem *item, const void *variable) {
  check::groupOf(*item).variables.end(variable);
}
