// SPDX-License-Identifier: MIT
// Which processor compiled code is made for, found without LLVM so that a warm start does not load it.
#pragma once
#include <cstdint>
#include <string>

namespace hiplz::cpu {

/// Equal in two processes only if their processors have the same model and the same features as far as compilers care, and if both
/// or neither count what kernels do (HIPLZ_CPU_COUNTS).
const std::string &hostProcessorKey();

/// Size of the processor's widest vector registers: those of AVX-512, AVX2 or SSE2.
uint32_t vectorRegisterBytes();

} // namespace hiplz::cpu
