// SPDX-License-Identifier: MIT
// Access of devices to each other's memory. Level Zero allows it wherever it is possible at all, so enabling and
// disabling only do the bookkeeping that HIP asks for.
#include "api/api_scope.h"
#include "api/current.h"
#include "base/lockable.h"

#include <set>
#include <utility>

using namespace hiplz;

namespace {

using Pairs = std::set<std::pair<int, int>>;
Lockable<Pairs> &enabledPairs() {
  static auto *pairs = new Lockable<Pairs>(LockRank::peerAccess); // used until the process ends
  return *pairs;
}

bool accessible(const LZDevice &device, const LZDevice &peer) { return &device != &peer && device.canAccess(peer); }

hipError_t setAccess(int peer, bool enable) {
  LZDevice &device = currentDevice();
  if (!accessible(device, LZContext::instance().device(peer)))
    return enable ? refuse(hipErrorInvalidDevice, "the device cannot access the peer, or they are the same")
                  : refuse(hipErrorPeerAccessNotEnabled, "access to the peer has not been enabled");
  const auto enabled = enabledPairs().lock();
  const std::pair pair(device.ordinal(), peer);
  if (enable)
    return enabled->insert(pair).second
               ? hipSuccess
               : refuse(hipErrorPeerAccessAlreadyEnabled, "access to the peer has been enabled already");
  return enabled->erase(pair) ? hipSuccess
                              : refuse(hipErrorPeerAccessNotEnabled, "access to the peer has not been enabled");
}

} // namespace

extern "C" {

hipError_t hipDeviceCanAccessPeer(int *canAccessPeer, int deviceId, int peerDeviceId) {
  return HIPLZ_API(hipDeviceCanAccessPeer, canAccessPeer, deviceId, peerDeviceId)([&] {
    if (!canAccessPeer)
      return refuse(hipErrorInvalidValue, "canAccessPeer is null");
    LZContext &context = LZContext::instance();
    *canAccessPeer = accessible(context.device(deviceId), context.device(peerDeviceId));
    return hipSuccess;
  });
}

hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags) {
  return HIPLZ_API(hipDeviceEnablePeerAccess, peerDeviceId, flags)(
      [&] { return flags != 0 ? refuse(hipErrorInvalidValue, "flags is not 0") : setAccess(peerDeviceId, true); });
}

hipError_t hipDeviceDisablePeerAccess(int peerDeviceId) {
  return HIPLZ_API(hipDeviceDisablePeerAccess, peerDeviceId)([&] { return setAccess(peerDeviceId, false); });
}

hipError_t hipCtxEnablePeerAccess(hipCtx_t peerCtx, unsigned int flags) {
  return HIPLZ_API(hipCtxEnablePeerAccess, peerCtx, flags)([&] {
    return flags != 0 ? refuse(hipErrorInvalidValue, "flags is not 0")
                      : setAccess(contextFrom(peerCtx).ordinal(), true);
  });
}

hipError_t hipCtxDisablePeerAccess(hipCtx_t peerCtx) {
  return HIPLZ_API(hipCtxDisablePeerAccess, peerCtx)([&] { return setAccess(contextFrom(peerCtx).ordinal(), false); });
}

// The numbers of HSA. Level Zero does not say what connects two devices: those that use the host's memory share it, all
// others are taken to be on the bus.
hipError_t hipExtGetLinkTypeAndHopCount(int device1, int device2, uint32_t *linktype, uint32_t *hopcount) {
  return HIPLZ_API(hipExtGetLinkTypeAndHopCount, device1, device2, linktype, hopcount)([&] {
    constexpr uint32_t kProcessorLink = 1, kPci = 2;
    if (!linktype || !hopcount)
      return refuse(hipErrorInvalidValue, linktype ? "hopcount is null" : "linktype is null");
    if (device1 < 0 || device2 < 0 || device1 == device2)
      return refuse(hipErrorInvalidValue, "a device is negative, or both are the same");
    LZContext &context = LZContext::instance();
    const LZDevice &one = context.device(device1), &other = context.device(device2);
    *linktype = one.usesHostMemory() && other.usesHostMemory() ? kProcessorLink : kPci;
    *hopcount = 1;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  return HIPLZ_API(hipDeviceGetP2PAttribute, value, attr, srcDevice, dstDevice)([&] {
    if (!value)
      return refuse(hipErrorInvalidValue, "value is null");
    LZContext &context = LZContext::instance();
    LZDevice &from = context.device(srcDevice), &to = context.device(dstDevice);
    if (&from == &to)
      return refuse(hipErrorInvalidDevice, "both devices are the same");
    switch (attr) {
    case hipDevP2PAttrAccessSupported:
    case hipDevP2PAttrHipArrayAccessSupported: *value = accessible(from, to); return hipSuccess;
    case hipDevP2PAttrNativeAtomicSupported:
      *value = accessible(from, to) && from.hasPeerAtomics(to);
      return hipSuccess;
    case hipDevP2PAttrPerformanceRank: *value = 0; return hipSuccess;
    }
    return refuse(hipErrorInvalidValue, "attr is not one of hipDeviceP2PAttr");
  });
}

} // extern "C"
