// SPDX-License-Identifier: MIT
// A Level Zero of the tests' own: every function that the runtime calls, in this process, on its memory. It executes
// commands when they may be executed, on the thread that makes them ready. It knows what is alive, and notes each use of a handle
// that is not. Each call can be told to fail. The functions are those of lz/core/ze_calls.def, so a function that the runtime
// calls for the first time does not link until the fake has it.
#pragma once
#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fake_ze {

/// Properties of the driver. Set them before the runtime starts.
struct Driver {
  bool newer = false; ///< version 1.13 with the extensions that the runtime uses, or 1.4, which can import memory
  uint32_t devices = 2;
};
Driver &driver();

/// The call with this number, counted from 1 and from now on, returns `result`. It does nothing and leaves nonsense in the place of
/// new handles; but what destroys an object does so before it fails, as nobody could ask again. ZE_RESULT_ERROR_DEVICE_LOST is for
/// good: nothing is executed any more, and whatever needs the device fails, until stopFailing() and behind it.
void failCall(int number, ze_result_t result);
/// No further call fails. Returns the name of the function that failed, null if none did.
const char *stopFailing();

/// How many objects of each kind are alive.
std::map<std::string, int> liveObjects();
/// Uses of dead handles, second destructions, objects that outlive their parents and the like, since the last call.
std::vector<std::string> takeMistakes();

/// A launch as a kernel sees it.
struct Launch {
  std::map<std::string, std::vector<std::byte>> *variables = nullptr; ///< of its module
  std::vector<std::vector<std::byte>> arguments;
  ze_group_count_t groups{};
  uint32_t groupSize[3] = {1, 1, 1};
  uint64_t threads() const { return uint64_t{groups.groupCountX} * groupSize[0]; }
  template <class Value> Value argument(size_t index) const {
    Value value{};
    std::memcpy(&value, arguments.at(index).data(), sizeof value);
    return value;
  }
};

/// Kernels and variables that a module has if its code mentions the name.
void provideKernel(std::string name, std::function<void(const Launch &)> kernel);
void provideVariable(std::string name, size_t bytes);

} // namespace fake_ze
