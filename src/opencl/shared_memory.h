// SPDX-License-Identifier: MIT
// How much shared memory kernels have of their own. PoCL counts only that which is given to a kernel as an argument.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace hiplz::opencl {

/// The bytes of the shared variables that each kernel of a module, or a function that it calls, names. Throws ParseError.
std::map<std::string, uint64_t> sharedMemoryOf(std::span<const std::byte> module);

} // namespace hiplz::opencl
