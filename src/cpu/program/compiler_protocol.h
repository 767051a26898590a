// SPDX-License-Identifier: MIT
// The protocol between the driver and its compiler, a program of its own (child_process.h is the transport).
#pragma once
#include <cstdint>
#include <string_view>

namespace hiplz::cpu {

/// The task, and its input.
enum class CompileTask : uint32_t {
  module, ///< SPIR-V is taken apart: out come a module binary (binary_format.h) and the prepared module
  kernel, ///< out comes a binary with one kernel of a prepared module
  line,   ///< the input is an ELF image, and the kernel's name is a place in it; out comes the source line, as the log
};

/// How soon the code has to be there.
enum class CompileHaste : uint32_t {
  none,  ///< it is to run fast
  quick, ///< a launch waits for it: large kernels are compiled in a time that grows with their size alone, which KernelCode::isQuick says
  background, ///< nobody waits for it
};

/// The request: this header, then the input (SPIR-V, the prepared module or an image), the build flags, the key of the host's processor
/// and the name of the kernel, without terminators.
struct CompileRequestHeader {
  CompileTask task;
  uint32_t shape;   ///< GroupShape of a kernel
  uint32_t size[3]; ///< the size of work-groups that its code is for; zeros: all of the shape
  CompileHaste haste;
  uint64_t inputBytes;
  uint64_t flagsBytes;
  uint64_t hostKeyBytes;
  uint64_t kernelBytes;
};

/// Build flags of our own, which the driver adds for environment variables: the scalar path for all kernels; and, with
/// a name behind it, the instruction set.
constexpr std::string_view kScalarFlag = "-hiplz-scalar";
constexpr std::string_view kCountFlag = "-hiplz-count";  ///< and code that counts what it does
constexpr std::string_view kCheckFlag = "-hiplz-check="; ///< and the names of tools: code that checks what it does
constexpr std::string_view kInstructionsFlag = "-hiplz-isa=";
constexpr std::string_view kSpecConstantFlag = "-hiplz-spec="; ///< and a specialisation constant (spec_constants.h)
constexpr std::string_view kInstructionSets[] = {"x86-64-v2", "avx2", "avx512"};

/// The answer: a letter for each stage as it begins; after `done` a CompileAnswerHeader, the log, the binary, which is empty if
/// the compilation has failed, and the prepared module. The answer for a module with one kernel that does not gain from code for one size
/// may be followed by stages and the answer for that kernel and GroupShape::rows32, which saves a second process.
enum class CompileStage : char { translate = 't', compile = 'c', done = 'd' };

struct CompileAnswerHeader {
  uint64_t logBytes;
  uint64_t binaryBytes;
  uint64_t preparedBytes;
};

} // namespace hiplz::cpu
