#include "lz/lz_texture.h"
namespace hiplz {
__hiplz_texture_level textureLevelOf(const LZArray &array) {
  const LZArray::Shape &shape = array.shape();
  const bool layers = shape.flags & (hipArrayLayered | hipArrayCubemap);
  return {reinterpret_cast<uint64_t>(array.memory()), static_cast<uint32_t>(shape.width),
          static_cast<uint32_t>(array.rows()),        layers ? 1 : static_cast<uint32_t>(array.slices()),
          static_cast<uint32_t>(array.rowPitch()),    array.slicePitch()};
}
} // namespace hiplz
