// SPDX-License-Identifier: MIT
// The build flags of ze_module_desc_t that this compiler knows.
#pragma once
#include "cpu/compiler/checks.h"
#include "cpu/program/spec_constants.h"

#include <string>
#include <string_view>

namespace hiplz::cpu {

/// The instructions that compiled code may use: everything the machine has, or what processors of a level of the x86-64 ABI have
/// (kInstructionSets, program/compiler_protocol.h).
enum class InstructionSet { machine, v2, avx2, avx512 };

struct CompileOptions {
  bool optimize = true;
  bool scalar = false; ///< the scalar path for all kernels
  bool quick = false;  ///< compiled soon rather than well (large_functions.h); no flag
  InstructionSet instructions = InstructionSet::machine;
  bool counts = false; ///< what kernels do is counted (operation_marks.h)
  CheckKinds checks;   ///< what code checks while it runs (checks.h)
  bool debugInfo = false;
  bool fastMath = false;
  bool finiteMath = false;
  bool noSignedZeros = false;
  SpecConstants specConstants;
};

/// Understands the OpenCL and Level Zero flags; flags that only concern GPUs, or that permit what is done anyway, are
/// accepted silently. Unknown ones are named in `warnings`.
CompileOptions parseOptions(std::string_view flags, std::string &warnings);

} // namespace hiplz::cpu
