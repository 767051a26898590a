// The compiler library, opened when something has to be compiled and never before: it brings libLLVM with it.
#pragma once
#include "cpu/program/compiler_api.h"

#include <string>

namespace hiplz::cpu {

/// Where the compiler library is: beside the library or program that this code is linked into, or in ../lib of it.
const std::string &compilerLibraryPath();

/// Changes whenever the compiler library is another file; a part of cache keys. Empty if its file is not known.
std::string compilerBuildId();

/// The compiler's function; null with a sentence in `error` if the library cannot be opened. Thread-safe; the library
/// stays open.
decltype(&hiplzCpuCompile) openCompiler(std::string &error);

} // namespace hiplz::cpu
