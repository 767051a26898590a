// SPDX-License-Identifier: MIT
// Formats of images: what the layouts, types and swizzles of Level Zero mean for the bits of a texel.
#pragma once
#include "cpu/abi/image_descriptor.h"

#include <level_zero/ze_api.h>

namespace hiplz::cpu {

/// Fills in what the descriptor says of texels. False if there are no images of this format, which is allowed to be nonsense.
bool describeFormat(const ze_image_format_t &format, ImageDescriptor &descriptor);

} // namespace hiplz::cpu
