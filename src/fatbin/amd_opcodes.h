// SPDX-License-Identifier: MIT
// Instructions of AMD's dialect of SPIR-V that the headers of Debian 12 lack, and which of OpenCL's functions have a second result.
#pragma once
#include "spirv/instructions.h"

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
inline constexpr std::array<std::string_view, 9> kDroppedExtensions = {
    "SPV_KHR_untyped_pointers",     "SPV_KHR_fma",     "SPV_KHR_linkonce_odr", "SPV_INTEL_16bit_atomics",
    "SPV_INTEL_long_composites",    "SPV_EXT_optnone", "SPV_INTEL_optnone",    "SPV_KHR_bfloat16",
    "SPV_INTEL_bfloat16_arithmetic"};
/// Their capabilities: fma, integer atomics of 16 bits, compare-and-exchange of those, untyped pointers, functions of -O0, bfloat16.
inline constexpr std::array<uint32_t, 7> kDroppedCapabilities = {6030, 6260, 6261, 4473, 6094, 5116, 6226};
/// Bit of OpFunction: the function was compiled with -O0 (SPV_EXT_optnone), and is DontInline for that reason alone.
inline constexpr uint32_t kOptNone = 0x10000;

/// Functions of OpenCL with a second result, whose address is the last operand: a number like the first, or an integer.
inline bool returnsNumber(uint32_t function) {
  return function == OpenCLLIB::Fract || function == OpenCLLIB::Modf || function == OpenCLLIB::Sincos;
}
inline bool returnsInteger(uint32_t function) {
  return function == OpenCLLIB::Frexp || function == OpenCLLIB::Lgamma_r || function == OpenCLLIB::Remquo;
}
inline bool pointsSomewhere(uint32_t function) { return returnsNumber(function) || returnsInteger(function); }

} // namespace hiplz::spirv
