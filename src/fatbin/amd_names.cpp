// SPDX-License-Identifier: MIT
// The names in AMD's dialect of SPIR-V: how it is recognised, and what stands for them here.
#include "fatbin/amd_names.h"
#include "base/parse_error.h"
#include "fatbin/amd_spirv.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hiplz::spirv {
namespace {

constexpr std::string_view kIntrinsics = "llvm.amdgcn.", kIntrinsicsHere = "__amd_";

/// Intrinsics of any target that every LLVM here has in this form. A name that begins with "llvm." and is none makes LLVM stop, so the
/// others are functions here: lib-device/amd/llvm.hip has some, and kernels with the rest are refused.
/// AMD's translator writes memset of an unknown byte as a function, which LLVM 15's takes for the intrinsic, with a name that does not
/// fit its types. By another name it is a function.
constexpr std::string_view kFill = "spirv.llvm_memset", kFillHere = "amd.memset";
constexpr std::string_view kOfLlvm = "llvm.", kOfLlvmHere = "__llvm_";
// clang-format off
constexpr auto kIntrinsicsOfLlvm = std::to_array<std::string_view>({
    "abs", "annotation", "assume", "bitreverse", "bswap", "canonicalize", "ceil", "copysign", "cos", "ctlz", "ctpop",
    "cttz", "debugtrap", "donothing", "exp", "exp2", "expect", "experimental.noalias", "fabs", "floor", "fma",
    "fmuladd", "frameaddress", "fshl", "fshr", "invariant", "is.constant", "is.fpclass", "launder.invariant",
    "lifetime", "llrint", "llround", "log", "log10", "log2", "lrint", "lround", "maximum", "maxnum", "memcpy",
    "memmove", "memset", "minimum", "minnum", "nearbyint", "objectsize", "pow", "powi", "prefetch", "ptr.annotation",
    "returnaddress", "rint", "round", "roundeven", "sadd.sat", "sideeffect", "sin", "smax", "smin", "sqrt",
    "sshl.sat", "ssub.sat", "strip.invariant", "trap", "trunc", "uadd.sat", "ubsantrap", "umax", "umin", "ushl.sat",
    "usub.sat", "var.annotation", "vector.reduce",
});
// clang-format on

bool isOfEveryLlvm(std::string_view name) {
  // LLVM 15 has the pointee in the names of those that take pointers.
  if (const size_t end = name.rfind(".p"); end + 3 == name.size())
    return false;
  if (name.ends_with("bf16")) // here these are integers
    return false;
  name.remove_prefix(kOfLlvm.size());
  return std::any_of(kIntrinsicsOfLlvm.begin(), kIntrinsicsOfLlvm.end(), [&](std::string_view known) {
    return name.starts_with(known) && (name.size() == known.size() || name[known.size()] == '.');
  });
}

/// Functions of AMD's headers that the device library defines in our way. The first are never reached in AMD's form: they end in
/// llvm.trap, for which SPIR-V has no instruction.
constexpr std::array<std::string_view, 4> kReplacedFunctions = {"__assert_fail", "__assertfail", "__cxa_pure_virtual",
                                                                "__cxa_deleted_virtual"};

bool namesAmd(std::string_view name) {
  return name.starts_with(kIntrinsics) || name.starts_with("__ockl_") || name.starts_with("__ocml_");
}

} // namespace

bool isReplaced(std::string_view name) {
  return std::find(kReplacedFunctions.begin(), kReplacedFunctions.end(), name) != kReplacedFunctions.end();
}

std::string nameHere(std::string_view name) {
  std::string result(name);
  if (name.starts_with(kIntrinsics)) {
    result.replace(0, kIntrinsics.size(), kIntrinsicsHere);
    std::replace(result.begin(), result.end(), '.', '_');
  } else if (name.starts_with(kFill)) {
    result.replace(0, kFill.size(), kFillHere);
  } else if (name.starts_with("llvm.compiler.used") || name.starts_with("llvm.used") ||
             name.starts_with("llvm.cmdline") || name.starts_with("llvm.embedded.module") ||
             name.starts_with("llvm.global")) {
    result.replace(0, 5, "amd.");
  } else if (name.starts_with(kOfLlvm) && !isOfEveryLlvm(name)) {
    result.replace(0, kOfLlvm.size(), kOfLlvmHere);
    std::replace(result.begin(), result.end(), '.', '_');
  }
  return result;
}

std::vector<uint32_t> wordsOf(std::string_view text) {
  std::vector<uint32_t> words(text.size() / sizeof(uint32_t) + 1);
  std::memcpy(words.data(), text.data(), text.size());
  return words;
}

std::optional<std::string> linkageName(const Instruction &in) {
  if (in.operands() < 2 || in[1] != spv::DecorationLinkageAttributes)
    return std::nullopt;
  const auto name = in.literal(2);
  if (!name)
    throw ParseError("the SPIR-V is malformed: a linkage name does not end");
  return std::string(name->text);
}

bool isAmdDialect(std::span<const std::byte> module) {
  const Words words(module);
  if (!words.beginLikeSpirv())
    return false;
  bool isAmds = false;
  walk(words, [&](const Instruction &in) {
    if (in.op() == spv::OpCapability)
      isAmds = in.operands() > 0 && in[0] == kCapabilityUntypedPointers;
    else if (in.op() == spv::OpDecorate && in.operands() >= 3 && in[1] == spv::DecorationLinkageAttributes)
      if (const auto name = in.literal(2))
        isAmds = namesAmd(name->text);
    return !isAmds && in.op() != spv::OpFunction;
  });
  return isAmds;
}

} // namespace hiplz::spirv
