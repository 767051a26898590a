// SPDX-License-Identifier: MIT
// Devices: choosing one, its properties, attributes and limits.
#include "api/api_scope.h"
#include "api/current.h"
#include "api/device_properties.h"
#include "base/hip_version.h"
#include "lz/context/context.h"
#include "lz/context/device_reset.h"
#include "lz/graph/capture.h"
#include "lz/module/device_heap.h"
#include "lz/module/printf.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

using namespace hiplz;

namespace {

// The stack of a thread. Kernels get the stack that the driver's compiler finds they need, so nothing has to be done
// for this request. AMD's library 6.4 takes the same range for its devices with warps of 32 threads (gfx11): 15 bits
// count units of 256 bytes for each warp, of which the compiler needs 64 bytes a thread.
class StackSize {
public:
  static std::atomic<size_t> &of(const LZDevice &device) {
    static auto *all = new std::vector<StackSize>(LZContext::instance().devices().size());
    return (*all)[device.ordinal()].bytes_;
  }
  static constexpr size_t kLargest = ((1 << 15) - 1) * 256 / 32 - 64;

private:
  std::atomic<size_t> bytes_{1024};
};

/// HIP 7 has limits of private memory, which no device here has. AMD's library has an error of its own for negative values.
hipError_t refuseLimit(hipLimit_t limit) {
  if (followsHip7() && limit >= hipExtLimitScratchMin && limit <= hipExtLimitScratchCurrent)
    return refuse(hipErrorUnsupportedLimit, "drivers of Level Zero choose the size of private memory");
  return refuse(static_cast<int>(limit) < 0 ? hipErrorUnsupportedLimit : hipErrorInvalidValue,
                "limit is not one of hipLimit_t");
}

hipError_t limitOf(LZDevice &device, hipLimit_t limit, size_t &value) {
  switch (limit) {
  case hipLimitMallocHeapSize: value = LZDeviceHeap::of(device).bytes(); return hipSuccess;
  case hipLimitStackSize: value = StackSize::of(device); return hipSuccess;
  case hipLimitPrintfFifoSize: value = LZPrintf::bytes(device); return hipSuccess;
  default: return refuseLimit(limit);
  }
}

hipError_t setLimit(LZDevice &device, hipLimit_t limit, size_t value) {
  switch (limit) {
  case hipLimitMallocHeapSize: return LZDeviceHeap::of(device).resize(value);
  case hipLimitStackSize:
    if (value > StackSize::kLargest)
      throw HipError(hipErrorInvalidValue,
                     "a thread's stack cannot have more than " + std::to_string(StackSize::kLargest) + " bytes");
    StackSize::of(device) = value;
    return hipSuccess;
  case hipLimitPrintfFifoSize:
    if (hipError_t error = LZPrintf::resize(device, value))
      throw HipError(error, "the printf buffer cannot be larger than 1 GiB, nor grow once a kernel has used it");
    return hipSuccess;
  default: return refuseLimit(limit);
  }
}

hipError_t setFlags(LZDevice &device, unsigned flags) {
  constexpr unsigned kDeviceFlags = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
  const unsigned schedule = flags & hipDeviceScheduleMask;
  if ((flags & ~kDeviceFlags) || (schedule & (schedule - 1)))
    return refuse(hipErrorInvalidValue, "flags has bits that HIP does not know, or more than one way of scheduling");
  device.scheduleFlags = schedule; // the others have no meaning here, and AMD's library forgets them too
  return hipSuccess;
}

// No Level Zero device divides its cache or its shared memory on request: the preferences are hints, and there is none
// to read back.
/// HIP 7 forbids the two preferences of a device while a stream is captured.
void forbidInCapture() {
  if (followsHip7())
    LZCapture::forbidUnsafe();
}

hipError_t checkCacheConfig(hipFuncCache_t config) {
  currentDevice();
  return static_cast<unsigned>(config) > hipFuncCachePreferEqual
             ? refuse(hipErrorInvalidValue, "the cache configuration is not one of hipFuncCache_t")
             : hipSuccess;
}

hipError_t storeCacheConfig(hipFuncCache_t *config) {
  if (!config)
    return refuse(hipErrorInvalidValue, "config is null");
  currentDevice();
  *config = hipFuncCachePreferNone;
  return hipSuccess;
}

hipError_t checkSharedMemConfig(hipSharedMemConfig config) {
  currentDevice();
  return static_cast<unsigned>(config) > hipSharedMemBankSizeEightByte
             ? refuse(hipErrorInvalidValue, "the shared memory configuration is not one of hipSharedMemConfig")
             : hipSuccess;
}

hipError_t storeSharedMemConfig(hipSharedMemConfig *config) {
  if (!config)
    return refuse(hipErrorInvalidValue, "config is null");
  currentDevice();
  *config = hipSharedMemBankSizeFourByte;
  return hipSuccess;
}

// The device that fulfils most of the wishes; the first of equals.
hipError_t chooseDevice(int &chosen, size_t memory, int multiProcessors, int major, int minor) {
  int best = -1;
  for (const LZDevice *device : LZContext::instance().devices()) {
    const hipDeviceProp_tR0600 prop = hipProperties(*device);
    const int score = (prop.totalGlobalMem >= memory) + (prop.multiProcessorCount >= multiProcessors) +
                      (prop.major > major || (prop.major == major && prop.minor >= minor));
    if (score > best) {
      best = score;
      chosen = device->ordinal();
    }
  }
  return hipSuccess;
}

/// A PCI address, or several: those that differ in what it leaves out.
struct PciAddress {
  unsigned domain = 0, bus = 0, device = 0;
  std::optional<unsigned> function;

