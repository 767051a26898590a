// SPDX-License-Identifier: MIT
// Compressed offload bundles: a header "CCOB" and one zlib or zstd stream.
#pragma once
#include "base/parse_error.h"

#include <cstddef>
#include <span>
#include <vector>

namespace hiplz {

/// True if the bytes begin like a compressed offload bundle.
bool isCompressedBundle(std::span<const std::byte> bytes);

/// The plain bundle inside a compressed one (versions 1 to 3 of the format). `bytes` may be followed by anything. Memory
/// grows with what the stream really holds, not with what the header claims. Throws ParseError.
std::vector<std::byte> decompressBundle(std::span<const std::byte> bytes);

} // namespace hiplz
