// SPDX-License-Identifier: MIT
// The part of the dispatch tables that Debian 12's headers do not have (later_functions.def). A loader's table is as large as
// the version that it asks for, and not an entry larger.
#pragma once
#include <level_zero/ze_api.h>
#include <string_view>

namespace hiplz::cpu::ddi {

/// Writes the entries that a table has gained since version 1.4, up to `version`. `entries` is where the first of them
/// belongs.
void fillLaterEntries(std::string_view table, ze_api_version_t version, void *entries);

/// A function of later_functions.def that is implemented; null for all other names.
void *findLaterFunction(std::string_view name);

} // namespace hiplz::cpu::ddi
