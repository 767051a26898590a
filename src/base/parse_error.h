// SPDX-License-Identifier: MIT
// The exception of the parsers: one sentence for the log, and which of two things went wrong.
#pragma once
#include <stdexcept>
#include <string>

namespace hiplz {

/// Thrown by the parsers in src/spirv, src/fatbin and src/opencl, and by nothing else. what() is a sentence without a full stop.
class ParseError : public std::runtime_error {
public:
  enum class Kind {
    malformed,   ///< the bytes are not what they claim to be, or nothing that is known here
    otherTargets ///< the bytes are sound, but hold code for other targets only
  };
  explicit ParseError(const std::string &sentence, Kind kind = Kind::malformed)
      : std::runtime_error(sentence), kind_(kind) {}
  Kind kind() const { return kind_; }

private:
  Kind kind_;
};

} // namespace hiplz
