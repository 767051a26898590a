// SPDX-License-Identifier: MIT
// The log, turned on and off by the program instead of the environment.
#include "api/api_scope.h"

#include <atomic>

using namespace hiplz;

namespace {

// hipExtSetLoggingParams() only notes what hipExtEnableLogging() turns on.
std::atomic<LogLevel> wanted{LogLevel::off};

} // namespace

extern "C" {

hipError_t hipExtSetLoggingParams(size_t log_level, size_t log_size, size_t log_mask) {
  return HIPLZ_API(hipExtSetLoggingParams, log_level, log_size, log_mask)([&] {
    // AMD's areas are not those of HIPLZ. The size is that of a file, which AMD's library does not use either.
    wanted.store(log_mask == 0 ? LogLevel::off : logLevelOfAmd(log_level), std::memory_order_relaxed);
    return hipSuccess;
  });
}

hipError_t hipExtEnableLogging(void) {
  return HIPLZ_API(hipExtEnableLogging)([&] {
    setLogLevel(wanted.load(std::memory_order_relaxed));
    return hipSuccess;
  });
}

hipError_t hipExtDisableLogging(void) {
  return HIPLZ_API(hipExtDisableLogging)([&] {
    setLogLevel(LogLevel::off);
    return hipSuccess;
  });
}

} // extern "C"
