// SPDX-License-Identifier: MIT
#include "lz/module/build.h"
#include "base/log.h"
#include "base/profiler.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace hiplz {
namespace {

std::string buildLogText(ze_module_build_log_handle_t log) {
  size_t size = 0;
  if (!log || zeModuleBuildLogGetString(log, &size, nullptr) != ZE_RESULT_SUCCESS || size <= 1)
    return {};
  std::string text(size, '\0');
  if (zeModuleBuildLogGetString(log, &size, text.data()) != ZE_RESULT_SUCCESS)
    return {};
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

RegisterUse registerUse(const LZDevice &device, ze_module_handle_t module, const std::string &kernel) {
  ze_kernel_desc_t description{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, kernel.c_str()};
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  ZeKernel handle;
  if (handle.create(zeKernelCreate, module, &description) != ZE_RESULT_SUCCESS)
    return {};
  LZ_CALL(zeKernelGetProperties, (handle.get(), &properties));
  const uint32_t threads = properties.maxNumSubgroups * properties.maxSubgroupSize,
                 most = device.compute().maxTotalGroupSize;
  return {properties.spillMemSize, threads ? std::min(threads, most) : most};
}

} // namespace

Build buildModule(LZDevice &device, ze_module_format_t format, std::span<const std::byte> input,
                  const std::string &options) {
  ze_module_desc_t description{ZE_STRUCTURE_TYPE_MODULE_DESC,
                               nullptr,
                               format,
                               input.size(),
                               reinterpret_cast<const uint8_t *>(input.data()),
                               options.c_str(),
                               nullptr};
  Build out{};
  ze_module_build_log_handle_t nativeLog = nullptr;
  const ProfilerHooks *hooks = profilerOf(trace::kCommands);
  const uint64_t begin = hooks ? hooks->now() : 0;
  out.result = out.module.createdBy([&](ze_module_handle_t *module) {
    return zeModuleCreate(device.zeContext(), device.ze(), &description, module, &nativeLog);
  });
  const ZeBuildLog log(nativeLog); // there is one if the build has failed, too
  if (hooks) [[unlikely]] {
    trace::Compilation compilation{};
    compilation.begin = begin;
    compilation.end = hooks->now();
    compilation.bytes = input.size();
    record(*hooks, compilation);
  }
  out.log = buildLogText(log.get());
  return out;
}

std::string commaSeparated(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> missingFrom(ze_module_handle_t module, const std::vector<std::string> &kernels) {
  uint32_t count = 0;
  if (zeModuleGetKernelNames(module, &count, nullptr) != ZE_RESULT_SUCCESS)
    return {};
  std::vector<const char *> names(count);
  if (zeModuleGetKernelNames(module, &count, names.data()) != ZE_RESULT_SUCCESS)
    return {};
  const std::unordered_set<std::string_view> there(names.begin(), names.begin() + count);
  std::vector<std::string> missing;
  std::copy_if(kernels.begin(), kernels.end(), std::back_inserter(missing),
               [&](const std::string &name) { return !there.contains(name); });
  return missing;
}

bool spills(LZDevice &device, ze_module_handle_t module, const std::string &kernel) {
  return registerUse(device, module, kernel).spillBytes != 0;
}

bool isBetterWithLargeRegisters(RegisterUse usual, RegisterUse large, uint32_t promisedThreads) {
  const uint32_t wanted = promisedThreads ? std::min(promisedThreads, usual.maxThreads) : usual.maxThreads;
  return large.spillBytes < usual.spillBytes && large.maxThreads >= wanted;
}

ZeModule withLargeRegisters(LZDevice &device, const spirv::Kernel &kernel, std::span<const std::byte> spirv,
                            const std::string &options, ze_module_handle_t usual) {
  const RegisterUse before = registerUse(device, usual, kernel.name);
  if (before.spillBytes == 0)
    return {};
  Build large = buildModule(device, ZE_MODULE_FORMAT_IL_SPIRV, spirv, options + " -ze-opt-large-register-file");
  if (large.result != ZE_RESULT_SUCCESS)
    return {};
  const RegisterUse after = registerUse(device, large.module.get(), kernel.name);
  const bool better = isBetterWithLargeRegisters(before, after, kernel.maxThreads);
  HIPLZ_LOG_DEBUG("%s spills %u bytes a hardware thread, with the large register file %u and blocks of %u: %s",
                  kernel.name.c_str(), before.spillBytes, after.spillBytes, after.maxThreads,
                  better ? "taken" : "not taken");
  return better ? std::move(large.module) : ZeModule();
}

std::vector<std::byte> nativeBinary(ze_module_handle_t module) {
  size_t size = 0;
  if (zeModuleGetNativeBinary(module, &size, nullptr) != ZE_RESULT_SUCCESS)
    return {};
  std::vector<std::byte> binary(size);
  if (zeModuleGetNativeBinary(module, &size, reinterpret_cast<uint8_t *>(binary.data())) != ZE_RESULT_SUCCESS)
    return {};
  return binary;
}

} // namespace hiplz
