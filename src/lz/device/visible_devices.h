// SPDX-License-Identifier: MIT
// Which devices of the machine the process shows, and in which order: what HIP_VISIBLE_DEVICES and its like say.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz {

/// The positions that a list of devices names, in its order, each once. An entry is a position in `uuids` or "GPU-" and
/// the first digits of a UUID that only one device has. Everything after an entry that names no device is ignored, as
/// on AMD's platform. A UUID is given in hexadecimal digits without hyphens; in the list it may have them.
std::vector<size_t> selectDevices(std::string_view list, std::span<const std::string> uuids);

/// Applies the variables of the environment: ROCR_VISIBLE_DEVICES, if it is set, leaves some of the devices, and
/// HIP_VISIBLE_DEVICES, else CUDA_VISIBLE_DEVICES, if it is not empty, names some of those. Returns the positions.
std::vector<size_t> visibleDevices(std::span<const std::string> uuids);

} // namespace hiplz
