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
#define HIPLZ_ENV(name, kind, allowed, defaultValue, doc) name,
#include "base/env_vars.def"
#undef HIPLZ_ENV
};

/// The form of a value. One of another form is ignored, and the log says so at level error.
enum class EnvKind {
  text,   ///< whatever its reader makes of it, such as a path
  flag,   ///< 0, off, no, false, or 1, on, yes, true
  number, ///< see envNumber()
  word,   ///< one of several words
  words,  ///< some of them, with commas between them
};

/// Name, form, default and description of a variable, as hiplz-info and the documentation test show them.
struct EnvVarInfo {
  const char *name;
  EnvKind kind;
  const char *allowed; ///< words, or the least and the greatest number; empty: any
  const char *defaultValue;
  const char *doc;
};
const EnvVarInfo &envVarInfo(EnvVar var);

/// The number of variables in env_vars.def.
unsigned envVarCount();

/// The value in the environment, or the default when it is unset or malformed, or when the program runs with other privileges
/// than its user's (setuid): variables name files and change code. Reads the environment at each call; thread-safe as long
/// as nobody calls setenv meanwhile (POSIX).
std::string envString(EnvVar var);

/// True if the variable is in the environment, even if empty.
bool envIsSet(EnvVar var);

/// The value as an unsigned number with an optional suffix K, M or G (powers of 1024); nothing if empty.
std::optional<uint64_t> envNumber(EnvVar var);

/// The value of a flag.
bool envFlag(EnvVar var);

} // namespace hiplz
