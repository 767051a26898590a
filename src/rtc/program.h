// SPDX-License-Identifier: MIT
// The object behind hiprtcProgram: a source, the requests for it, and the result of compiling it.
#pragma once
#include "base/mutex.h"
#include "rtc/compiler_interface.h"

#include <hip/hiprtc.h>

#include <filesystem>
#include <map>
#include <span>
#include <string_view>

namespace hiplz::rtc {

/// Thread-safe; programs do not wait for each other. What was compiled is kept in the disk cache, with the state of all
/// files that were read. The functions are those of the API with the same names, their pointers checked.
class Program {
public:
  Program(std::string source, std::string name, std::vector<Header> headers);
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  hiprtcResult addNameExpression(std::string expression);
  hiprtcResult compile(std::span<const char *const> options);
  hiprtcResult loweredName(std::string_view expression, const char **name) const;
  /// The log with its terminator.
  std::string log() const;
  /// The code, or the bitcode if the program was compiled with -fgpu-rdc: the other one is HIPRTC_ERROR_INVALID_PROGRAM.
  hiprtcResult code(bool bitcode, size_t *size, char *bytes) const;

private:
  // Held while the program is compiled. All methods need all of what it guards, so it is not a Lockable.
  mutable Mutex mutex_{LockRank::rtcProgram};
  std::filesystem::path folder_; ///< of the source, as its name says; does not change
  CompileRequest request_ HIPLZ_GUARDED_BY(mutex_);
  bool compiled_ HIPLZ_GUARDED_BY(mutex_) = false; // by success or failure
  Result result_ HIPLZ_GUARDED_BY(mutex_);
  // Only grows, so pointers to its strings stay valid.
  std::map<std::string, std::string, std::less<>> loweredNames_ HIPLZ_GUARDED_BY(mutex_);
};

} // namespace hiplz::rtc
