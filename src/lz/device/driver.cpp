// SPDX-License-Identifier: MIT
// Opening drivers. The oneAPI loader reads ZE_ENABLE_ALT_DRIVERS when it is initialised, and Intel's driver reads variables of
// its own; HIPLZ sets them for that moment only, so that child processes make their own choice.
#include "lz/device/driver.h"
#include "base/env.h"
#include "base/log.h"
#include "lz/core/error.h"
#include "lz/core/ze_extensions.h"
#include "lz/device/preset_context.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <sys/auxv.h>
#include <system_error>

namespace hiplz {
namespace {

constexpr char kAltDrivers[] = "ZE_ENABLE_ALT_DRIVERS";
constexpr char kEmulateDoubles[] = "NEO_FP64_EMULATION"; // of GPUs that have no double precision but could emulate it
constexpr char kIntelGpuDriver[] = "libze_intel_gpu.so.1";
constexpr char kCpuDriver[] = "libze_hiplz_cpu.so.1";
constexpr char kOpenclDriver[] = "libze_hiplz_opencl.so.1";

// The devices that HIPLZ_DEVICES asks for.
struct Wanted {
  bool gpu = false, cpu = false, opencl = false;
  bool either = false; // nothing was asked for: the GPUs, or the CPU device if there are none
};

Wanted parseWanted() {
  const std::string text = envString(EnvVar::HIPLZ_DEVICES);
  Wanted wanted;
  if (text.empty()) {
    wanted.gpu = wanted.cpu = wanted.either = true;
    return wanted;
  }
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word == "gpu")
      wanted.gpu = true;
    else if (word == "cpu")
      wanted.cpu = true;
    else if (word == "opencl")
      wanted.opencl = true;
  }
  return wanted;
}

bool hasIntelRenderNode() {
  std::error_code error;
  for (const auto &node : std::filesystem::directory_iterator("/dev/dri", error)) {
    const std::string name = node.path().filename();
    std::string vendor;
    if (name.starts_with("renderD") && std::ifstream("/sys/class/drm/" + name + "/device/vendor") >> vendor &&
        vendor == "0x8086")
      return true;
  }
  return false;
}

// A driver of HIPLZ's that is installed beside this library, which may have been loaded through a link in another folder.
std::string ownDriverPath(const char *name) {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void *>(&ownDriverPath), &self) && self.dli_fname) {
    std::error_code error;
    std::filesystem::path path = std::filesystem::canonical(self.dli_fname, error).parent_path() / name;
    if (std::filesystem::exists(path, error))
      return path;
  }
  return name;
}

// The value of ZE_ENABLE_ALT_DRIVERS for what is wanted; empty: the loader's own list.
std::string driverList(const Wanted &wanted) {
  if (!wanted.cpu && !wanted.opencl)
    return {};
  std::string list;
  const auto add = [&](const std::string &driver) { list += (list.empty() ? "" : ",") + driver; };
  if (wanted.either ? hasIntelRenderNode() : wanted.gpu)
    add(kIntelGpuDriver);
  if (wanted.cpu)
    add(ownDriverPath(kCpuDriver));
  if (wanted.opencl) // after the others: they need no layer between
    add(ownDriverPath(kOpenclDriver));
  return list;
}

/// A variable of the environment, unless the user has set it.
class VariableForNow {
public:
  VariableForNow(const char *name, const std::string &value) : name_(std::getenv(name) ? nullptr : name) {
    if (name_)
      setenv(name_, value.c_str(), 1);
  }
  ~VariableForNow() {
    if (name_)
      unsetenv(name_);
  }
  VariableForNow(const VariableForNow &) = delete;
  VariableForNow &operator=(const VariableForNow &) = delete;

private:
  const char *name_;
};

