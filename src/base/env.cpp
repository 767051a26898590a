// SPDX-License-Identifier: MIT
// Parsing of the environment variables of env_vars.def.
#include "base/env.h"
#include "base/log.h"

#include <charconv>
#include <cstdlib>

namespace hiplz {
namespace {
constexpr EnvVarInfo kVars[] = {
#define HIPLZ_ENV(name, defaultValue, doc) {#name, defaultValue, doc},
#include "base/env_vars.def"
#undef HIPLZ_ENV
};
} // namespace

const EnvVarInfo &envVarInfo(EnvVar var) { return kVars[static_cast<unsigned>(var)]; }

unsigned envVarCount() { return std::size(kVars); }

std::string envString(EnvVar var) {
  const EnvVarInfo &info = envVarInfo(var);
  const char *value = ::secure_getenv(info.name);
  return value ? value : info.defaultValue;
}

bool envIsSet(EnvVar var) { return std::getenv(envVarInfo(var).name) != nullptr; }

std::optional<uint64_t> envNumber(EnvVar var) {
  std::string text = envString(var);
  if (text.empty())
    return std::nullopt;
  uint64_t number = 0;
  const char *last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, number);
  unsigned shift = 0;
  if (error == std::errc() && end + 1 == last) {
    switch (*end) {
    case 'k':
    case 'K': shift = 10; break;
    case 'm':
    case 'M': shift = 20; break;
    case 'g':
    case 'G': shift = 30; break;
    default: error = std::errc::invalid_argument;
    }
    ++end;
  }
  if (error != std::errc() || end != last || (number << shift) >> shift != number) {
    HIPLZ_LOG_ERROR("%s=%s is ignored; it is not a number", envVarInfo(var).name, text.c_str());
    return std::nullopt;
  }
  return number << shift;
}

bool envFlag(EnvVar var) {
  std::string value = envString(var);
  return value != "0" && value != "off" && value != "no" && value != "false";
}

} // namespace hiplz
