// SPDX-License-Identifier: MIT
// Descriptions of the element format of arrays and textures, built from component widths or from a type.
#ifndef HIPLZ_CHANNEL_DESCRIPTOR_H
#define HIPLZ_CHANNEL_DESCRIPTOR_H

#include "spirv/user_macros_off.h"

#include "driver_types.h"
#include "hip_common.h"
#include "hip_vector_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a description from the widths of the four components in bits (0: absent) and their kind.
hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f);

#ifdef __cplusplus
}

namespace hiplz {
/// Scalar type and number of components of a texel type.
template <typename T> struct TexelTraits {
  using Scalar = T;
  static constexpr unsigned int kComponents = 1;
};
template <typename T, unsigned int n> struct TexelTraits<HIP_vector_type<T, n>> {
  using Scalar = T;
  static constexpr unsigned int kComponents = n;
};

inline hipChannelFormatDesc channelDesc(unsigned int components, int bits, hipChannelFormatKind kind) {
  return hipChannelFormatDesc{bits, components > 1 ? bits : 0, components > 2 ? bits : 0, components > 3 ? bits : 0,
                              kind};
}
} // namespace hiplz

/// Describes the texel type T: an integer or float type of at most 32 bits, or a vector of 1, 2 or 4 of it. No texel is of
/// any other type, and its description has no components and the kind hipChannelFormatKindNone.
template <typename T> static inline hipChannelFormatDesc hipCreateChannelDesc() {
  using Scalar = typename hiplz::TexelTraits<T>::Scalar;
  constexpr unsigned int components = hiplz::TexelTraits<T>::kComponents;
  if (!std::is_arithmetic<Scalar>::value || std::is_same<Scalar, bool>::value || sizeof(Scalar) > 4 || components == 3)
    return hiplz::channelDesc(0, 0, hipChannelFormatKindNone);
  return hiplz::channelDesc(components, static_cast<int>(8 * sizeof(Scalar)),
                            std::is_floating_point<Scalar>::value ? hipChannelFormatKindFloat
                            : std::is_signed<Scalar>::value       ? hipChannelFormatKindSigned
                                                                  : hipChannelFormatKindUnsigned);
}

static inline hipChannelFormatDesc hipCreateChannelDescHalf() {
  return hiplz::channelDesc(1, 16, hipChannelFormatKindFloat);
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf1() {
  return hiplz::channelDesc(1, 16, hipChannelFormatKindFloat);
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf2() {
  return hiplz::channelDesc(2, 16, hipChannelFormatKindFloat);
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf4() {
  return hiplz::channelDesc(4, 16, hipChannelFormatKindFloat);
}
#endif

#include "spirv/user_macros_on.h"
#endif
