// SPDX-License-Identifier: MIT
// The timeline as a picture, for documents and for those who only want to look.
#pragma once
#include "prof/tool/profile.h"

#include <ostream>
#include <span>
#include <string>

namespace hiplz::prof {

/// Writes an SVG: one row per thread, stream and graph, and a time axis that begins with the picture. \p range is the message of a
/// range of roctxRangePush; the picture shows its last occurrence and the commands that were submitted in it, or the whole run if
/// \p range is empty. Throws std::runtime_error if there is no such range.
void writePicture(std::ostream &out, std::span<const Process> processes, const std::string &range);

} // namespace hiplz::prof