ze_result_t initialiseLoader(const Wanted &wanted) {
  if (::getauxval(AT_SECURE))
    for (const char *variable : {kAltDrivers, "ZEL_LIBRARY_PATH"}) // the loader would take code from the user
      unsetenv(variable);
  const VariableForNow doubles(kEmulateDoubles, "1");
  const std::string list = std::getenv(kAltDrivers) ? std::string() : driverList(wanted);
  if (list.empty())
    return zeInit(0);
  HIPLZ_LOG_DEBUG("Level Zero drivers: %s", list.c_str());
  const VariableForNow drivers(kAltDrivers, list);
  return zeInit(0);
}

// The values of one of Level Zero's enumerating functions, which are called twice.
template <class Value, class Enumerate> std::vector<Value> enumerate(Enumerate call) {
  uint32_t count = 0;
  if (call(&count, nullptr) != ZE_RESULT_SUCCESS || count == 0)
    return {};
  std::vector<Value> values(count, Value{});
  if (call(&count, values.data()) != ZE_RESULT_SUCCESS)
    return {};
  values.resize(count);
  return values;
}

// The loader leaves out drivers that it cannot open, and does not say why.
std::string whyNoOwnDriver(const Wanted &wanted) {
  if (std::getenv(kAltDrivers))
    return {};
  std::string reasons;
  const auto tryOpening = [&](const char *name, const char *what) {
    if (void *driver = dlopen(ownDriverPath(name).c_str(), RTLD_NOW | RTLD_LOCAL))
      dlclose(driver);
    else
      reasons += std::string("; ") + what + " cannot be opened: " + dlerror();
  };
  if (wanted.cpu)
    tryOpening(kCpuDriver, "the CPU device's driver");
  if (wanted.opencl) {
    tryOpening(kOpenclDriver, "the driver on OpenCL");
    reasons += "; OpenCL needs an implementation that takes SPIR-V and has unified shared memory, and HIPLZ_LOG=info "
               "names the "
               "devices that are left out";
  }
  return reasons;
}

std::vector<ze_driver_extension_properties_t> extensionsOf(ze_driver_handle_t driver) {
  return enumerate<ze_driver_extension_properties_t>([&](uint32_t *count, ze_driver_extension_properties_t *out) {
    return zeDriverGetExtensionProperties(driver, count, out);
  });
}

bool contains(const std::vector<ze_driver_extension_properties_t> &extensions, const char *name) {
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const auto &extension) { return std::strcmp(extension.name, name) == 0; });
}

bool isCpu(ze_device_handle_t device) {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  return zeDeviceGetProperties(device, &properties) == ZE_RESULT_SUCCESS && properties.type == ZE_DEVICE_TYPE_CPU;
}

// Advice for the user of an Intel GPU, if the machine has one.
std::string adviceForGpus() {
  return std::string(hasIntelRenderNode() ? "; the machine has an Intel GPU, for which" : "; for a GPU of Intel's,") +
         " install the driver (package intel-opencl-icd on Debian 12, libze-intel-gpu1 on newer systems) and let the "
         "user open "
         "/dev/dri/renderD* (group render or video); HIPLZ_DEVICES=cpu uses the CPU device; hiplz-info says more";
}

} // namespace

