// SPDX-License-Identifier: MIT
// Registration of fat binaries without any device: what is found, what is forgotten, many threads at once.
#include "lz/module/registry.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace hiplz {
namespace {

class Registry : public testing::Test {
protected:
  void SetUp() override { setenv("HIPLZ_DEVICES", "none", 1); }

  /// hipErrorNoDevice if the address is known (its module would need a device), else what kernelFor says.
  static hipError_t lookUp(const void *host) {
    try {
      LZRegistry::instance().kernelFor(host);
    } catch (const HipError &error) {
      return error.code();
    }
    return hipSuccess;
  }
  static hipError_t lookUpVariable(const void *host) {
    try {
      LZRegistry::instance().symbolFor(host);
    } catch (const HipError &error) {
      return error.code();
    }
    return hipSuccess;
  }
};

TEST_F(Registry, unknownAddresses) {
  int something;
  EXPECT_EQ(lookUp(&something), hipErrorInvalidDeviceFunction);
  EXPECT_EQ(lookUp(nullptr), hipErrorInvalidDeviceFunction);
  EXPECT_EQ(lookUpVariable(&something), hipErrorInvalidSymbol);
  EXPECT_EQ(lookUpVariable(nullptr), hipErrorInvalidSymbol);
}

TEST_F(Registry, forgetsWhatIsUnregistered) {
  LZRegistry &registry = LZRegistry::instance();
  int function, variable;
  LZRegistry::FatBinary *binary = registry.registerFatBinary(nullptr);
  registry.registerFunction(*binary, &function, "k");
  registry.registerVariable(*binary, &variable, "v", 4);
  EXPECT_EQ(lookUp(&function), hipErrorNoDevice);
  EXPECT_EQ(lookUpVariable(&variable), hipErrorNoDevice);
  EXPECT_EQ(lookUp(&variable), hipErrorInvalidDeviceFunction);
  registry.unregisterFatBinary(binary);
  EXPECT_EQ(lookUp(&function), hipErrorInvalidDeviceFunction);
  EXPECT_EQ(lookUpVariable(&variable), hipErrorInvalidSymbol);
  registry.unregisterFatBinary(binary); // again
  registry.unregisterFatBinary(nullptr);
}

TEST_F(Registry, anAddressServesUntilItsLastFatBinaryGoes) {
  LZRegistry &registry = LZRegistry::instance();
  int function;
  for (int order = 0; order < 6; ++order) {
    std::vector<LZRegistry::FatBinary *> binaries;
    for (int i = 0; i < 3; ++i) {
      binaries.push_back(registry.registerFatBinary(nullptr));
      registry.registerFunction(*binaries.back(), &function, "k");
      registry.registerFunction(*binaries.back(), &function, "k");
    }
    const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int which : orders[order]) {
      EXPECT_EQ(lookUp(&function), hipErrorNoDevice);
      registry.unregisterFatBinary(binaries[which]);
    }
    EXPECT_EQ(lookUp(&function), hipErrorInvalidDeviceFunction);
  }
}

TEST_F(Registry, incompleteRegistrationsAreIgnored) {
  LZRegistry &registry = LZRegistry::instance();
  LZRegistry::FatBinary *binary = registry.registerFatBinary(nullptr);
  int host;
  registry.registerFunction(*binary, nullptr, "k");
  registry.registerFunction(*binary, &host, nullptr);
  registry.registerVariable(*binary, nullptr, "v", 4);
  registry.registerManaged(*binary, nullptr, &host, "m", 4, 4);
  EXPECT_EQ(lookUp(&host), hipErrorInvalidDeviceFunction);
  registry.unregisterFatBinary(binary);
}

TEST_F(Registry, managedVariablesStayUsableWithoutDevice) {
  LZRegistry &registry = LZRegistry::instance();
  LZRegistry::FatBinary *binary = registry.registerFatBinary(nullptr);
  int initial = 42;
  void *pointer = nullptr;
  registry.registerManaged(*binary, &pointer, &initial, "m", sizeof initial, 4);
  EXPECT_EQ(pointer, &initial);
  EXPECT_EQ(lookUpVariable(&pointer), hipErrorNoDevice);
  EXPECT_EQ(lookUpVariable(&initial), hipErrorNoDevice);
  registry.unregisterFatBinary(binary);
  EXPECT_EQ(lookUpVariable(&initial), hipErrorInvalidSymbol);
}

TEST_F(Registry, modulesThatAreNotLoaded) {
  LZRegistry &registry = LZRegistry::instance();
  int something;
  for (const void *handle : {static_cast<const void *>(nullptr), static_cast<const void *>(&something)}) {
    EXPECT_THROW(registry.loaded(handle), HipError);
    EXPECT_THROW(registry.unload(handle), HipError);
  }
}

TEST_F(Registry, threadsThatLoadLibraries) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      LZRegistry &registry = LZRegistry::instance();
      std::vector<char> hosts(50);
      for (int round = 0; round < 20; ++round) {
        LZRegistry::FatBinary *binary = registry.registerFatBinary(nullptr);
        for (char &host : hosts)
          registry.registerFunction(*binary, &host, "k");
        for (char &host : hosts)
          wrong += lookUp(&host) != hipErrorNoDevice;
        registry.unregisterFatBinary(binary);
        for (char &host : hosts)
          wrong += lookUp(&host) != hipErrorInvalidDeviceFunction;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace hiplz
