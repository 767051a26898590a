// SPDX-License-Identifier: MIT
// The control groups that a process is in. Batch systems and containers limit memory and processors by them; they are nested,
// and any on the way to the root may be the one whose limit counts.
#pragma once
#include <functional>
#include <string>

namespace hiplz {

enum class ControlGroupVersion { first, second };

/// Calls `visit` with the folder of each group that the process is in, from its own up to the highest that is visible, in the
/// hierarchy of `controller` ("memory", "cpu"). Hierarchies of both versions are visited; a folder need not have files
/// of the controller, nor exist. `root` is put before all paths that are read and is part of the folders. Thread-safe.
void forEachControlGroup(const std::string &root, const std::string &controller,
                         const std::function<void(const std::string &folder, ControlGroupVersion version)> &visit);

} // namespace hiplz
