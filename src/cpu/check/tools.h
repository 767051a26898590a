// SPDX-License-Identifier: MIT
// Which checks are asked for (HIPLZ_CHECK).
#pragma once
#include <string>

namespace hiplz::cpu::check {

struct Tools {
  bool memory = false, races = false, barriers = false;
  bool leaks = false; ///< of memory are errors of memcheck
  bool stops = false; ///< a debugger is to stop at findings
  bool initialization = false;
  bool any() const { return memory || races || barriers || initialization; }
};

/// The tools that HIPLZ_CHECK names.
Tools chosenTools();

/// Read once. Inline, because workers ask for each range of work-groups.
inline const Tools &tools() {
  static const Tools chosen = chosenTools();
  return chosen;
}

/// The file in which hiplz-check has put what HIPLZ_CHECK does not say (base/check_report.h).
std::string optionsFile();

/// Their names with commas between them, in one order, as the compiler takes them; empty if there are none. "shadow" stands for the shadow
/// of memory (shadow.h), which memcheck has unless its addresses are taken.
const std::string &toolNames();

} // namespace hiplz::cpu::check
