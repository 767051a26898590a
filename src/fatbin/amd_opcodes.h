// SPDX-License-Identifier: MIT
// What AMD's dialect of SPIR-V has that the headers of Debian 12 lack, and which of OpenCL's functions have a second result.
#pragma once
#include "base/spirv_words.h"

#include <array>
#include <spirv/unified1/OpenCL.std.h>
#include <string_view>

namespace hiplz::spirv {

// SPV_KHR_untyped_pointers, which the headers of Debian 12 lack.
inline constexpr uint32_t kOpTypeUntypedPointer = 4417, kOpUntypedVariable = 4418, kOpUntypedAccessChain = 4419,
                          kOpUntypedInBoundsAccessChain = 4420, kOpUntypedPtrAccessChain = 4423,
                          kOpUntypedInBoundsPtrAccessChain = 4424, kOpUntypedPrefetch = 4426;
inline constexpr uint32_t kOpFma = 4427, kOpenClFma = 26; // the same as OpenCL's fma
inline constexpr std::string_view kOpenCl = "OpenCL.std";
// SPV_INTEL_function_pointers
inline constexpr uint32_t kOpConstantFunctionPointer = 5600, kOpFunctionPointerCall = 5601;
inline constexpr uint32_t kVersion14 = 0x00010400;

/// Extensions that older translators do not know, or not by this name: what they bring is written in another way, or read without them.
inline constexpr std::array<std::string_view, 5> kDroppedExtensions = {
    "SPV_KHR_untyped_pointers", "SPV_KHR_fma", "SPV_KHR_linkonce_odr", "SPV_INTEL_16bit_atomics",
    "SPV_INTEL_long_composites"};
/// Their capabilities: fma, integer atomics of 16 bits, compare-and-exchange of those, untyped pointers.
inline constexpr std::array<uint32_t, 4> kDroppedCapabilities = {6030, 6260, 6261, 4473};

/// Functions of OpenCL with a second result, whose address is the last operand: a number like the first, or an integer.
inline bool returnsNumber(uint32_t function) {
  return function == OpenCLLIB::Fract || function == OpenCLLIB::Modf || function == OpenCLLIB::Sincos;
}
inline bool returnsInteger(uint32_t function) {
  return function == OpenCLLIB::Frexp || function == OpenCLLIB::Lgamma_r || function == OpenCLLIB::Remquo;
}
inline bool pointsSomewhere(uint32_t function) { return returnsNumber(function) || returnsInteger(function); }

} // namespace hiplz::spirv
