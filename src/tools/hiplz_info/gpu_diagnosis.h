// SPDX-License-Identifier: MIT
// Why no GPU is used: the places where it can go wrong, looked at in the order from the hardware to the settings.
#pragma once
#include <functional>
#include <string>

namespace hiplz {

/// The places that the diagnosis looks at. Paths are below `root`, so that tests can show it any machine.
struct Machine {
  std::string root;                                            // "" for this machine
  std::function<bool(const std::string &path)> mayOpen;        // for reading and writing, path below root
  std::function<bool(const std::string &library)> canLoad;     // with dlopen
  std::function<std::string(const std::string &path)> groupOf; // name of the group that owns a file, path below root
  std::string wantedDevices;                                   // HIPLZ_DEVICES
  std::string loaderDrivers;                                   // ZE_ENABLE_ALT_DRIVERS
};

/// The machine that the program runs on.
Machine thisMachine();

/// Sentences that say why Level Zero shows no GPU, and what to do. To be asked only when it shows none.
std::string whyNoGpu(const Machine &machine);

} // namespace hiplz
