// SPDX-License-Identifier: MIT
// One table says where the literals of an instruction are, all other operands being ids, another how long instructions are.
#define SPV_ENABLE_UTILITY_CODE
#include "spirv/grammar.h"

#include <algorithm>
#include <iterator>

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

// How many words instructions have, the first included, as the specification's grammar says; 0: any number. Opcodes of
// extensions (4000 and above) are left to the translator.
struct Length {
  uint16_t first, last; // opcodes
  uint16_t least, most;
};
constexpr Length kLengths[] = {
    {0, 0, 1, 1},     {1, 1, 3, 3},     {2, 2, 2, 0},      {3, 3, 3, 0},     {4, 4, 2, 0},     {5, 5, 3, 0},
    {6, 6, 4, 0},     {7, 7, 3, 0},     {8, 8, 4, 4},      {10, 10, 2, 0},   {11, 11, 3, 0},   {12, 12, 5, 0},
    {14, 14, 3, 3},   {15, 15, 4, 0},   {16, 16, 3, 0},    {17, 20, 2, 2},   {21, 21, 4, 4},   {22, 22, 3, 3},
    {23, 24, 4, 4},   {25, 25, 9, 10},  {26, 26, 2, 2},    {27, 27, 3, 3},   {28, 28, 4, 4},   {29, 29, 3, 3},
    {30, 30, 2, 0},   {31, 31, 3, 0},   {32, 32, 4, 4},    {33, 33, 3, 0},   {34, 37, 2, 2},   {38, 42, 3, 3},
    {43, 43, 4, 0},   {44, 44, 3, 0},   {45, 45, 6, 6},    {46, 49, 3, 3},   {50, 50, 4, 0},   {51, 51, 3, 0},
    {52, 52, 4, 0},   {54, 54, 5, 5},   {55, 55, 3, 3},    {56, 56, 1, 1},   {57, 57, 4, 0},   {59, 59, 4, 5},
    {60, 60, 6, 6},   {61, 61, 4, 0},   {62, 63, 3, 0},    {64, 66, 4, 0},   {67, 67, 5, 0},   {68, 68, 5, 5},
    {69, 69, 4, 4},   {70, 70, 5, 0},   {71, 71, 3, 0},    {72, 72, 4, 0},   {73, 73, 2, 2},   {74, 75, 2, 0},
    {77, 77, 5, 5},   {78, 78, 6, 6},   {79, 79, 5, 0},    {80, 80, 3, 0},   {81, 81, 4, 0},   {82, 82, 5, 0},
    {83, 84, 4, 4},   {86, 86, 5, 5},   {87, 87, 5, 0},    {88, 89, 6, 0},   {90, 90, 7, 0},   {91, 91, 5, 0},
    {92, 93, 6, 0},   {94, 94, 7, 0},   {95, 95, 5, 0},    {96, 97, 6, 0},   {98, 98, 5, 0},   {99, 99, 4, 0},
    {100, 102, 4, 4}, {103, 103, 5, 5}, {104, 104, 4, 4},  {105, 105, 5, 5}, {106, 122, 4, 4}, {123, 123, 5, 5},
    {124, 127, 4, 4}, {128, 152, 5, 5}, {154, 160, 4, 4},  {161, 167, 5, 5}, {168, 168, 4, 4}, {169, 169, 6, 6},
    {170, 199, 5, 5}, {200, 200, 4, 4}, {201, 201, 7, 7},  {202, 203, 6, 6}, {204, 215, 4, 4}, {218, 219, 1, 1},
    {220, 221, 2, 2}, {224, 224, 4, 4}, {225, 225, 3, 3},  {227, 227, 6, 6}, {228, 228, 5, 5}, {229, 229, 7, 7},
    {230, 231, 9, 9}, {232, 233, 6, 6}, {234, 242, 7, 7},  {245, 245, 3, 0}, {246, 246, 4, 0}, {247, 247, 3, 3},
    {248, 249, 2, 2}, {250, 250, 4, 0}, {251, 251, 3, 0},  {252, 253, 1, 1}, {254, 254, 2, 2}, {255, 255, 1, 1},
    {256, 257, 3, 3}, {259, 259, 9, 9}, {260, 260, 4, 4},  {261, 262, 5, 5}, {263, 271, 6, 6}, {274, 275, 7, 7},
    {276, 277, 9, 9}, {278, 279, 7, 7}, {280, 281, 5, 5},  {282, 282, 4, 4}, {283, 284, 6, 6}, {285, 286, 8, 8},
    {287, 288, 6, 6}, {291, 291, 7, 7}, {292, 292, 13, 0}, {293, 294, 8, 8}, {295, 296, 7, 7}, {297, 298, 2, 2},
    {299, 299, 3, 3}, {300, 300, 4, 4}, {301, 301, 3, 3},  {302, 302, 4, 4}, {303, 303, 3, 3}, {304, 304, 6, 6},
    {305, 305, 5, 0}, {306, 307, 6, 0}, {308, 308, 7, 0},  {309, 309, 5, 0}, {310, 311, 6, 0}, {312, 312, 7, 0},
    {313, 313, 5, 0}, {314, 315, 6, 0}, {316, 316, 4, 4},  {317, 317, 1, 1}, {318, 318, 6, 6}, {319, 319, 4, 4},
    {320, 320, 5, 0}, {321, 321, 4, 4}, {322, 322, 2, 2},  {323, 323, 6, 6}, {324, 324, 4, 4}, {325, 325, 8, 8},
    {326, 326, 7, 7}, {327, 327, 2, 2}, {328, 329, 4, 4},  {330, 330, 2, 0}, {331, 332, 3, 0}, {333, 333, 4, 4},
    {334, 336, 5, 5}, {337, 337, 6, 6}, {338, 340, 5, 5},  {341, 342, 6, 6}, {343, 344, 5, 5}, {345, 348, 6, 6},
    {349, 364, 6, 7}, {365, 366, 6, 6}, {400, 400, 4, 4},  {401, 403, 5, 5}};

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

bool hasPossibleLength(const Instruction &in) {
  const Length *found = std::upper_bound(std::begin(kLengths), std::end(kLengths), static_cast<uint32_t>(in.op()),
                                         [](uint32_t wanted, const Length &row) { return wanted < row.first; });
  if (found == std::begin(kLengths) || in.op() > (--found)->last)
    return true;
  return in.length() >= found->least && (found->most == 0 || in.length() <= found->most);
}

} // namespace hiplz::spirv