std::vector<std::unique_ptr<LZDriver>> LZDriver::openAll(std::string &whyNone) {
  const Wanted wanted = parseWanted();
  if (!wanted.gpu && !wanted.cpu && !wanted.opencl) {
    whyNone = "HIPLZ_DEVICES=none; leave it unset to use what the machine has";
    return {};
  }
  if (ze_result_t result = initialiseLoader(wanted)) {
    whyNone = std::string("Level Zero cannot be initialised (") + zeResultName(result) + ")" + whyNoOwnDriver(wanted) +
              adviceForGpus();
    return {};
  }
  struct Found {
    ze_driver_handle_t driver;
    std::vector<ze_device_handle_t> gpus, cpus, opencl;
  };
  std::vector<Found> found;
  size_t gpus = 0;
  for (ze_driver_handle_t driver : enumerate<ze_driver_handle_t>(zeDriverGet)) {
    Found &entry = found.emplace_back(Found{driver, {}, {}, {}});
    const auto extensions = extensionsOf(driver);
    const bool onlyCpus = contains(extensions, kZeProcessorExtension),
               isOpencl = contains(extensions, kZeOpenclExtension);
    for (ze_device_handle_t device : enumerate<ze_device_handle_t>(
             [&](uint32_t *count, ze_device_handle_t *out) { return zeDeviceGet(driver, count, out); }))
      (isOpencl ? entry.opencl : onlyCpus || isCpu(device) ? entry.cpus : entry.gpus).push_back(device);
    gpus += entry.gpus.size();
  }
  const bool useCpus = wanted.cpu && (!wanted.either || gpus == 0);
  std::vector<std::unique_ptr<LZDriver>> drivers;
  for (Found &entry : found) {
    std::vector<ze_device_handle_t> devices;
    if (wanted.gpu)
      devices = entry.gpus;
    if (useCpus)
      devices.insert(devices.end(), entry.cpus.begin(), entry.cpus.end());
    if (wanted.opencl)
      devices.insert(devices.end(), entry.opencl.begin(), entry.opencl.end());
    if (devices.empty())
      continue;
    try {
      drivers.push_back(std::make_unique<LZDriver>(entry.driver, std::move(devices)));
    } catch (const HipError &error) {
      HIPLZ_LOG_INFO("a Level Zero driver is skipped: %s", error.what());
    }
  }
  if (drivers.empty()) {
    const std::string devices = envString(EnvVar::HIPLZ_DEVICES);
    whyNone = "the Level Zero drivers have no device" +
              (devices.empty() ? std::string() : " of the kind that HIPLZ_DEVICES=" + devices + " asks for") +
              whyNoOwnDriver(wanted) + adviceForGpus();
  }
  return drivers;
}

LZDriver::LZDriver(ze_driver_handle_t driver, std::vector<ze_device_handle_t> devices)
    : ze_(driver), devices_(std::move(devices)), context_([&] {
        if (ZeContext preset = takePresetContext(driver))
          return preset;
        ze_context_desc_t description{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
        ze_context_handle_t context = nullptr;
        LZ_CALL(zeContextCreate, (driver, &description, &context));
        return ZeContext(context);
      }()),
      events_(context_.get(), false), timedEvents_(context_.get(), true), unorderedEvents_(context_.get(), false) {
  LZ_CALL(zeDriverGetApiVersion, (ze_, &apiVersion_));
  ze_driver_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  LZ_CALL(zeDriverGetProperties, (ze_, &properties));
  version_ = properties.driverVersion;
  extensions_ = extensionsOf(ze_);
  inOrderLists_ = apiVersion_ >= kZeApiVersionInOrder || hasExtension(kZeInOrderListsExtension);
  waitOnMemory32_ = reinterpret_cast<ZexAppendWaitOnMemory32>(extensionFunction("zexCommandListAppendWaitOnMemory"));
  waitOnMemory64_ = reinterpret_cast<ZexAppendWaitOnMemory64>(extensionFunction("zexCommandListAppendWaitOnMemory64"));
  // Found once, so that imported memory can be released, whatever the driver answers later.
  releasePointer_ = reinterpret_cast<ZexReleasePointer>(extensionFunction("zexDriverReleaseImportedPointer"));
  if (releasePointer_)
    importPointer_ = reinterpret_cast<ZexImportPointer>(extensionFunction("zexDriverImportExternalPointer"));
}

void *LZDriver::extensionFunction(const char *name) const {
  void *function = nullptr;
  return zeDriverGetExtensionFunctionAddress(ze_, name, &function) == ZE_RESULT_SUCCESS ? function : nullptr;
}

// Debian 12's loader does not have every function.
void *LZDriver::loaderFunction(const char *name) { return dlsym(RTLD_DEFAULT, name); }

bool LZDriver::hasExtension(const char *name) const { return contains(extensions_, name); }

} // namespace hiplz
