// SPDX-License-Identifier: MIT
// Which checks are asked for (HIPLZ_CHECK).
#pragma once
#include <string>

namespace hiplz::cpu::check {

struct Tools {
  bool memory = false, races = false, barriers = false;
  bool any() const { return memory || races || barriers; }
};

/// Read once.
const Tools &tools();

/// Their names with commas between them, in one order; empty if there are none.
const std::string &toolNames();

} // namespace hiplz::cpu::check
