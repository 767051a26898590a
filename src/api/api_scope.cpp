// SPDX-License-Identifier: MIT
// The cold half of the boundary.
#include "api/api_scope.h"
#include "base/shortage.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

namespace hiplz {

Thrown currentExceptionToHip() noexcept {
  const auto thrown = [](hipError_t error, auto sentence) -> Thrown {
    try {
      return {error, sentence()};
    } catch (const std::bad_alloc &) {
      return {error, {}};
    }
  };
  try {
    throw;
  } catch (const HipError &error) {
    return thrown(error.code(), [&] { return error.what(); });
  } catch (const std::bad_alloc &) {
    return thrown(hipErrorOutOfMemory, [] { return "the host is out of memory"; });
  } catch (const std::system_error &error) { // such as no more threads
    return thrown(isShortOfHandles(error.code().value()) ? hipErrorOperatingSystem : hipErrorUnknown,
                  [&] { return describeSystemError(error.code().value()); });
  } catch (const std::exception &error) {
    HIPLZ_LOG_ERROR("unexpected: %s", error.what());
    return thrown(hipErrorUnknown, [&] { return error.what(); });
  } catch (...) {
    return thrown(hipErrorUnknown, [] { return "an exception of an unknown type"; });
  }
}

hipError_t refuseInHostFunction() {
  return refuse(hipErrorNotSupported, "a host function in a stream must not call HIP");
}

void throwNull(const char *names, std::initializer_list<bool> null) {
  std::string_view rest(names);
  for (const bool isNull : null) {
    const size_t end = std::min(rest.find(','), rest.size());
    if (isNull)
      throw HipError(hipErrorInvalidValue, std::string(rest.substr(0, end)) + " is null");
    rest.remove_prefix(std::min(rest.size(), end + 2)); // the preprocessor puts one blank behind a comma
  }
  throw HipError(hipErrorInvalidValue, "an argument is null");
}

const char *takeRefusal(hipError_t error) noexcept {
  const Refusal refusal = std::exchange(threadState.refusal, {});
  return refusal.sentence && refusal.error == error ? refusal.sentence : "";
}

void describeName(std::string &line, const char *&names) {
  const size_t length = std::strcspn(names, ",");
  line.append(names, length);
  line += '=';
  names += length;
  names += std::strspn(names, ", ");
}

void describeArgument(std::string &line, const void *value) {
  char text[24];
  std::snprintf(text, sizeof text, "%p", value);
  line += text;
}

void describeArgument(std::string &line, const char *value) {
  if (!value) {
    line += "null";
    return;
  }
  line += '"';
  line += value;
  line += '"';
}

void describeArgument(std::string &line, unsigned long long value) { line += std::to_string(value); }
void describeArgument(std::string &line, long long value) { line += std::to_string(value); }

void describeArgument(std::string &line, const dim3 &value) {
  line += '{' + std::to_string(value.x) + ',' + std::to_string(value.y) + ',' + std::to_string(value.z) + '}';
}

} // namespace hiplz
