// SPDX-License-Identifier: MIT
// neo_accept PROGRAM: has the Level Zero driver that the environment chooses compile every SPIR-V module in the fat
// binaries of a program, and creates every kernel that the module's entry points promise (a driver may report success
// and leave kernels out). As in the runtime, a device without double precision gets what does not need it.
// Exit code 77: there is no such driver. 1: something was refused; the build log says what.
#include "fatbin/bundle.h"
#include "fatbin/module_cutter.h"
#include "fatbin/reflection.h"

#include <level_zero/ze_api.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";

struct Device {
  ze_context_handle_t context = nullptr;
  ze_device_handle_t device = nullptr;
  bool doubles = false;
};

bool openDevice(Device &result) {
  uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  if (zeInit(0) != ZE_RESULT_SUCCESS || zeDriverGet(&count, &driver) != ZE_RESULT_SUCCESS || count == 0)
    return false;
  count = 1;
  if (zeDeviceGet(driver, &count, &result.device) != ZE_RESULT_SUCCESS || count == 0)
    return false;
  ze_device_module_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  if (zeDeviceGetModuleProperties(result.device, &properties) != ZE_RESULT_SUCCESS)
    return false;
  result.doubles = (properties.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0;
  ze_context_desc_t description{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  return zeContextCreate(driver, &description, &result.context) == ZE_RESULT_SUCCESS;
}

/// Null if the driver refuses the module; then the build log is printed.
ze_module_handle_t build(const Device &device, std::span<const std::byte> spirv) {
  ze_module_desc_t description{ZE_STRUCTURE_TYPE_MODULE_DESC,
                               nullptr,
                               ZE_MODULE_FORMAT_IL_SPIRV,
                               spirv.size(),
                               reinterpret_cast<const uint8_t *>(spirv.data()),
                               "-ze-take-global-address",
                               nullptr};
  ze_module_handle_t module = nullptr;
  ze_module_build_log_handle_t log = nullptr;
  ze_result_t result = zeModuleCreate(device.context, device.device, &description, &module, &log);
  if (log) {
    size_t size = 0;
    zeModuleBuildLogGetString(log, &size, nullptr);
    std::string text(size, '\0');
    zeModuleBuildLogGetString(log, &size, text.data());
    if (size > 1)
      std::printf("build log: %s\n", text.c_str());
    zeModuleBuildLogDestroy(log);
  }
  if (result == ZE_RESULT_SUCCESS)
    return module;
  std::printf("zeModuleCreate: 0x%x\n", result);
  return nullptr;
}

/// Compiles one module and creates its kernels; returns the number of things that were refused.
int accept(const Device &device, std::span<const std::byte> spirv) {
  std::vector<std::byte> cut;
  const hiplz::spirv::Module whole = hiplz::spirv::reflect(spirv);
  const bool withoutDoubles = !device.doubles && whole.needs.float64;
  if (withoutDoubles || whole.recursion) {
    cut = hiplz::spirv::ModuleCutter(spirv).cut(
        [&](const auto &kernel) { return !withoutDoubles || !kernel.needs.float64; });
    spirv = cut;
  }
  const hiplz::spirv::Module contents = hiplz::spirv::reflect(spirv);
  ze_module_handle_t module = build(device, spirv);
  if (!module) { // which of the kernels it is
    const hiplz::spirv::ModuleCutter cutter(spirv);
    for (const hiplz::spirv::Kernel &kernel : contents.kernels)
      if (ze_module_handle_t alone =
              build(device, cutter.cut([&](const auto &other) { return other.name == kernel.name; })))
        zeModuleDestroy(alone);
      else
        std::printf("kernel %s is refused\n", kernel.name.c_str());
    return 1;
  }
  int refused = 0;
  for (const hiplz::spirv::RefusedKernel &kernel : contents.refused) {
    std::printf("kernel %s cannot be launched: %s\n", kernel.name.c_str(), kernel.reason.c_str());
    ++refused;
  }
  for (const hiplz::spirv::Kernel &kernel : contents.kernels) {
    ze_kernel_desc_t kernelDescription{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, kernel.name.c_str()};
    ze_kernel_handle_t handle = nullptr;
    const ze_result_t result = zeKernelCreate(module, &kernelDescription, &handle);
    if (result == ZE_RESULT_SUCCESS) {
      zeKernelDestroy(handle);
      continue;
    }
    std::printf("zeKernelCreate %s: 0x%x\n", kernel.name.c_str(), result);
    ++refused;
  }
  for (const hiplz::spirv::Global &global : contents.globals) {
    void *address = nullptr;
    if (zeModuleGetGlobalPointer(module, global.name.c_str(), nullptr, &address) == ZE_RESULT_SUCCESS && address)
      continue;
    std::printf("variable %s is not found\n", global.name.c_str());
    ++refused;
  }
  zeModuleDestroy(module);
  std::printf("module of %zu bytes: %zu kernels, %zu variables\n", spirv.size(), contents.kernels.size(),
              contents.globals.size());
  return refused;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::printf("usage: neo_accept PROGRAM\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  std::vector<char> program((std::istreambuf_iterator<char>(file)), {});
  Device device;
  if (!openDevice(device)) {
    std::printf("SKIP: Intel's Level Zero driver (intel-opencl-icd) is not installed\n");
    return 77;
  }
  std::string_view text(program.data(), program.size());
  int modules = 0, refused = 0;
  for (size_t at = text.find(kBundleMagic); at != text.npos; at = text.find(kBundleMagic, at + 1)) {
    try {
      hiplz::DeviceImage image = hiplz::findSpirv(std::as_bytes(std::span(program).subspan(at)));
      refused += accept(device, image.spirv);
      ++modules;
    } catch (const hiplz::ParseError &error) {
      std::printf("at byte %zu: %s\n", at, error.what());
      ++refused;
    }
  }
  zeContextDestroy(device.context);
  if (modules == 0) {
    std::printf("%s holds no SPIR-V\n", argv[1]);
    return 1;
  }
  return refused ? 1 : 0;
}
