// SPDX-License-Identifier: MIT
// Calls of functions for which the loader of Debian 12 has no place: by name, and with the driver's own handles.
#pragma once
#include "support.h"

/// Skips where the loader wraps handles.
class LaterTest : public KernelTest {
protected:
  void SetUp() override {
    if (handlesAreWrapped())
      GTEST_SKIP() << "the validation layer wraps handles";
    KernelTest::SetUp();
  }

  /// Calls a function with arguments of exactly these types.
  template <class... Args> ze_result_t call(const char *name, Args... arguments) {
    return extension<ze_result_t (*)(Args...)>(name)(arguments...);
  }

  /// A getter's answer about an object.
  template <class T, class Handle> T valueOf(const char *name, Handle handle) {
    T value{};
    EXPECT_EQ(ZE_RESULT_SUCCESS, call(name, handle, &value)) << name;
    return value;
  }
};
