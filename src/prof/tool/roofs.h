// SPDX-License-Identifier: MIT
// Where the roofs of a device come from.
#pragma once
#include "roofline/result.h"

#include <optional>
#include <string>

namespace hiplz::prof {

/// From `file` if that is not empty, else what hiplz-roofline --save has kept for a device of this name, else from a quick run of
/// hiplz-roofline on the device with this number, which takes some seconds; `folder` takes its output. Says on standard error which
/// of them. Null with a message there if nothing comes of it. Throws std::runtime_error for a `file` that is no result.
std::optional<roofline::Result> findRoofs(const std::string &file, const std::string &name, uint32_t ordinal,
                                          const std::string &folder);

} // namespace hiplz::prof
