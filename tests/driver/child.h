// SPDX-License-Identifier: MIT
// Tests of what happens to a whole process run this executable again: a child is a function that is called instead of the
// tests, with an environment of its own.
#pragma once
#include <level_zero/ze_api.h>
#include <string>
#include <vector>

struct ChildResult {
  bool timedOut = false;
  int exitCode = -1;  ///< if it exited
  int signal = 0;     ///< if it was killed
  std::string output; ///< standard error
};

/// Runs the child of that name with additional environment variables ("NAME=value"). It is killed after ten seconds.
ChildResult runChild(const std::string &name, const std::vector<std::string> &environment = {});

/// A child's first device, and a context. Without checks, because a child reports through its exit code.
struct ChildDevice {
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  bool ok = false;

  ChildDevice() {
    uint32_t one = 1;
    ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    ok = zeInit(0) == ZE_RESULT_SUCCESS && zeDriverGet(&one, &driver) == ZE_RESULT_SUCCESS &&
         zeDeviceGet(driver, &one, &device) == ZE_RESULT_SUCCESS &&
         zeContextCreate(driver, &desc, &context) == ZE_RESULT_SUCCESS;
  }
};

int ipcMemoryChild();    // ipc_test.cpp
int ipcEventsChild();    // ipc_events_test.cpp
int sentHandleChild();   // ipc_handles_test.cpp
int oneProcessorChild(); // execution_test.cpp
int pinnedHostThreadChild();
int rankChild(); // ranks_test.cpp

/// The bytes of a handle as text and back, for the environment of a child.
template <class Handle> std::string handleToText(const Handle &handle) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned char byte : handle.data)
    (text += kDigits[byte / 16]) += kDigits[byte % 16];
  return text;
}
template <class Handle> Handle handleFromText(const std::string &text) {
  Handle handle{};
  for (size_t byte = 0; byte < sizeof handle.data && 2 * byte + 1 < text.size(); ++byte)
    handle.data[byte] = static_cast<char>(std::stoi(text.substr(2 * byte, 2), nullptr, 16));
  return handle;
}

/// The exit code of a child, for main().
int childMain(const std::string &name);
