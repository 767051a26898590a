// SPDX-License-Identifier: MIT
#include "tools/hiplz_info/driver_files.h"

#include <level_zero/ze_ddi.h>

#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <vector>

namespace hiplz {

namespace {

std::vector<std::string> loadedLibraries() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *to) {
        if (info->dlpi_name && *info->dlpi_name)
          static_cast<std::vector<std::string> *>(to)->emplace_back(info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

// The function by which a driver gives its entry points to the loader, if the library has one of its own. The loader and
// its layers have it too, but they pass calls on.
ze_pfnGetDriverProcAddrTable_t tableFunction(const std::string &library) {
  const std::string name = std::filesystem::path(library).filename();
  if (name.starts_with("libze_loader") || name.find("_layer") != name.npos)
    return nullptr;
  void *handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return nullptr;
  void *function = dlsym(handle, "zeGetDriverProcAddrTable");
  dlclose(handle); // the loader holds it
  Dl_info info;
  const bool own = function && dladdr(function, &info) && info.dli_fname && library == info.dli_fname;
  return own ? reinterpret_cast<ze_pfnGetDriverProcAddrTable_t>(function) : nullptr;
}

} // namespace

std::map<std::string, std::string> driverFiles() {
  std::map<std::string, std::string> files;
  for (const std::string &library : loadedLibraries()) {
    const ze_pfnGetDriverProcAddrTable_t getTable = tableFunction(library);
    ze_driver_dditable_t table{};
    uint32_t count = 0;
    if (!getTable || getTable(ZE_API_VERSION_CURRENT, &table) != ZE_RESULT_SUCCESS || !table.pfnGet ||
        !table.pfnGetProperties || table.pfnGet(&count, nullptr) != ZE_RESULT_SUCCESS)
      continue;
    std::vector<ze_driver_handle_t> drivers(count);
    if (!count || table.pfnGet(&count, drivers.data()) != ZE_RESULT_SUCCESS)
      continue;
    std::error_code error;
    const std::filesystem::path path = std::filesystem::canonical(library, error);
    for (const ze_driver_handle_t driver : drivers) {
      ze_driver_properties_t properties{};
      properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
      if (table.pfnGetProperties(driver, &properties) == ZE_RESULT_SUCCESS)
        files[std::string(reinterpret_cast<const char *>(properties.uuid.id), sizeof properties.uuid.id)] =
            error ? library : path.string();
    }
  }
  return files;
}

} // namespace hiplz
