// SPDX-License-Identifier: MIT
// Files of /proc and /sys, whose texts the kernel writes when they are read. A process asks for a dozen when it starts; a stream of the C++
// library takes longer for each of them than the kernel does.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hiplz {

/// The text of a file, or the first `most` bytes of it; empty if it cannot be read. Of a long file the kernel then writes no more than that.
std::string systemText(const std::string &path, size_t most = SIZE_MAX);

/// Takes the first part off a text: what is in front of `end`, which goes as well, or all of it.
std::string_view nextPart(std::string_view &text, char end);
inline std::string_view nextLine(std::string_view &text) { return nextPart(text, '\n'); }

/// The number that a text begins with, after blanks; nothing if there is none, or none of 64 bits.
std::optional<uint64_t> numberAt(std::string_view text);

} // namespace hiplz
