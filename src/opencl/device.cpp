// SPDX-License-Identifier: MIT
// See device.h.
#include "opencl/device.h"
#include "base/env.h"
#include "base/log.h"
#include "opencl/user_event.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace hiplz::opencl {
namespace {

// cl_intel_required_subgroup_size, which Debian 12's headers lack.
constexpr cl_device_info kSubgroupSizes = 0x4108;

ze_device_type_t zeType(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_CPU)
    return ZE_DEVICE_TYPE_CPU;
  return type & CL_DEVICE_TYPE_GPU ? ZE_DEVICE_TYPE_GPU : ZE_DEVICE_TYPE_FPGA;
}

/// Why a device cannot be one of Level Zero; null if it can.
const char *reasonAgainst(const Device &device) {
  if (device.text(CL_DEVICE_IL_VERSION).find("SPIR-V_1.") == std::string::npos)
    return "it takes no SPIR-V";
  if (device.memoryAccess() == MemoryAccess::none)
    return "its kernels cannot use addresses: it has no unified shared memory (cl_intel_unified_shared_memory), no "
           "shared virtual memory and no addresses of buffers (cl_ext_buffer_device_address)";
  if (!device.info<cl_bool>(CL_DEVICE_AVAILABLE) || !device.info<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE))
    return "it is not available";
  return nullptr;
}

} // namespace

bool listsExtension(const std::string &list, std::string_view name) {
  for (size_t at = list.find(name); at != std::string::npos; at = list.find(name, at + 1))
    if ((at == 0 || list[at - 1] == ' ') && (at + name.size() == list.size() || list[at + name.size()] == ' '))
      return true;
  return false;
}

Device::Device(Driver &driver, cl_device_id id, uint32_t index)
    : driver(driver), id(id), index(index), type_(info<cl_device_type>(CL_DEVICE_TYPE)),
      extensions_(text(CL_DEVICE_EXTENSIONS)) {}

std::vector<uint32_t> Device::listedSubgroupSizes() const {
  if (!hasExtension("cl_intel_required_subgroup_size"))
    return {};
  std::vector<uint32_t> sizes;
  for (size_t size : clValues<size_t>([&](size_t bytes, void *value, size_t *out) {
         return cl().clGetDeviceInfo(id, kSubgroupSizes, bytes, value, out);
       }))
    sizes.push_back(static_cast<uint32_t>(size));
  return sizes;
}

const Abilities &Device::abilities() const {
  std::call_once(tested_, [this] { abilities_ = testedAbilities(*this); });
  return abilities_;
}

std::vector<uint32_t> Device::subgroupSizes() const {
  std::vector<uint32_t> sizes = listedSubgroupSizes();
  if (!abilities().subgroups)
    std::erase(sizes, 32u);
  return sizes;
}

std::string Device::buildOptions() const {
  std::string options = text(CL_DEVICE_VERSION).starts_with("OpenCL 3") ? "-cl-std=CL3.0" : "-cl-std=CL2.0";
  // Without it Intel's driver for GPUs does not tell where variables are.
  if (text(CL_DEVICE_VENDOR).starts_with("Intel") && isGpu())
    options += " -cl-take-global-address";
  return options;
}

std::string Device::identity() const {
  return text(CL_DEVICE_NAME) + '\n' + driver.text(CL_PLATFORM_NAME) + '\n' + driver.text(CL_PLATFORM_VERSION) + '\n' +
         text(CL_DRIVER_VERSION);
}

Adaptation Device::adaptation() const {
  const bool isIntel = text(CL_DEVICE_VENDOR).starts_with("Intel");
  Adaptation how;
  how.pinShuffles = isIntel && isCpu();
  how.flattenGroups = abilities().subgroups && !abilities().shapedSubgroups;
  how.votesFromBallots = abilities().subgroups && !abilities().votes;
  how.zeroAbsentLanes = isCpu();
  // Kernels are refused there in which some work-items may miss an operation.
  how.countLanes = abilities().subgroups && !abilities().divergence;
  how.joinIndices = isIntel && isCpu();
  how.wrapDivisions = true;
  how.zeroUndefined = isCpu();
  how.defineClock = !(isIntel && isGpu()) && hasExtension("cl_khr_kernel_clock");
  how.defineSlices = !(isIntel && isGpu());
  return how;
}

