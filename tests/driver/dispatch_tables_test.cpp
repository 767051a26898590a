// SPDX-License-Identifier: MIT
// The dispatch tables as the loaders of all versions ask for them: full as far as the version goes, and not an entry further.
#include "support.h"

#include <dlfcn.h>
#include <fstream>
#include <map>
#include <sstream>

namespace {

struct Entry {
  std::string name;
  uint32_t minor; ///< of the version 1.minor that has brought it
};
using Tables = std::map<std::string, std::vector<Entry>>; // by the function that fills the table

constexpr uint32_t kOldest = 4, kNewest = 17;

Tables readTables() {
  Tables tables;
  std::ifstream file(HIPLZ_DISPATCH_TABLES);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#'))
      continue;
    std::istringstream words(line);
    std::string function;
    Entry entry;
    words >> function >> entry.name >> entry.minor;
    tables[function].push_back(entry);
  }
  return tables;
}

using FillTable = ze_result_t (*)(ze_api_version_t, void **);

FillTable fillFunction(const std::string &name) {
  static void *library = dlopen(getenv("ZE_ENABLE_ALT_DRIVERS"), RTLD_NOW);
  return library ? reinterpret_cast<FillTable>(dlsym(library, name.c_str())) : nullptr;
}

ze_api_version_t version(uint32_t major, uint32_t minor) {
  return static_cast<ze_api_version_t>(ZE_MAKE_VERSION(major, minor));
}

} // namespace

TEST(DispatchTables, AreAsLargeAsTheirVersion) {
  const Tables tables = readTables();
  ASSERT_EQ(76u, tables.size());
  for (const auto &[name, entries] : tables) {
    SCOPED_TRACE(name);
    FillTable fill = fillFunction(name);
    ASSERT_TRUE(fill);
    for (uint32_t minor = kOldest; minor <= kNewest + 1; ++minor) {
      void *const untouched = &fill;
      std::vector<void *> table(entries.size() + 8, untouched);
      ASSERT_EQ(ZE_RESULT_SUCCESS, fill(version(1, minor), table.data()));
      for (size_t index = 0; index < table.size(); ++index) {
        const bool wanted = index < entries.size() && entries[index].minor <= minor;
        ASSERT_EQ(wanted, table[index] != untouched) << "entry " << index << " of version 1." << minor;
        if (wanted) {
          ASSERT_TRUE(table[index]) << entries[index].name;
        }
      }
    }
  }
}

TEST(DispatchTables, RefuseOtherVersionsAndNoTable) {
  for (const auto &[name, entries] : readTables()) {
    SCOPED_TRACE(name);
    FillTable fill = fillFunction(name);
    ASSERT_TRUE(fill);
    void *const untouched = &fill;
    std::vector<void *> table(entries.size(), untouched);
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, fill(version(1, kNewest), nullptr));
    EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_VERSION, fill(version(2, 0), table.data()));
    EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_VERSION, fill(version(1, kOldest - 1), table.data()));
    for (void *entry : table)
      EXPECT_EQ(untouched, entry);
  }
}

// A function in a table and the one that its name finds must be the same.
TEST(DispatchTables, NamesFindTheFunctionsOfTheTables) {
  ASSERT_EQ(ZE_RESULT_SUCCESS, zeInit(0));
  uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  ASSERT_EQ(ZE_RESULT_SUCCESS, zeDriverGet(&count, &driver));
  uint32_t found = 0;
  for (const auto &[name, entries] : readTables()) {
    if (!name.starts_with("zeGet"))
      continue;
    std::vector<void *> table(entries.size());
    ASSERT_EQ(ZE_RESULT_SUCCESS, fillFunction(name)(version(1, kNewest), table.data()));
    // zeGetMemExpProcAddrTable has pfnSetAtomicAccessAttributeExp, which is zeMemSetAtomicAccessAttributeExp.
    std::string object = name.substr(5, name.size() - 5 - std::string("ProcAddrTable").size());
    if (object.ends_with("Exp"))
      object.resize(object.size() - 3);
    for (size_t index = 0; index < entries.size(); ++index) {
      if (entries[index].minor <= kOldest)
        continue;
      const std::string function = "ze" + (object == "Global" ? "" : object) + entries[index].name.substr(3);
      void *address = nullptr;
      if (zeDriverGetExtensionFunctionAddress(driver, function.c_str(), &address) != ZE_RESULT_SUCCESS)
        continue; // unsupported
      EXPECT_EQ(table[index], address) << function;
      ++found;
    }
  }
  EXPECT_GE(found, 50u);
}
