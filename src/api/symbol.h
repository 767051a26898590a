// SPDX-License-Identifier: MIT
// Copies to and from variables of device code, in streams and in graphs.
#pragma once
#include "lz/memory/copy_region.h"

namespace hiplz {

class LZDevice;

enum class SymbolCopy { toSymbol, fromSymbol };

/// The copy between `bytes` bytes at an offset of the variable on the device and other memory; an empty region if there is
/// nothing to copy. Checks direction and bounds. Throws HipError (hipErrorInvalidSymbol, hipErrorInvalidValue).
hipError_t makeSymbolRegion(CopyRegion &region, SymbolCopy direction, const void *symbol, void *other, size_t bytes,
                            size_t offset, hipMemcpyKind kind, LZDevice &device);

} // namespace hiplz
