// SPDX-License-Identifier: MIT
// OpenCL's platforms as drivers of Level Zero, and their devices: those that take SPIR-V and whose kernels reach memory by its
// address, as those of Level Zero do.
#pragma once
#include "driver/object.h"
#include "opencl/memory_functions.h"
#include "opencl/self_test.h"
#include "opencl/spirv_stage.h"

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace hiplz::opencl {

class Driver;

/// An extension in one of OpenCL's lists, which separate names by spaces.
bool listsExtension(const std::string &list, std::string_view name);

/// A device, immutable. Its properties are those that OpenCL reports, as far as they pass the self-test. Thread-safe.
class Device : public driver::Object<Device, ze_device_handle_t> {
public:
  static constexpr uint64_t kKind = 0x102;
  Device(Driver &driver, cl_device_id id, uint32_t index);

  /// A property of the device; `otherwise` if the implementation does not know it.
  template <class Value> Value info(cl_device_info what, Value otherwise = {}) const {
    return clValue<Value>(
        [&](size_t size, void *value, size_t *out) { return cl().clGetDeviceInfo(id, what, size, value, out); },
        otherwise);
  }
  std::string text(cl_device_info what) const {
    return clText(
        [&](size_t size, void *value, size_t *out) { return cl().clGetDeviceInfo(id, what, size, value, out); });
  }
  bool hasExtension(std::string_view name) const { return listsExtension(extensions_, name); }
  bool isCpu() const { return type_ & CL_DEVICE_TYPE_CPU; }
  bool isGpu() const { return type_ & CL_DEVICE_TYPE_GPU; }
  /// The best way in which its kernels reach memory; the driver may use another one.
  MemoryAccess memoryAccess() const { return memoryAccessOf(*this); }
  /// True if its kernels reach all memory of the process.
  bool reachesAllMemory() const {
    return info<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
  }
  bool listsDoubles() const { return info<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG) != 0; }
  /// The sizes of sub-groups that kernels may require.
  std::vector<uint32_t> listedSubgroupSizes() const;
  /// The device's abilities; the first call may take seconds.
  const Abilities &abilities() const;
  /// The same, and of 32 only if these pass the test.
  std::vector<uint32_t> subgroupSizes() const;
  /// Options of the compiler for all modules. Without a version of the language some take a module for one of OpenCL 1.2 and refuse
  /// atomics on generic addresses.
  std::string buildOptions() const;
  /// The device and the version of its implementation, on which binaries depend.
  std::string identity() const;
  /// The form that modules must have for the device's compiler.
  Adaptation adaptation() const;
  /// The device's clock, in nanoseconds; that of its events too.
  uint64_t now() const;
  void getProperties(ze_device_properties_t &out) const;

  Driver &driver;
  const cl_device_id id;
  const uint32_t index;

private:
  const cl_device_type type_;
  const std::string extensions_;
  mutable std::once_flag tested_;
  mutable Abilities abilities_;
};

/// A platform with at least one device.
class Driver : public driver::Object<Driver, ze_driver_handle_t> {
public:
  static constexpr uint64_t kKind = 0x101;
  explicit Driver(cl_platform_id platform);

  /// The platforms that HIPLZ_OPENCL_PLATFORM admits, found once. Empty if there is none, or no OpenCL. Thread-safe.
  static std::span<const std::unique_ptr<Driver>> all();

  std::string text(cl_platform_info what) const;
  const std::vector<std::unique_ptr<Device>> &devices() const { return devices_; }
  const MemoryFunctions &memory() const { return memory_; }
  MemoryAccess memoryAccess() const { return access_; }
  /// True for PoCL, which compiles kernels when they are launched and keeps the code itself. Asked for a program's binary, it compiles
  /// all of its kernels: for minutes, or until one of them ends the process.
  bool compilesForBinaries() const;

  const cl_platform_id platform;

private:
  MemoryAccess access_ = MemoryAccess::none;
  MemoryFunctions memory_;
  std::vector<std::unique_ptr<Device>> devices_;
};

} // namespace hiplz::opencl
