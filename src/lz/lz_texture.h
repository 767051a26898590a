#pragma once
#include "lz/lz_array.h"
#include <hip/spirv/texture_descriptor.h>
namespace hiplz {
/// What kernels need to know of an array's texels.
__hiplz_texture_level textureLevelOf(const LZArray &array);
} // namespace hiplz
