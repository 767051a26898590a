// SPDX-License-Identifier: MIT
// What the driver and its compiler, a program of its own, say to each other (child_process.h is how).
#pragma once
#include <cstdint>
#include <string_view>

namespace hiplz::cpu {

/// The request: this header, then the SPIR-V, the build flags and the key of the host's processor, without terminators.
struct CompileRequestHeader {
  uint64_t spirvBytes;
  uint64_t flagsBytes;
  uint64_t hostKeyBytes;
};

/// Build flags of our own, which the driver adds for environment variables: the scalar half for all kernels; and, with a name
/// behind it, the instruction set.
constexpr std::string_view kScalarFlag = "-hiplz-scalar";
constexpr std::string_view kInstructionsFlag = "-hiplz-isa=";
constexpr std::string_view kInstructionSets[] = {"x86-64-v2", "avx2", "avx512"};

/// The answer: a letter for each stage as it begins; after `done` a CompileAnswerHeader, the log, and the program binary,
/// which is empty if the module cannot be compiled.
enum class CompileStage : char { translate = 't', compile = 'c', done = 'd' };

struct CompileAnswerHeader {
  uint64_t logBytes;
  uint64_t binaryBytes;
};

} // namespace hiplz::cpu
