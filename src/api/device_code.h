// SPDX-License-Identifier: MIT
// Device code that the application names: reading files, and HIP's errors for what is wrong with them.
#pragma once
#include "fatbin/bundle.h"
#include "lz/core/error.h"

#include <string>
#include <vector>

namespace hiplz {

/// The error for an image that cannot be read: hipErrorNoBinaryForGpu if it is for other devices, else
/// hipErrorInvalidImage.
HipError imageError(const ParseError &error, const std::string &origin);

/// The bytes of a file. Throws HipError (hipErrorFileNotFound).
std::vector<std::byte> readDeviceFile(const char *name);

/// The SPIR-V or bitcode in the bytes. Throws HipError (imageError).
DeviceImage findDeviceCode(std::span<const std::byte> bytes, const std::string &origin);

} // namespace hiplz