  bool covers(const ze_pci_address_ext_t &other) const {
    return domain == other.domain && bus == other.bus && device == other.device &&
           function.value_or(other.function) == other.function;
  }
};

// The forms that CUDA documents: domain:bus:device.function, without the function, or without the domain.
std::optional<PciAddress> parsePciAddress(const char *text) {
  PciAddress address;
  unsigned function = 0;
  const int read = std::sscanf(text, "%x:%x:%x.%x", &address.domain, &address.bus, &address.device, &function);
  if (read == 3)
    return address;
  address.function = function;
  if (read == 4)
    return address;
  address.domain = 0;
  if (std::sscanf(text, "%x:%x.%x", &address.bus, &address.device, &*address.function) == 3)
    return address;
  return std::nullopt;
}

} // namespace

extern "C" {

hipError_t hipGetDeviceCount(int *count) {
  return HIPLZ_API(hipGetDeviceCount, count)([&] {
    if (!count)
      return refuse(hipErrorInvalidValue, "count is null");
    *count = 0;
    *count = static_cast<int>(LZContext::instance().devices().size());
    return hipSuccess;
  });
}

hipError_t hipSetDevice(int deviceId) {
  return HIPLZ_API(hipSetDevice, deviceId)([&] {
    threadState.device = LZContext::instance().device(deviceId).ordinal();
    return hipSuccess;
  });
}

hipError_t hipGetDevice(int *deviceId) {
  return HIPLZ_API(hipGetDevice, deviceId)([&] {
    if (!deviceId)
      return refuse(hipErrorInvalidValue, "deviceId is null");
    *deviceId = currentDevice().ordinal();
    return hipSuccess;
  });
}

hipError_t hipDeviceGet(hipDevice_t *device, int ordinal) {
  return HIPLZ_API(hipDeviceGet, device, ordinal)([&] {
    if (!device)
      return refuse(hipErrorInvalidValue, "device is null");
    *device = LZContext::instance().device(ordinal).ordinal();
    return hipSuccess;
  });
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *prop, int deviceId) {
  return HIPLZ_API(hipGetDevicePropertiesR0600, prop, deviceId)([&] {
    if (!prop)
      return refuse(hipErrorInvalidValue, "prop is null");
    *prop = hipProperties(LZContext::instance().device(deviceId));
    return hipSuccess;
  });
}

hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000 *prop, int deviceId) {
  return HIPLZ_API(hipGetDevicePropertiesR0000, prop, deviceId)([&] {
    if (!prop)
      return refuse(hipErrorInvalidValue, "prop is null");
    *prop = olderProperties(hipProperties(LZContext::instance().device(deviceId)));
    return hipSuccess;
  });
}

