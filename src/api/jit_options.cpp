// SPDX-License-Identifier: MIT
// An option's value is a pointer or, for numbers, the number in the place of one.
#include "api/jit_options.h"
#include "lz/core/error.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hiplz {

JitOptions::JitOptions(unsigned count, const hipJitOption *options, void **values)
    : begin_(std::chrono::steady_clock::now()) {
  if (count != 0 && (!options || !values))
    throw HipError(hipErrorInvalidValue, "there are options, but no values");
  auto capacity = [](void *value) { return static_cast<size_t>(reinterpret_cast<uintptr_t>(value)); };
  for (unsigned at = 0; at < count; ++at) {
    void **value = &values[at];
    switch (options[at]) {
    case hipJitOptionInfoLogBuffer: info_.text = static_cast<char *>(*value); break;
    case hipJitOptionErrorLogBuffer: error_.text = static_cast<char *>(*value); break;
    case hipJitOptionInfoLogBufferSizeBytes:
      info_.size = value;
      info_.capacity = capacity(*value);
      break;
    case hipJitOptionErrorLogBufferSizeBytes:
      error_.size = value;
      error_.capacity = capacity(*value);
      break;
    case hipJitOptionWallTime: wallTime_ = value; break;
    default:
      if (static_cast<unsigned>(options[at]) >= hipJitOptionNumOptions && options[at] != hipJitOptionIRtoISAOptExt &&
          options[at] != hipJitOptionIRtoISAOptCountExt)
        throw HipError(hipErrorInvalidValue, "unknown option " + std::to_string(options[at]));
    }
  }
}

void JitOptions::Buffer::fill(std::string_view said) const {
  if (!text || capacity == 0)
    return;
  const size_t length = std::min(said.size(), capacity - 1);
  std::memcpy(text, said.data(), length);
  text[length] = '\0';
  *size = reinterpret_cast<void *>(static_cast<uintptr_t>(length));
}

void JitOptions::report(std::string_view info, std::string_view error) const {
  info_.fill(info);
  error_.fill(error);
  if (wallTime_) {
    const std::chrono::duration<float, std::milli> passed = std::chrono::steady_clock::now() - begin_;
    const float milliseconds = passed.count();
    std::memcpy(wallTime_, &milliseconds, sizeof milliseconds);
  }
}

} // namespace hiplz
