// SPDX-License-Identifier: MIT
// Functions of zeDriver* and zeDevice* that are newer than specification 1.4.
#include "cpu/ddi/later_api.h"
#include "cpu/program/host_processor.h"

namespace hiplz::cpu::ddi {

ze_result_t initDrivers(uint32_t *count, ze_driver_handle_t *drivers, const InitDriverTypeDesc *desc) {
  return guarded([&] {
    deref(count);
    const uint32_t flags = deref(desc).flags;
    require(flags != 0 && (flags == kInitAllDriverTypes || (flags & ~kInitDriverTypes) == 0),
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(flags == kInitAllDriverTypes || (deviceType() == ZE_DEVICE_TYPE_GPU && (flags & kInitGpuDrivers)),
            ZE_RESULT_ERROR_UNINITIALIZED, "the device is neither a GPU (HIPLZ_CPU_AS_GPU is not set) nor an NPU");
    Driver &driver = Driver::initialise();
    return listInto(count, drivers, 1, [&](uint32_t, ze_driver_handle_t &handle) { handle = driver.handle(); });
  });
}

// Not a guarded call itself, so that it does not change what it reports.
ze_result_t driverGetLastErrorDescription(ze_driver_handle_t driver, const char **text) {
  try {
    Driver::from(driver);
    return runtimeGetLastErrorDescription(text);
  } catch (const Error &error) {
    return error.code;
  }
}

ze_result_t runtimeGetLastErrorDescription(const char **text) {
  if (!text)
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *text = driver::lastErrorText();
  return ZE_RESULT_SUCCESS;
}

ze_context_handle_t driverGetDefaultContext(ze_driver_handle_t driver) {
  ze_context_handle_t handle = nullptr;
  guarded(
      [&] {
        handle = Driver::from(driver).defaultContext().handle();
        return ZE_RESULT_SUCCESS;
      },
      __func__);
  return handle;
}

ze_context_handle_t runtimeGetDefaultContext() {
  ze_context_handle_t handle = nullptr;
  guarded(
      [&] {
        handle = Driver::get().defaultContext().handle();
        return ZE_RESULT_SUCCESS;
      },
      "zerGetDefaultContext");
  return handle;
}

// The identifier is the place in the list of zeDeviceGet.
uint32_t runtimeTranslateDeviceHandleToIdentifier(ze_device_handle_t device) {
  uint32_t identifier = UINT32_MAX;
  guarded(
      [&] {
        const Device &object = Device::from(device);
        const auto &devices = Driver::get().devices();
        for (uint32_t place = 0; place < devices.size(); ++place)
          if (devices[place].get() == &object)
            identifier = place;
        return ZE_RESULT_SUCCESS;
      },
      "zerTranslateDeviceHandleToIdentifier");
  return identifier;
}

ze_device_handle_t runtimeTranslateIdentifierToDeviceHandle(uint32_t identifier) {
  ze_device_handle_t handle = nullptr;
  guarded(
      [&] {
        const auto &devices = Driver::get().devices();
        require(identifier < devices.size(), ZE_RESULT_ERROR_INVALID_ARGUMENT, "no device has this identifier");
        handle = devices[identifier]->handle();
        return ZE_RESULT_SUCCESS;
      },
      "zerTranslateIdentifierToDeviceHandle");
  return handle;
}

// There are no sub-devices, so no device has a root.
ze_result_t deviceGetRootDevice(ze_device_handle_t device, ze_device_handle_t *root) {
  return guarded([&] {
    Device::from(device);
    deref(root) = nullptr;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetVectorWidthPropertiesExt(ze_device_handle_t device, uint32_t *count,
                                              VectorWidthProperties *properties) {
  return guarded([&] {
    Device::from(device);
    // Kernels are vectorised over work-items, so a vector of their own is best as wide as a register.
    const uint32_t bytes = vectorRegisterBytes();
    return listInto(count, properties, 1, [&](uint32_t, VectorWidthProperties &out) {
      out.size = bytes;
      out.native = {bytes, bytes / 2, bytes / 4, bytes / 8, bytes / 4, bytes / 8, bytes / 2};
      out.preferred = out.native;
    });
  });
}

ze_result_t deviceSynchronize(ze_device_handle_t device) {
  return guarded([&] {
    const Device &object = Device::from(device);
    Driver::get().synchronize(object);
    return object.lostContexts.load() > 0 ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi
