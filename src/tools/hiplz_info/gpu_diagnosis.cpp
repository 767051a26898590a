// SPDX-License-Identifier: MIT
#include "tools/hiplz_info/gpu_diagnosis.h"

#include "base/env.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace hiplz {

namespace {

namespace fs = std::filesystem;

constexpr const char kIntel[] = "0x8086";
constexpr const char kDriverLibrary[] = "libze_intel_gpu.so.1";

std::string firstWord(const fs::path &file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

std::vector<fs::path> entries(const fs::path &folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    paths.push_back(at->path());
  return paths;
}

// The PCI addresses of Intel's display controllers (class 0x03....).
std::vector<std::string> intelPciGpus(const std::string &root) {
  std::vector<std::string> addresses;
  for (const fs::path &device : entries(root + "/sys/bus/pci/devices"))
    if (firstWord(device / "class").starts_with("0x03") && firstWord(device / "vendor") == kIntel)
      addresses.push_back(device.filename().string());
  return addresses;
}

struct RenderNodes {
  std::vector<std::string> intel;
  bool others = false;
};

RenderNodes renderNodes(const std::string &root) {
  RenderNodes nodes;
  for (const fs::path &node : entries(root + "/dev/dri")) {
    const std::string name = node.filename().string();
    if (!name.starts_with("renderD"))
      continue;
    if (firstWord(root + "/sys/class/drm/" + name + "/device/vendor") == kIntel)
      nodes.intel.push_back("/dev/dri/" + name);
    else
      nodes.others = true;
  }
  return nodes;
}

} // namespace

Machine thisMachine() {
  Machine machine;
  machine.mayOpen = [](const std::string &path) { return access(path.c_str(), R_OK | W_OK) == 0; };
  machine.canLoad = [](const std::string &library) {
    void *handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle)
      dlclose(handle);
    return handle != nullptr;
  };
  machine.groupOf = [](const std::string &path) {
    struct stat info;
    const group *owner = stat(path.c_str(), &info) == 0 ? getgrgid(info.st_gid) : nullptr;
    return owner ? std::string(owner->gr_name) : std::string();
  };
  machine.wantedDevices = envString(EnvVar::HIPLZ_DEVICES);
  const char *drivers = std::getenv("ZE_ENABLE_ALT_DRIVERS");
  machine.loaderDrivers = drivers ? drivers : "";
  return machine;
}

std::string whyNoGpu(const Machine &machine) {
  if (!machine.wantedDevices.empty() && machine.wantedDevices.find("gpu") == std::string::npos)
    return "HIPLZ_DEVICES=" + machine.wantedDevices + " leaves GPUs out. Unset it, or add gpu to it.";
  if (!machine.loaderDrivers.empty() && machine.loaderDrivers.find("libze_intel_gpu") == std::string::npos)
    return "ZE_ENABLE_ALT_DRIVERS=" + machine.loaderDrivers +
           " makes the oneAPI loader open these drivers alone. Unset "
           "it, or add " +
           kDriverLibrary + " to it.";

  const RenderNodes nodes = renderNodes(machine.root);
  if (nodes.intel.empty()) {
    const std::vector<std::string> gpus = intelPciGpus(machine.root);
    std::error_code error;
    const bool anyFolder = fs::exists(machine.root + "/dev/dri", error);
    if (!gpus.empty() && anyFolder)
      return "The machine has an Intel GPU (PCI " + gpus.front() +
             "), but the kernel has made no render node for it: the "
             "kernel driver i915 or xe is not loaded, or too old for this GPU. `dmesg | grep -E 'i915|xe'` says more.";
    if (!gpus.empty())
      return "The machine has an Intel GPU (PCI " + gpus.front() +
             "), but /dev/dri does not exist. On the machine itself "
             "the kernel driver i915 or xe is not loaded; in a container the folder has to be passed in (docker run "
             "--device /dev/dri).";
    if (nodes.others)
      return "The machine has a GPU, but none of Intel's. HIPLZ uses GPUs through Level Zero, which Intel's GPUs "
             "speak.";
    return "The machine has no GPU that the kernel knows: " +
           std::string(anyFolder ? "/dev/dri has no render node." : "/dev/dri does not exist.");
  }

  for (const std::string &node : nodes.intel) {
    if (machine.mayOpen(machine.root + node))
      continue;
    const std::string group = machine.groupOf(machine.root + node);
    std::string text = "This user may not open " + node + ".";
    if (!group.empty() && group != "root")
      text += " Add the user to the group " + group + " (sudo usermod -aG " + group + " $USER) and log in again.";
    return text;
  }
  if (!machine.canLoad(kDriverLibrary))
    return std::string("Intel's Level Zero driver is not installed: ") + kDriverLibrary +
           " cannot be loaded. Install the package intel-opencl-icd (Debian 12) or libze-intel-gpu1 (newer).";
  return "The machine has an Intel GPU (" + nodes.intel.front() +
         ") and Intel's driver is installed, but the driver does "
         "not show it: it is probably too old for this GPU, or too new. The driver's release notes list the GPUs it "
         "knows.";
}

} // namespace hiplz