hipError_t hipChooseDeviceR0600(int *device, const hipDeviceProp_tR0600 *prop) {
  return HIPLZ_API(hipChooseDeviceR0600, device, prop)([&] {
    HIPLZ_NOT_NULL(device, prop);
    return chooseDevice(*device, prop->totalGlobalMem, prop->multiProcessorCount, prop->major, prop->minor);
  });
}

hipError_t hipChooseDeviceR0000(int *device, const hipDeviceProp_tR0000 *prop) {
  return HIPLZ_API(hipChooseDeviceR0000, device, prop)([&] {
    HIPLZ_NOT_NULL(device, prop);
    return chooseDevice(*device, prop->totalGlobalMem, prop->multiProcessorCount, prop->major, prop->minor);
  });
}

// Functions that programs built with HIP 5 and older call by names that macros have replaced since.
hipError_t getDeviceProperties(hipDeviceProp_tR0000 *prop, int deviceId) __asm__("hipGetDeviceProperties")
    __attribute__((alias("hipGetDevicePropertiesR0000")));
hipError_t chooseDeviceByOldProperties(int *device, const hipDeviceProp_tR0000 *prop) __asm__("hipChooseDevice")
    __attribute__((alias("hipChooseDeviceR0000")));

// The first of the list becomes the device of the calling thread; no list: the first of all. Others can still be
// chosen.
hipError_t hipSetValidDevices(int *device_arr, int len) {
  return HIPLZ_API(hipSetValidDevices, device_arr, len)([&] {
    LZContext &context = LZContext::instance();
    if (len < 0 || (len > 0 && !device_arr) || static_cast<size_t>(len) > context.devices().size())
      return refuse(hipErrorInvalidValue, "len is negative or more than the devices, or device_arr is null");
    for (int i = 0; i < len; ++i)
      context.device(device_arr[i]);
    threadState.device = len > 0 ? device_arr[0] : 0;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetAttribute(int *pi, hipDeviceAttribute_t attr, int deviceId) {
  return HIPLZ_API(hipDeviceGetAttribute, pi, attr, deviceId)([&] {
    if (!pi)
      throw HipError(hipErrorInvalidValue, "the destination for the device attribute is null");
    return hipAttribute(LZContext::instance().device(deviceId), attr, *pi);
  });
}

hipError_t hipDeviceGetName(char *name, int len, hipDevice_t device) {
  return HIPLZ_API(hipDeviceGetName, name, len, device)([&] {
    HIPLZ_NOT_NULL(name);
    if (len <= 0)
      return refuse(hipErrorInvalidValue, "len is not positive");
    std::snprintf(name, len, "%s", LZContext::instance().device(device).properties().name);
    return hipSuccess;
  });
}

hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device) {
  return HIPLZ_API(hipDeviceGetUuid, uuid, device)([&] {
    if (!uuid)
      return refuse(hipErrorInvalidValue, "uuid is null");
    std::memcpy(uuid->bytes, LZContext::instance().device(device).properties().uuid.id, sizeof uuid->bytes);
    return hipSuccess;
  });
}

hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
  return HIPLZ_API(hipDeviceTotalMem, bytes, device)([&] {
    if (!bytes)
      return refuse(hipErrorInvalidValue, "bytes is null");
    *bytes = LZContext::instance().device(device).totalMemory();
    return hipSuccess;
  });
}

hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device) {
  return HIPLZ_API(hipDeviceComputeCapability, major, minor, device)([&] {
    HIPLZ_NOT_NULL(major, minor);
    const hipDeviceProp_tR0600 prop = hipProperties(LZContext::instance().device(device));
    *major = prop.major;
    *minor = prop.minor;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetPCIBusId(char *pciBusId, int len, int device) {
  return HIPLZ_API(hipDeviceGetPCIBusId, pciBusId, len, device)([&] {
    HIPLZ_NOT_NULL(pciBusId);
    if (len <= 0)
      return refuse(hipErrorInvalidValue, "len is not positive");
    const ze_pci_address_ext_t &address = LZContext::instance().device(device).pci().address;
    const int needed = std::snprintf(pciBusId, len, "%04x:%02x:%02x.%x", address.domain, address.bus, address.device,
                                     address.function);
    return needed < len ? hipSuccess : refuse(hipErrorInvalidValue, "len is too small for the address");
  });
}

hipError_t hipDeviceGetByPCIBusId(int *device, const char *pciBusId) {
  return HIPLZ_API(hipDeviceGetByPCIBusId, device, pciBusId)([&] {
    HIPLZ_NOT_NULL(device, pciBusId);
    const std::optional<PciAddress> address = parsePciAddress(pciBusId);
    if (!address)
      return refuse(hipErrorInvalidValue, "pciBusId is not of the form domain:bus:device.function");
    for (const LZDevice *candidate : LZContext::instance().devices())
      if (address->covers(candidate->pci().address)) {
        *device = candidate->ordinal();
        return hipSuccess;
      }
    return refuse(hipErrorInvalidValue, "no device has the address pciBusId");
  });
}

hipError_t hipDeviceSynchronize(void) {
  return HIPLZ_API(hipDeviceSynchronize)([&] {
    LZCapture::forbidAlways();
    return currentDevice().synchronize();
  });
}

hipError_t hipDeviceReset(void) {
  return HIPLZ_API(hipDeviceReset)([&] {
    LZCapture::forbidUnsafe();
    return resetDevice(currentDevice());
  });
}

hipError_t hipSetDeviceFlags(unsigned int flags) {
  return HIPLZ_API(hipSetDeviceFlags, flags)([&] { return setFlags(currentDevice(), flags); });
}

hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags) {
  return HIPLZ_API(hipDevicePrimaryCtxSetFlags, dev,
                   flags)([&] { return setFlags(LZContext::instance().device(dev), flags); });
}

hipError_t hipGetDeviceFlags(unsigned int *flags) {
  return HIPLZ_API(hipGetDeviceFlags, flags)([&] {
    if (!flags)
      return refuse(hipErrorInvalidValue, "flags is null");
    *flags = currentDevice().scheduleFlags;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  return HIPLZ_API(hipDeviceGetStreamPriorityRange, leastPriority, greatestPriority)([&] {
    if (leastPriority)
      *leastPriority = LZDevice::kLeastPriority;
    if (greatestPriority)
      *greatestPriority = LZDevice::kGreatestPriority;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetLimit(size_t *pValue, enum hipLimit_t limit) {
  return HIPLZ_API(hipDeviceGetLimit, pValue, limit)([&] {
    if (!pValue)
      return refuse(hipErrorInvalidValue, "pValue is null");
    return limitOf(currentDevice(), limit, *pValue);
  });
}

hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value) {
  return HIPLZ_API(hipDeviceSetLimit, limit, value)([&] { return setLimit(currentDevice(), limit, value); });
}

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig) {
  return HIPLZ_API(hipDeviceSetCacheConfig, cacheConfig)([&] {
    forbidInCapture();
    return checkCacheConfig(cacheConfig);
  });
}

hipError_t hipCtxSetCacheConfig(hipFuncCache_t cacheConfig) {
  return HIPLZ_API(hipCtxSetCacheConfig, cacheConfig)([&] { return checkCacheConfig(cacheConfig); });
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *cacheConfig) {
  return HIPLZ_API(hipDeviceGetCacheConfig, cacheConfig)([&] { return storeCacheConfig(cacheConfig); });
}

hipError_t hipCtxGetCacheConfig(hipFuncCache_t *cacheConfig) {
  return HIPLZ_API(hipCtxGetCacheConfig, cacheConfig)([&] { return storeCacheConfig(cacheConfig); });
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  return HIPLZ_API(hipDeviceSetSharedMemConfig, config)([&] {
    forbidInCapture();
    return checkSharedMemConfig(config);
  });
}

hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) {
  return HIPLZ_API(hipCtxSetSharedMemConfig, config)([&] { return checkSharedMemConfig(config); });
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *pConfig) {
  return HIPLZ_API(hipDeviceGetSharedMemConfig, pConfig)([&] { return storeSharedMemConfig(pConfig); });
}

hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *pConfig) {
  return HIPLZ_API(hipCtxGetSharedMemConfig, pConfig)([&] { return storeSharedMemConfig(pConfig); });
}

} // extern "C"
