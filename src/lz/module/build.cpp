// SPDX-License-Identifier: MIT
#include "lz/module/build.h"
#include "base/disk_cache.h"
#include "base/env.h"
#include "base/log.h"
#include "base/profiler.h"
#include "lz/device/device.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

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
  ZeBuildLog log;
  const ProfilerHooks *hooks = profilerOf(trace::kCommands);
  const uint64_t begin = hooks ? hooks->now() : 0;
  out.result = zeModuleCreate(device.zeContext(), device.ze(), &description, out.module.receive(), log.receive());
  if (hooks) [[unlikely]] {
    trace::Compilation compilation{};
    compilation.begin = begin;
    compilation.end = hooks->now();
    compilation.bytes = input.size();
    record(*hooks, compilation);
  }
  out.log = buildLogText(log.get());
  if (out.result != ZE_RESULT_SUCCESS)
    out.module.release(); // a failed call defines no handle
  return out;
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

void dumpSpirv(std::span<const std::byte> spirv) {
  std::string folder = envString(EnvVar::HIPLZ_DUMP);
  if (folder.empty())
    return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string content = contentKey(spirv);
  std::ofstream file(folder + "/" + content.substr(0, content.find(':')) + ".spv", std::ios::binary);
  file.write(reinterpret_cast<const char *>(spirv.data()), static_cast<std::streamsize>(spirv.size()));
  if (!file)
    HIPLZ_LOG_INFO("the SPIR-V cannot be written to %s", folder.c_str());
}

} // namespace hiplz
