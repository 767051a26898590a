// SPDX-License-Identifier: MIT
#include "cpu/compiler/options.h"
#include "cpu/program/compiler_protocol.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace hiplz::cpu {
namespace {

// Without effect here: permissions that the generated code does not need, and properties of GPUs.
constexpr std::array<std::string_view, 12> kIgnored = {"-cl-mad-enable",
                                                       "-cl-denorms-are-zero",
                                                       "-cl-fp32-correctly-rounded-divide-sqrt",
                                                       "-cl-std=",
                                                       "-cl-intel-",
                                                       "-ze-intel-",
                                                       "-ze-opt-large-register-file",
                                                       "-ze-opt-has-buffer-offset-arg",
                                                       "-ze-opt-greater-than-4GB-buffer-required",
                                                       "-ze-opt-level=2",
                                                       "-cl-uniform-work-group-size",
                                                       "-ze-take-global-address"};

void applyInstructions(std::string_view name, CompileOptions &options, std::string &warnings) {
  auto found = std::find(std::begin(kInstructionSets), std::end(kInstructionSets), name);
  if (found == std::end(kInstructionSets))
    warnings += "warning: the instruction set " + std::string(name) + " is not known and has no effect\n";
  else
    options.instructions = static_cast<InstructionSet>(found - std::begin(kInstructionSets) + 1);
}

void applyFlag(std::string_view flag, CompileOptions &options, std::string &warnings) {
  if (flag == "-cl-opt-disable" || flag == "-ze-opt-disable" || flag == "-O0" || flag == "-ze-opt-level=0") {
    options.optimize = false;
  } else if (flag == "-g") {
    options.debugInfo = true;
  } else if (flag == "-cl-fast-relaxed-math" || flag == "-cl-unsafe-math-optimizations") {
    options.fastMath = true;
  } else if (flag == "-cl-finite-math-only") {
    options.finiteMath = true;
  } else if (flag == "-cl-no-signed-zeros") {
    options.noSignedZeros = true;
  } else if (flag == kCountFlag) {
    options.counts = true;
  } else if (flag.starts_with(kCheckFlag)) {
    options.checks = parseChecks(flag.substr(kCheckFlag.size()));
  } else if (flag == kScalarFlag) {
    options.scalar = true;
  } else if (flag.starts_with(kInstructionsFlag)) {
    applyInstructions(flag.substr(kInstructionsFlag.size()), options, warnings);
  } else if (flag.starts_with(kSpecConstantFlag)) {
    if (!parseSpecConstant(flag.substr(kSpecConstantFlag.size()), options.specConstants))
      warnings += "warning: the build flag " + std::string(flag) + " is malformed and has no effect\n";
  } else if (flag == "-ze-opt-level=1" || flag == "-O1" || flag == "-O2" || flag == "-O3") {
    options.optimize = true;
  } else {
    for (std::string_view ignored : kIgnored)
      if (flag.starts_with(ignored))
        return;
    warnings += "warning: the build flag " + std::string(flag) + " is not known and has no effect\n";
  }
}

} // namespace

CompileOptions parseOptions(std::string_view flags, std::string &warnings) {
  CompileOptions options;
  while (true) {
    size_t begin = flags.find_first_not_of(" \t\n");
    if (begin == std::string_view::npos)
      return options;
    flags.remove_prefix(begin);
    size_t end = std::min(flags.find_first_of(" \t\n"), flags.size());
    applyFlag(flags.substr(0, end), options, warnings);
    flags.remove_prefix(end);
  }
}

} // namespace hiplz::cpu
