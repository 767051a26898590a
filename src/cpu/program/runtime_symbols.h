// SPDX-License-Identifier: MIT
// The functions outside a program binary that compiled code may call.
#pragma once
#include <string_view>

namespace hiplz::cpu {

/// The address of a function in the fixed table, or of a vector function of the C library ("_ZGV..."); null for every
/// other name. Thread-safe.
void *findRuntimeSymbol(std::string_view name);

} // namespace hiplz::cpu
