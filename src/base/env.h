// SPDX-License-Identifier: MIT
// The environment variables of HIPLZ (env_vars.def), read in one place so that the list and its documentation stay one.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hiplz {

/// One entry for each line of env_vars.def.
enum class EnvVar {
#define HIPLZ_ENV(name, defaultValue, doc) name,
#include "base/env_vars.def"
#undef HIPLZ_ENV
};

/// Name, default and description of a variable, as hiplz-info and the documentation test show them.
struct EnvVarInfo {
  const char *name;
  const char *defaultValue;
  const char *doc;
};
const EnvVarInfo &envVarInfo(EnvVar var);

/// The number of variables in env_vars.def.
unsigned envVarCount();

/// The value in the environment, or the default when it is unset, or when the program runs with other privileges than
/// its user's (setuid): variables name files and change code. Reads the environment at each call; thread-safe as long
/// as nobody calls setenv meanwhile (POSIX).
std::string envString(EnvVar var);

/// Whether the variable is in the environment, even if empty.
bool envIsSet(EnvVar var);

/// The value as an unsigned number with an optional suffix K, M or G (powers of 1024); nothing if empty or malformed
/// (malformed values are reported in the log).
std::optional<uint64_t> envNumber(EnvVar var);

/// False for "0", "off", "no", "false"; true otherwise.
bool envFlag(EnvVar var);

} // namespace hiplz
