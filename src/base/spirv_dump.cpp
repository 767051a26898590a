// SPDX-License-Identifier: MIT
#include "base/spirv_dump.h"
#include "base/disk_cache.h"
#include "base/env.h"
#include "base/log.h"

#include <filesystem>
#include <fstream>
#include <string>

namespace hiplz {

void dumpSpirv(std::span<const std::byte> spirv, const char *ending) {
  const std::string folder = envString(EnvVar::HIPLZ_DUMP);
  if (folder.empty())
    return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string content = contentKey(spirv);
  std::ofstream file(folder + "/" + content.substr(0, content.find(':')) + ending, std::ios::binary);
  file.write(reinterpret_cast<const char *>(spirv.data()), static_cast<std::streamsize>(spirv.size()));
  if (!file)
    HIPLZ_LOG_INFO("HIPLZ_DUMP: the SPIR-V cannot be written to %s", folder.c_str());
}

} // namespace hiplz
