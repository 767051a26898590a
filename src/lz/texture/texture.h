// SPDX-License-Identifier: MIT
// The object behind hipTextureObject_t and hipSurfaceObject_t: a descriptor in device memory, from which kernels compute what
// they read (include/hip/spirv/texture_sampling.h), and the descriptions that the application gave.
#pragma once
#include "lz/memory/array.h"
#include "lz/memory/channel_format.h"

#include <hip/spirv/texture_descriptor.h>

#include <cstdint>
#include <optional>

namespace hiplz {

class LZDevice;

/// The format of an array's texels, for kernels.
__hiplz_texture_level textureLevelOf(const LZArray &array);

/// Immutable after construction; any thread may use it. The resource must outlive it.
class LZTexture {
public:
  /// A texture object for kernels of the device. view may be null. Throws HipError: hipErrorInvalidValue for descriptions
  /// that contradict the rules of HIP or the limits of texture_limits.h, hipErrorInvalidHandle for an array that does not
  /// exist, hipErrorInvalidChannelDescriptor, hipErrorNotSupported for compressed views. The fields of a texture reference
  /// are set one after the other, so of a reference a filter that its format does not have is ignored, and levels of detail
  /// need no normalised coordinates.
  enum class Of { object, reference };
  LZTexture(LZDevice &device, const hipResourceDesc &resource, const hipTextureDesc &sampling,
            const hipResourceViewDesc *view, Of of = Of::object);
  /// A surface object. The resource is an array.
  LZTexture(LZDevice &device, const hipResourceDesc &resource);
  LZTexture(const LZTexture &) = delete;
  LZTexture &operator=(const LZTexture &) = delete;
  /// Kernels that were launched before keep the descriptor (texture/texture_slots.h).
  ~LZTexture();

  /// Address of the descriptor: the value of the object in kernels.
  uint64_t address() const { return address_; }
  bool isSurface() const { return !sampling_; }
  const hipResourceDesc &resource() const { return resource_; }
  /// Of a texture.
  const hipTextureDesc &sampling() const { return *sampling_; }
  const std::optional<hipResourceViewDesc> &view() const { return view_; }

private:
  ChannelFormat describeResource(__hiplz_texture &descriptor) const;
  ChannelFormat applyView(__hiplz_texture &descriptor, const ChannelFormat &format) const;
  void describeSampling(__hiplz_texture &descriptor, const ChannelFormat &format, Of of) const;
  static void describeFormat(__hiplz_texture &descriptor, const ChannelFormat &format);
  void upload(__hiplz_texture descriptor);

  LZDevice &device_; // non-owning
  hipResourceDesc resource_;
  std::optional<hipTextureDesc> sampling_; // none for a surface
  std::optional<hipResourceViewDesc> view_;
  uint64_t address_ = 0;
};

} // namespace hiplz
