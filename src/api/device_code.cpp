// SPDX-License-Identifier: MIT
// Reading is the same for modules and for inputs of the linker.
#include "api/device_code.h"

#include <filesystem>
#include <fstream>

namespace hiplz {

HipError imageError(const ParseError &error, const std::string &origin) {
  return HipError(error.kind() == ParseError::Kind::otherTargets ? hipErrorNoBinaryForGpu : hipErrorInvalidImage,
                  origin + ": " + error.what());
}

std::vector<std::byte> readDeviceFile(const char *name) {
  std::ifstream file(name, std::ios::binary | std::ios::ate);
  std::error_code error;
  if (!file || std::filesystem::is_directory(name, error))
    throw HipError(hipErrorFileNotFound, std::string("the file ") + name + " cannot be opened");
  const std::streamoff size = file.tellg();
  if (size < 0)
    throw HipError(hipErrorFileNotFound, std::string("the file ") + name + " is not a regular file");
  std::vector<std::byte> bytes(static_cast<size_t>(size));
  file.seekg(0);
  if (!file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    throw HipError(hipErrorFileNotFound, std::string("the file ") + name + " cannot be read");
  return bytes;
}

DeviceImage findDeviceCode(std::span<const std::byte> bytes, const std::string &origin) {
  try {
    return findSpirv(bytes);
  } catch (const ParseError &error) {
    throw imageError(error, origin);
  }
}

} // namespace hiplz
