// SPDX-License-Identifier: MIT
// Texture references: variables of the program or of a module through which kernels read a texture that the host binds to
// them. The variable on the host (a textureReference) holds how to sample; the one on the device gets the texture object.
#pragma once
#include "base/lockable.h"
#include "lz/texture/texture.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hiplz {

class LZModule;

/// Belongs to its module. Thread-safe, but for the fields of the host's variable, which is the application's.
class LZTextureReference {
public:
  /// host is the variable of the program; null for a module that the application loaded: then the reference has one of
  /// its own.
  LZTextureReference(LZModule &module, std::string name, textureReference *host);
  LZTextureReference(const LZTextureReference &) = delete;
  LZTextureReference &operator=(const LZTextureReference &) = delete;
  ~LZTextureReference();

  /// The reference behind the address of a host variable. Throws HipError{otherwise} if it is none.
  static LZTextureReference &from(const textureReference *host, hipError_t otherwise = hipErrorInvalidTexture);

  textureReference *host() const { return host_; }

  /// Lets kernels of the device that are launched from now on read the resource, as the fields of the host's variable
  /// say. offset is what hipGetTextureAlignmentOffset answers. If something was bound, waits for the device. Throws
  /// HipError as LZTexture does.
  void bind(LZDevice &device, const hipResourceDesc &resource, size_t offset = 0);
  /// Kernels must not read it any more. Waits for the devices.
  void unbind();
  /// The same on one device.
  void unbind(LZDevice &device);
  /// After a change of how to sample: what is bound is bound again.
  void refresh();

  struct Binding {
    hipResourceDesc resource;
    size_t offset;
  };
  std::optional<Binding> binding() const;

  /// The border's colour, which textureReference has no field for.
  std::array<float, 4> borderColour() const;
  void setBorderColour(const std::array<float, 4> &colour);

private:
  struct State {
    std::optional<Binding> binding;
    std::array<float, 4> border{};
    std::vector<std::unique_ptr<LZTexture>> onDevice; // by ordinal
  };
  void bind(State &state, LZDevice &device, const hipResourceDesc &resource);
  void point(State &state, LZDevice &device, uint64_t object);

  LZModule &module_; // non-owning
  const std::string name_;
  textureReference own_{};
  textureReference *const host_; // non-owning, or &own_
  Lockable<State> state_{LockRank::textureReference};
};

} // namespace hiplz
