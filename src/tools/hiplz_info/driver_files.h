// SPDX-License-Identifier: MIT
// Which file a Level Zero driver is. The loader does not say, so the libraries of this process are asked.
#pragma once
#include <map>
#include <string>

namespace hiplz {

/// The files of the drivers that the loader has opened, by the 16 bytes of the driver's UUID. To be called after a
/// successful zeInit; not thread-safe against dlclose.
std::map<std::string, std::string> driverFiles();

} // namespace hiplz
