// SPDX-License-Identifier: MIT
// The functions that the loader looks up in a driver. Each fills one dispatch table; they are all that a driver exports. The order
// of the entries is in core_functions.def and tools_tables.def, and a driver says which of them it has. All others return
// "unsupported feature". A loader's table is as large as the version that it asks for, and not an entry larger.
#pragma once
#include <cstdint>
#include <level_zero/ze_api.h>
#include <span>
#include <string_view>

namespace hiplz::driver {

/// A function of any signature. gcc's -Wcast-function-type allows conversions to this type alone.
using Entry = void (*)();

/// A core function by its name, and the entry point behind it.
struct Implementation {
  std::string_view name;
  Entry entry;
};

/// An entry point for a function that Debian 12's headers declare; the compiler compares the types.
template <class Function> Entry entryPoint(Function *function) { return reinterpret_cast<Entry>(function); }

/// The core functions that the driver has, in any order. Each driver defines it.
std::span<const Implementation> implementations();

/// Overwrites those of the `count` entries of a table of system management that the driver has; `function` is the name of the
/// function that fills the table. Each driver defines it.
void fillToolsEntries(const char *function, void **entries, uint32_t count);

/// A core function later than version 1.4 that the driver has; null for all other names. Programs find it by
/// zeDriverGetExtensionFunctionAddress where their loader does not know it.
void *findLaterFunction(std::string_view name);

} // namespace hiplz::driver
