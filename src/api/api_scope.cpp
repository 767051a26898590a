// The cold half of the boundary.
#include "api/api_scope.h"

#include <cstdio>
#include <new>
#include <system_error>

namespace hiplz {

hipError_t currentExceptionToHip() {
  try {
    throw;
  } catch (const HipError &error) {
    if (*error.what())
      HIPLZ_LOG_INFO("%s: %s", errorName(error.code()), error.what());
    return error.code();
  } catch (const std::bad_alloc &) {
    return hipErrorOutOfMemory;
  } catch (const std::system_error &error) { // such as no more threads
    HIPLZ_LOG_INFO("%s", error.what());
    return error.code() == std::errc::resource_unavailable_try_again ? hipErrorOutOfMemory : hipErrorUnknown;
  } catch (const std::exception &error) {
    HIPLZ_LOG_ERROR("unexpected: %s", error.what());
    return hipErrorUnknown;
  } catch (...) {
    return hipErrorUnknown;
  }
}

hipError_t refuseInHostFunction() {
  HIPLZ_LOG_INFO("a host function in a stream must not call HIP");
  return hipErrorNotSupported;
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
