// SPDX-License-Identifier: MIT
// The table of objects, and the entry points with their failures.
#include "objects.h"

#include <level_zero/loader/ze_loader.h>

#include <algorithm>
#include <atomic>

namespace fake_ze {

thread_local const char *currentCall = "";

namespace {
std::atomic<int> left{0}; // calls that go through before the one that fails, and that one; 0: none fails
std::atomic<ze_result_t> failure{ZE_RESULT_SUCCESS};
std::atomic<const char *> failed{nullptr};
std::atomic<bool> lost{false};

bool needsDevice(std::string_view function) {
  for (const char *part : {"Append", "Execute", "Synchronize", "QueryStatus", "zeMemAlloc", "Create"})
    if (function.find(part) != function.npos)
      return true;
  return false;
}
} // namespace

State &state() {
  static auto *const all = new State;
  return *all;
}

Driver &driver() {
  static Driver driver;
  return driver;
}

void failCall(int number, ze_result_t result) {
  failed = nullptr;
  failure = result;
  left = number;
}

const char *stopFailing() {
  left = 0;
  return failed.exchange(nullptr);
}

bool isLost() { return lost; }

bool isTurn(const char *function, ze_result_t &result) {
  result = ZE_RESULT_ERROR_DEVICE_LOST;
  if (lost)
    return needsDevice(function);
  if (left.load(std::memory_order_relaxed) <= 0 || left.fetch_sub(1) != 1)
    return false;
  failed = function;
  result = failure;
  if (result == ZE_RESULT_ERROR_DEVICE_LOST) {
    lost = true;
    state().changed.notify_all();
  }
  return true;
}

std::map<std::string, int> liveObjects() {
  const std::lock_guard lock(state().mutex);
  std::map<std::string, int> counts;
  for (const auto &[handle, object] : state().alive)
    ++counts[object->kind];
  return counts;
}

std::vector<std::string> takeMistakes() {
  const std::lock_guard lock(state().mutex);
  return std::exchange(state().mistakes, {});
}

void noteMistake(const std::string &what) { state().mistakes.push_back(std::string(currentCall) + ": " + what); }

void buryLocked(Object &object) { state().alive.erase(&object); }

} // namespace fake_ze

#define HIPLZ_ZE(function, names, parameters, given)                                                                   \
  extern "C" ze_result_t ZE_APICALL function parameters {                                                              \
    return [](auto... arguments) { return fake_ze::call(#function, fake_ze::calls::function, arguments...); } given;   \
  }
#include "lz/core/ze_calls.def"
#undef HIPLZ_ZE

// There is no loader, so its handles are the driver's.
extern "C" ze_result_t zelLoaderTranslateHandle(zel_handle_type_t, void *handle, void **own) {
  *own = handle;
  return ZE_RESULT_SUCCESS;
}
