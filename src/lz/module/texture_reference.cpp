// SPDX-License-Identifier: MIT
// Binding, and the map from host variables to references.
#include "lz/module/texture_reference.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/module/module.h"
#include "lz/module/registry.h"

#include <algorithm>
#include <cstddef>

namespace hiplz {
namespace {

struct Known {
  Mutex mutex{LockRank::textureReferenceTable}; // guards changes of the map, which is read without it
  PointerMap<LZTextureReference> byHost;
};
Known &knownReferences() {
  static Known *const known = new Known; // modules may be destroyed after everything else
  return *known;
}

} // namespace

LZTextureReference::LZTextureReference(LZModule &module, std::string name, textureReference *host)
    : module_(module), name_(std::move(name)), host_(host ? host : &own_) {
  state_.lock()->onDevice.resize(allDevices().size());
  own_.readMode = hipReadModeNormalizedFloat; // until hipTexRefSetFlags says otherwise
  Known &known = knownReferences();
  Lock lock(known.mutex);
  known.byHost.set(host_, this);
}

LZTextureReference::~LZTextureReference() {
  Known &known = knownReferences();
  Lock lock(known.mutex);
  known.byHost.erase(host_);
}

LZTextureReference &LZTextureReference::from(const textureReference *host, hipError_t otherwise) {
  if (LZTextureReference *reference = host ? knownReferences().byHost.find(host) : nullptr)
    return *reference;
  requireRuntime();
  std::optional<LZRegistry::Symbol> symbol;
  try {
    symbol.emplace(LZRegistry::instance().symbolFor(host));
  } catch (const HipError &error) {
    if (error.code() != hipErrorInvalidSymbol)
      throw;
  }
  // The compiler registers the size of every variable but those of texture references.
  if (!symbol || symbol->size != 0)
    throw HipError(otherwise, "the address is not that of a texture reference");
  return symbol->module.textureReference(symbol->name, const_cast<textureReference *>(host));
}

void LZTextureReference::bind(LZDevice &device, const hipResourceDesc &resource, size_t offset) {
  const auto state = state_.lock();
  bind(*state, device, resource);
  state->binding = {resource, offset};
}

void LZTextureReference::bind(State &state, LZDevice &device, const hipResourceDesc &resource) {
  hipTextureDesc sampling{};
  std::copy_n(host_->addressMode, 3, sampling.addressMode);
  std::copy_n(state.border.data(), 4, sampling.borderColor);
  sampling.filterMode = host_->filterMode;
  sampling.readMode = host_->readMode;
  sampling.sRGB = host_->sRGB;
  sampling.normalizedCoords = host_->normalized;
  sampling.maxAnisotropy = host_->maxAnisotropy;
  sampling.mipmapFilterMode = host_->mipmapFilterMode;
  sampling.mipmapLevelBias = host_->mipmapLevelBias;
  sampling.minMipmapLevelClamp = host_->minMipmapLevelClamp;
  sampling.maxMipmapLevelClamp = host_->maxMipmapLevelClamp;
  auto texture = std::make_unique<LZTexture>(device, resource, sampling, nullptr, LZTexture::Of::reference);
  point(state, device, texture->address());
  state.onDevice[device.ordinal()] = std::move(texture);
}

void LZTextureReference::unbind() {
  for (LZDevice *device : allDevices())
    unbind(*device);
}

void LZTextureReference::unbind(LZDevice &device) {
  const auto state = state_.lock();
  std::vector<std::unique_ptr<LZTexture>> &textures = state->onDevice;
  if (textures[device.ordinal()]) {
    point(*state, device, 0);
    textures[device.ordinal()].reset();
  }
  if (std::none_of(textures.begin(), textures.end(), [](const auto &texture) { return texture != nullptr; }))
    state->binding.reset();
}

void LZTextureReference::refresh() {
  const auto state = state_.lock();
  for (LZDevice *device : allDevices())
    if (const std::unique_ptr<LZTexture> &texture = state->onDevice[device->ordinal()])
      bind(*state, *device, hipResourceDesc(texture->resource()));
}

/// Kernels that are running keep the former texture.
void LZTextureReference::point(State &state, LZDevice &device, uint64_t object) {
  const LZModule::Global variable = module_.global(device, name_);
  if (state.onDevice[device.ordinal()])
    device.synchronize();
  device.copyBlocking(static_cast<std::byte *>(variable.address) + offsetof(textureReference, textureObject), &object,
                      sizeof object);
  host_->textureObject = reinterpret_cast<hipTextureObject_t>(object);
}

std::optional<LZTextureReference::Binding> LZTextureReference::binding() const { return state_.lock()->binding; }

std::array<float, 4> LZTextureReference::borderColour() const { return state_.lock()->border; }

void LZTextureReference::setBorderColour(const std::array<float, 4> &colour) {
  state_.lock()->border = colour;
  refresh();
}

} // namespace hiplz
