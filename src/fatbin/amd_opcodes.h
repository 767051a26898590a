// SPDX-License-Identifier: MIT
// What AMD's dialect of SPIR-V has that the headers of Debian 12 lack, and which of OpenCL's functions have a second result.
#pragma once
#include "base/spirv_words.h"

#include <spirv/unified1/OpenCL.std.h>
#include <string_view>

namespace hiplz::spirv {

// SPV_KHR_untyped_pointers, which the headers of Debian 12 lack.
inline constexpr uint32_t kOpTypeUntypedPointer = 4417, kOpUntypedVariable = 4418, kOpUntypedAccessChain = 4419,
                          kOpUntypedInBoundsAccessChain = 4420, kOpUntypedPtrAccessChain = 4423,
                          kOpUntypedInBoundsPtrAccessChain = 4424, kOpUntypedPrefetch = 4426;
inline constexpr std::string_view kUntypedPointers = "SPV_KHR_untyped_pointers";
inline constexpr uint32_t kOpFma = 4427, kCapabilityFma = 6030, kOpenClFma = 26; // the same as OpenCL's fma
// SPV_INTEL_16bit_atomics
inline constexpr uint32_t kCapabilityInt16Atomics = 6260, kCapabilityInt16CompareExchange = 6261;
inline constexpr std::string_view kSmallAtomics = "SPV_INTEL_16bit_atomics";
inline constexpr std::string_view kFma = "SPV_KHR_fma", kOpenCl = "OpenCL.std", kLinkOnce = "SPV_KHR_linkonce_odr";
// SPV_INTEL_function_pointers
inline constexpr uint32_t kOpConstantFunctionPointer = 5600, kOpFunctionPointerCall = 5601;
inline constexpr uint32_t kVersion14 = 0x00010400;

/// Functions of OpenCL with a second result, whose address is the last operand: a number like the first, or an integer.
inline bool returnsNumber(uint32_t function) {
  return function == OpenCLLIB::Fract || function == OpenCLLIB::Modf || function == OpenCLLIB::Sincos;
}
inline bool returnsInteger(uint32_t function) {
  return function == OpenCLLIB::Frexp || function == OpenCLLIB::Lgamma_r || function == OpenCLLIB::Remquo;
}
inline bool pointsSomewhere(uint32_t function) { return returnsNumber(function) || returnsInteger(function); }

} // namespace hiplz::spirv
