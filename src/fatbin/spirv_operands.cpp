// SPDX-License-Identifier: MIT
// The table says where the literals of an instruction are; all other operands are ids.
#define SPV_ENABLE_UTILITY_CODE
#include "fatbin/spirv_operands.h"

namespace hiplz::spirv {
namespace {

constexpr size_t kNone = SIZE_MAX;

/// The operands from `first` on, `count` of them, are literals.
struct Literals {
  size_t first = kNone;
  size_t count = kNone;
};

/// After the mask of a memory access or of image operands there may be both: the alignment of an access is a literal.
constexpr Literals kNoLiterals{kNone, 0};

Literals literalsOf(const Instruction &in) {
  switch (in.op()) {
  // Preamble, names and decorations; of those with an entry here, the first operand alone is an id.
  case spv::OpCapability:
  case spv::OpExtension:
  case spv::OpExtInstImport:
  case spv::OpMemoryModel:
  case spv::OpSource:
  case spv::OpSourceExtension:
  case spv::OpSourceContinued:
  case spv::OpString:
  case spv::OpModuleProcessed: return {0};
  case spv::OpName:
  case spv::OpMemberName:
  case spv::OpExecutionMode:
  case spv::OpDecorate:
  case spv::OpDecorateString:
  case spv::OpMemberDecorate:
  case spv::OpMemberDecorateString:
  case spv::OpLine: return {1};
  case spv::OpExecutionModeId:
  case spv::OpDecorateId: return {1, 1};
  case spv::OpEntryPoint: {
    const auto name = in.literal(2);
    return {2, name ? name->next - 2 : kNone}; // the execution model, operand 0, is no id either: see isReference
  }

  // Types and constants.
  case spv::OpTypeInt:
  case spv::OpTypeFloat:
  case spv::OpTypeOpaque:
  case spv::OpTypePipe: return {1};
  case spv::OpTypeVector:
  case spv::OpTypeMatrix:
  case spv::OpTypeImage: return {2};
  case spv::OpTypePointer:
  case spv::OpTypeForwardPointer: return {1, 1};
  case spv::OpConstant:
  case spv::OpSpecConstant:
  case spv::OpConstantSampler:
  case spv::OpConstantPipeStorage: return {2};
  case spv::OpSpecConstantOp:
    return in.operands() > 2 && in[2] == spv::OpCompositeExtract ? Literals{4} : Literals{2, 1};
  case spv::OpVariable:
  case spv::OpFunction: return {2, 1};

  // Instructions.
  case spv::OpLoad: return {3};
  case spv::OpStore:
  case spv::OpCopyMemory: return {2};
  case spv::OpCopyMemorySized: return {3};
  case spv::OpCompositeExtract:
  case spv::OpArrayLength:
  case spv::OpGenericCastToPtrExplicit: return {3};
  case spv::OpCompositeInsert:
  case spv::OpVectorShuffle: return {4};
  case spv::OpBranchConditional: return {3};
  case spv::OpSwitch: return {2}; // the labels among them are of the same function
  case spv::OpLoopMerge: return {2};
  case spv::OpSelectionMerge: return {1};
  case spv::OpLifetimeStart:
  case spv::OpLifetimeStop: return {1};
  case spv::OpExtInst: return {3, 1};
  case spv::OpImageSampleImplicitLod:
  case spv::OpImageSampleExplicitLod:
  case spv::OpImageFetch:
  case spv::OpImageRead: return {4, 1};
  case spv::OpImageWrite: return {3, 1};
  case spv::OpGroupIAdd:
  case spv::OpGroupFAdd:
  case spv::OpGroupFMin:
  case spv::OpGroupUMin:
  case spv::OpGroupSMin:
  case spv::OpGroupFMax:
  case spv::OpGroupUMax:
  case spv::OpGroupSMax:
  case spv::OpGroupNonUniformBallotBitCount:
  case spv::OpGroupNonUniformIAdd:
  case spv::OpGroupNonUniformFAdd:
  case spv::OpGroupNonUniformIMul:
  case spv::OpGroupNonUniformFMul:
  case spv::OpGroupNonUniformSMin:
  case spv::OpGroupNonUniformUMin:
  case spv::OpGroupNonUniformFMin:
  case spv::OpGroupNonUniformSMax:
  case spv::OpGroupNonUniformUMax:
  case spv::OpGroupNonUniformFMax:
  case spv::OpGroupNonUniformBitwiseAnd:
  case spv::OpGroupNonUniformBitwiseOr:
  case spv::OpGroupNonUniformBitwiseXor:
  case spv::OpGroupNonUniformLogicalAnd:
  case spv::OpGroupNonUniformLogicalOr:
  case spv::OpGroupNonUniformLogicalXor: return {3, 1};
  default: return kNoLiterals;
  }
}

} // namespace

int resultOperand(spv::Op op) {
  bool result = false, type = false;
  HasResultAndType(op, &result, &type);
  return !result ? -1 : type ? 1 : 0;
}

int resultTypeOperand(spv::Op op) {
  bool result = false, type = false;
  HasResultAndType(op, &result, &type);
  return type ? 0 : -1;
}

bool isReference(const Instruction &in, size_t index) {
  if (resultOperand(in.op()) == static_cast<int>(index) || (in.op() == spv::OpEntryPoint && index == 0))
    return false;
  const Literals literals = literalsOf(in);
  return index < literals.first || index - literals.first >= literals.count;
}

} // namespace hiplz::spirv
