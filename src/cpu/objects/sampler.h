// SPDX-License-Identifier: MIT
// Samplers: for kernels, a number.
#pragma once
#include "cpu/abi/image_descriptor.h"
#include "cpu/objects/object.h"

namespace hiplz::cpu {

/// Immutable.
class Sampler : public Object<Sampler, ze_sampler_handle_t> {
public:
  static constexpr uint64_t kKind = 17;
  /// The modes of the description are valid.
  explicit Sampler(const ze_sampler_desc_t &desc) : bits(bitsOf(desc)) {}
  const uint32_t bits; ///< SamplerBits

private:
  static uint32_t bitsOf(const ze_sampler_desc_t &desc) {
    constexpr uint32_t kModes[] = {kSamplerAddressNone, kSamplerAddressRepeat, kSamplerAddressEdge,
                                   kSamplerAddressBorder, kSamplerAddressMirror};
    return kModes[desc.addressMode] | (desc.isNormalized ? kSamplerNormalized : 0) |
           (desc.filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR ? kSamplerLinear : kSamplerNearest);
  }
};

} // namespace hiplz::cpu
