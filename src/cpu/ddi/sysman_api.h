// SPDX-License-Identifier: MIT
// System management (zes*): what of it a processor has. Tables of the loader are filled by place, as its headers may be newer than
// those that the driver is built with.
#pragma once
#include <cstddef>
#include <string_view>

namespace hiplz::cpu::ddi {

/// Puts the functions that exist into the table that `function` of the loader asks for, as far as its `entries` reach.
void fillSysmanEntries(std::string_view function, void **table, size_t entries);

} // namespace hiplz::cpu::ddi
