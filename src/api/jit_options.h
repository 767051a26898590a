// SPDX-License-Identifier: MIT
// The options of hipModuleLoadDataEx and of the run-time linker.
#pragma once
#include <hip/hip_runtime_api.h>

#include <chrono>
#include <string_view>

namespace hiplz {

/// The options that mean something here: buffers for the compilers' messages, and the time that compilers take. The
/// others are for compilers that HIPLZ does not have. The buffers and the array of values belong to the application.
class JitOptions {
public:
  JitOptions() = default;
  /// Throws HipError (hipErrorInvalidValue) for missing arrays and for anything that is not an option. Starts the
  /// clock.
  JitOptions(unsigned count, const hipJitOption *options, void **values);

  /// Fills the buffers, each terminated by a zero and cut off where it ends, and stores the number of bytes in the value
  /// of the buffer's size, and the milliseconds since the construction.
  void report(std::string_view info, std::string_view error) const;

private:
  struct Buffer {
    char *text = nullptr;
    void **size = nullptr; // the value that holds the size
    size_t capacity = 0;
    void fill(std::string_view said) const;
  };
  Buffer info_, error_;
  void **wallTime_ = nullptr;
  std::chrono::steady_clock::time_point begin_{};
};

} // namespace hiplz
