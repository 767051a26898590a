// SPDX-License-Identifier: MIT
// The element formats of arrays and textures: which ones exist, and the two ways in which HIP's functions name them.
#pragma once
#include "lz/core/error.h"

#include <cstddef>

namespace hiplz {

/// Components of an element: 1, 2 or 4, all of the same kind and width.
struct ChannelFormat {
  hipChannelFormatKind kind = hipChannelFormatKindNone; // signed, unsigned or float
  unsigned bytes = 0;                                   // of a component: 1, 2 or 4; 2 or 4 if it is a float
  unsigned channels = 0;

  size_t elementBytes() const { return size_t{bytes} * channels; }

  /// Throw HipError for formats that do not exist: `refusal` for a description, else hipErrorInvalidValue.
  static ChannelFormat from(const hipChannelFormatDesc &description,
                            hipError_t refusal = hipErrorInvalidChannelDescriptor);
  static ChannelFormat from(hipArray_Format format, unsigned channels);
  /// The format of a view of elements of `format`, which have as many bytes. Block compression is hipErrorNotSupported.
  static ChannelFormat from(hipResourceViewFormat view, const ChannelFormat &format);

  hipChannelFormatDesc description() const;
  hipArray_Format arrayFormat() const;
};

} // namespace hiplz