uint64_t Device::now() const {
  cl_ulong device = 0, host = 0;
  checkCl(cl().clGetDeviceAndHostTimer(id, &device, &host), "clGetDeviceAndHostTimer");
  return device;
}

void Device::getProperties(ze_device_properties_t &out) const {
  out.type = zeType(type_);
  out.vendorId = info<cl_uint>(CL_DEVICE_VENDOR_ID);
  out.deviceId = 0;
  out.flags = info<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY) ? ZE_DEVICE_PROPERTY_FLAG_INTEGRATED : 0;
  if (info<cl_bool>(CL_DEVICE_ERROR_CORRECTION_SUPPORT))
    out.flags |= ZE_DEVICE_PROPERTY_FLAG_ECC;
  out.subdeviceId = 0;
  out.coreClockRate = info<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY);
  out.maxMemAllocSize = info<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  out.maxHardwareContexts = 1;
  out.maxCommandQueuePriority = 0;
  // OpenCL counts compute units and says nothing of what is in them.
  out.numThreadsPerEU = 1;
  out.physicalEUSimdWidth = std::max(1u, info<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT));
  out.numEUsPerSubslice = 1;
  out.numSubslicesPerSlice = info<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  out.numSlices = 1;
  // Clocks of OpenCL count nanoseconds; version 1.2 of the structure wants cycles in a second.
  out.timerResolution = out.stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 ? 1'000'000'000 : 1;
  out.timestampValidBits = out.kernelTimestampValidBits = 64;
  const std::string name = text(CL_DEVICE_NAME);
  // Binaries depend on the implementation's version, so the number by which programs keep them does too.
  const std::string unique = identity() + '\n' + std::to_string(index);
  const XXH128_hash_t hash = XXH3_128bits(unique.data(), unique.size());
  static_assert(sizeof hash == sizeof out.uuid);
  std::memcpy(out.uuid.id, &hash, sizeof hash);
  std::memset(out.name, 0, sizeof out.name);
  name.copy(out.name, sizeof out.name - 1);
}

Driver::Driver(cl_platform_id platform) : platform(platform) {
  cl_uint count = 0;
  if (cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
    return;
  std::vector<cl_device_id> ids(count);
  checkCl(cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr), "clGetDeviceIDs");
  for (cl_device_id id : ids) {
    auto device = std::make_unique<Device>(*this, id, static_cast<uint32_t>(devices_.size()));
    const MemoryAccess access = device->memoryAccess();
    const char *reason = reasonAgainst(*device);
    // A context is for all devices of a platform, so they have one kind of memory.
    if (!reason && access_ == MemoryAccess::none) {
      access_ = access;
      memory_ = memoryFunctionsOf(platform, access);
    }
    if (!reason && access != access_)
      reason = "an earlier device of its platform has memory of another kind";
    if (!reason && !memory_)
      reason = "its platform lacks functions that the device needs";
    if (reason)
      HIPLZ_LOG_INFO("OpenCL's device %s is left out: %s", device->text(CL_DEVICE_NAME).c_str(), reason);
    else
      devices_.push_back(std::move(device));
  }
}

std::string Driver::text(cl_platform_info what) const {
  return clText(
      [&](size_t size, void *value, size_t *out) { return cl().clGetPlatformInfo(platform, what, size, value, out); });
}

bool Driver::compilesForBinaries() const { return text(CL_PLATFORM_NAME).starts_with("Portable Computing Language"); }

std::span<const std::unique_ptr<Driver>> Driver::all() {
  // Never destroyed: threads of the program may call while it ends.
  static const auto *all = [] {
    auto *drivers = new std::vector<std::unique_ptr<Driver>>;
    cl_uint count = 0;
    if (!openCl() || cl().clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS)
      return drivers;
    std::vector<cl_platform_id> platforms(count);
    checkCl(cl().clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
    endUserEventsAtExit();
    const std::string wanted = envString(EnvVar::HIPLZ_OPENCL_PLATFORM);
    for (cl_platform_id one : platforms) {
      const std::string name = clText([&](size_t size, void *value, size_t *out) {
        return cl().clGetPlatformInfo(one, CL_PLATFORM_NAME, size, value, out);
      });
      if (name.find(wanted) == std::string::npos)
        continue;
      auto found = std::make_unique<Driver>(one);
      if (!found->devices().empty())
        drivers->push_back(std::move(found));
    }
    return drivers;
  }();
  return *all;
}

} // namespace hiplz::opencl
