// SPDX-License-Identifier: MIT
// printf of OpenCL C: the text of one call.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace hiplz::cpu {

/// Formats as the OpenCL C specification says. Each scalar, and each element of a vector, is one of `arguments`: integers and
/// pointers as 64 bits (only as many as the conversion asks for are used), floating-point numbers as doubles. False if the format
/// is malformed or asks for more arguments than there are; `text` then ends there. Reads the format and the strings it is given
/// before it takes any lock, so a bad pointer is a fault like any other.
bool formatPrint(const char *format, std::span<const uint64_t> arguments, std::string &text);

} // namespace hiplz::cpu
