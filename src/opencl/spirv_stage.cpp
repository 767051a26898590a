// SPDX-License-Identifier: MIT
// See spirv_stage.h. One walk collects what the module has, the next one writes it anew.
#include "opencl/spirv_stage.h"
#include "opencl/grid_indices.h"
#include "opencl/lane_stage.h"
#include "opencl/module_rewriter.h"
#include "opencl/wrapped_divisions.h"

#include <array>
#include <cstring>

namespace hiplz::opencl {
namespace {

using spirv::operand;

/// Built-in variables that depend on the shape of the group. The others are the same for a flat one.
bool dependsOnShape(uint32_t builtIn) {
  switch (builtIn) {
  case spv::BuiltInLocalInvocationId:
  case spv::BuiltInWorkgroupSize:
  case spv::BuiltInEnqueuedWorkgroupSize:
  case spv::BuiltInGlobalInvocationId:
  case spv::BuiltInGlobalSize:
  case spv::BuiltInGlobalOffset:
  case spv::BuiltInGlobalLinearId: return true;
  default: return false;
  }
}

class Adapter final : ModuleRewriter {
public:
  Adapter(std::span<const std::byte> module, const Adaptation &how, bool isFlat)
      : ModuleRewriter(module), how_(how), isFlat_(isFlat) {
    forEach([this](const Instruction &in) { look(in); });
    if (isFlat_ && usesShape_)
      chooseVariables();
  }

  std::vector<std::byte> run() { return rewrite(); }

private:
  using Ids = std::array<uint32_t, 3>;
  /// A function that the module imports and that gets a body.
  struct Defined {
    bool isClock = false;
    uint32_t result = 0, type = 0;
  };

  // Reading.

  void look(const Instruction &in) {
    note(in);
    switch (in.op()) {
    case spv::OpDecorate:
      if (operand(in, 1) == spv::DecorationBuiltIn) {
        builtIns_[in[0]] = operand(in, 2);
        usesShape_ |= dependsOnShape(operand(in, 2));
      } else if (operand(in, 1) == spv::DecorationLinkageAttributes) {
        const auto name = in.literal(2);
        if (name && operand(in, name->next) == spv::LinkageTypeExport)
          exported_.insert(in[0]);
        else if (name)
          noteImport(in[0], name->text);
      }
      break;
    case spv::OpTypeBool:
    case spv::OpTypeInt:
    case spv::OpTypeFloat:
    case spv::OpTypePointer: simple_.insert(operand(in, 0)); break;
    case spv::OpTypeVector:
      if (simple_.contains(operand(in, 1)))
        simple_.insert(in[0]);
      break;
    case spv::OpFunction:
      if (const auto entry = defined_.find(operand(in, 1)); entry != defined_.end()) {
        entry->second.result = in[0];
        entry->second.type = operand(in, 3);
      }
      break;
    default: break;
    }
  }

  void noteImport(uint32_t function, std::string_view name) {
    const bool isClock = name.find("intel_get_cycle_counter") != name.npos;
    const bool isSlice =
        name.find("intel_get_slice_id") != name.npos || name.find("intel_get_subslice_id") != name.npos;
    if ((isClock && how_.defineClock) || (isSlice && how_.defineSlices))
      defined_[function].isClock = isClock;
    usesClock_ |= isClock && how_.defineClock;
  }

  /// The built-in variables that a flat module reads.
  void chooseVariables() {
    need(spv::BuiltInGlobalOffset);
    need(spv::BuiltInLocalInvocationId);
    if (variables_.contains(spv::BuiltInGlobalInvocationId))
      need(spv::BuiltInWorkgroupId);
    if (variables_.contains(spv::BuiltInGlobalSize))
      need(spv::BuiltInNumWorkgroups);
  }

  // Writing.

  void addDeclarations() override {
    int_ = integer(32);
    if (usesClock_)
      device_ = constant(int_, spv::ScopeDevice);
    for (const auto &[id, function] : defined_)
      zeroOf(function.result);
    if (!isFlat_ || !usesShape_)
      return;
    long_ = integer(64);
    vector_ = vectorOf(long_, 3);
    emit(spv::OpConstant, {long_, half_ = fresh(), 32, 0});
    emit(spv::OpConstant, {long_, low_ = fresh(), UINT32_MAX, 0});
    emit(spv::OpConstant, {long_, one_ = fresh(), 1, 0});
  }

  void addFunctions() override {
    for (const auto &[id, function] : defined_) {
      emit(spv::OpFunction, {function.result, id, spv::FunctionControlMaskNone, function.type});
      emit(spv::OpLabel, {fresh()});
      const uint32_t result =
          function.isClock ? value(spv::OpReadClockKHR, function.result, {device_}) : zeroOf(function.result);
      emit(spv::OpReturnValue, {result});
      emit(spv::OpFunctionEnd, {});
    }
  }

  void write(const Instruction &in) override {
    if (usesClock_ && in.op() != spv::OpCapability && !hasClockExtension_) {
      static constexpr char kName[24] = "SPV_KHR_shader_clock";
      std::array<uint32_t, 6> words;
      std::memcpy(words.data(), kName, sizeof kName);
      emit(spv::OpCapability, {spv::CapabilityShaderClockKHR});
      emit(spv::OpExtension, {}, words);
      hasClockExtension_ = true;
    }
    if (isInDeclaration_) { // of what is defined behind all others
      isInDeclaration_ = in.op() != spv::OpFunctionEnd;
      return;
    }
    switch (in.op()) {
    case spv::OpCapability:
      if (operand(in, 0) != spv::CapabilityKernelAttributesINTEL)
        append(in);
      return;
    case spv::OpDecorate: // the application may write to what it can find
      if ((operand(in, 1) != spv::DecorationConstant || !exported_.contains(in[0])) &&
          (in[1] != spv::DecorationLinkageAttributes || !defined_.contains(in[0])))
        append(in);
      return;
    case spv::OpUndef:
      if (how_.zeroUndefined && !inFunctions() && simple_.contains(operand(in, 0)))
        emit(spv::OpConstantNull, {in[0], operand(in, 1)});
      else
        append(in);
      return;
    case spv::OpEntryPoint: writeEntryPoint(in); return;
    case spv::OpExecutionMode: writeExecutionMode(in); return;
    case spv::OpFunction:
      isInDeclaration_ = defined_.contains(operand(in, 1));
      if (!isInDeclaration_)
        append(in);
      return;
    default: break;
    }
    if (isFlat_ && inFunctions()) {
      if (in.op() == spv::OpLoad && isOfShape(operand(in, 2)))
        return writeShape(in, builtIns_.at(in[2]));
      spirv::forEachReference(in, [&](uint32_t id) {
        if (isOfShape(id))
          throw ParseError("the module uses a built-in variable of the work-group's shape other than by loading it");
      });
    }
    append(in);
  }

  void writeExecutionMode(const Instruction &in) {
    const uint32_t mode = operand(in, 1);
    if (mode == spv::ExecutionModeMaxWorkgroupSizeINTEL)
      return;
    if (!isFlat_ || mode != spv::ExecutionModeLocalSize)
      return append(in);
    const uint64_t total = uint64_t{operand(in, 2)} * operand(in, 3) * operand(in, 4);
    emit(in.op(), {in[0], mode, static_cast<uint32_t>(total), 1, 1});
  }

  // Flat groups.

  bool isOfShape(uint32_t id) const {
    const auto builtIn = builtIns_.find(id);
    return builtIn != builtIns_.end() && dependsOnShape(builtIn->second);
  }

  /// The components of a built-in variable as the device has it.
  Ids native(spv::BuiltIn builtIn) {
    const uint32_t whole = value(spv::OpLoad, vector_, {variables_.at(builtIn)});
    return {value(spv::OpCompositeExtract, long_, {whole, 0}), value(spv::OpCompositeExtract, long_, {whole, 1}),
            value(spv::OpCompositeExtract, long_, {whole, 2})};
  }
  Ids each(spv::Op op, const Ids &left, const Ids &right) {
    return {value(op, long_, {left[0], right[0]}), value(op, long_, {left[1], right[1]}),
            value(op, long_, {left[2], right[2]})};
  }
  Ids shape() {
    const Ids more = each(spv::OpShiftRightLogical, native(spv::BuiltInGlobalOffset), {half_, half_, half_});
    return each(spv::OpIAdd, more, {one_, one_, one_});
  }
  Ids offset() { return each(spv::OpBitwiseAnd, native(spv::BuiltInGlobalOffset), {low_, low_, low_}); }
  Ids place() {
    const Ids size = shape();
    const uint32_t flat = value(spv::OpUConvert, int_, {native(spv::BuiltInLocalInvocationId)[0]});
    const uint32_t width = value(spv::OpUConvert, int_, {size[0]}), height = value(spv::OpUConvert, int_, {size[1]});
    const uint32_t row = value(spv::OpUDiv, int_, {flat, width});
    const Ids at{value(spv::OpUMod, int_, {flat, width}), value(spv::OpUMod, int_, {row, height}),
                 value(spv::OpUDiv, int_, {row, height})};
    return {value(spv::OpUConvert, long_, {at[0]}), value(spv::OpUConvert, long_, {at[1]}),
            value(spv::OpUConvert, long_, {at[2]})};
  }

  void writeShape(const Instruction &in, uint32_t builtIn) {
    if (builtIn == spv::BuiltInGlobalLinearId || operand(in, 0) != vector_)
      throw ParseError(
          "the module uses a built-in variable of the work-group's shape in a form other than three numbers");
    Ids parts;
    switch (builtIn) {
    case spv::BuiltInLocalInvocationId: parts = place(); break;
    case spv::BuiltInGlobalOffset: parts = offset(); break;
    case spv::BuiltInGlobalSize: parts = each(spv::OpIMul, native(spv::BuiltInNumWorkgroups), shape()); break;
    case spv::BuiltInGlobalInvocationId:
      parts = each(spv::OpIAdd, each(spv::OpIMul, native(spv::BuiltInWorkgroupId), shape()),
                   each(spv::OpIAdd, offset(), place()));
      break;
    default: parts = shape();
    }
    emit(spv::OpCompositeConstruct, {vector_, operand(in, 1), parts[0], parts[1], parts[2]});
  }

  const Adaptation how_;
  const bool isFlat_;
  bool usesShape_ = false;
  std::unordered_map<uint32_t, uint32_t> builtIns_; // by variable
  std::set<uint32_t> exported_;
  std::map<uint32_t, Defined> defined_;
  bool usesClock_ = false, hasClockExtension_ = false, isInDeclaration_ = false;
  std::set<uint32_t> simple_; // types of numbers, and of addresses
  uint32_t device_ = 0;       // the constant for that scope
  uint32_t int_ = 0, long_ = 0, vector_ = 0;
  uint32_t half_ = 0, low_ = 0, one_ = 0; // constants: the bits of a half, those set, and 1
};

bool hasSubgroups(std::span<const std::byte> module) {
  const spirv::Words words(module);
  bool has = false;
  spirv::forEachInstruction(words, [&](const spirv::Instruction &in) {
    has |= in.op() == spv::OpCapability && spirv::isOfSubgroups(static_cast<spv::Capability>(operand(in, 0)));
  });
  return has;
}

} // namespace

AdaptedModule adapt(std::span<const std::byte> module, const Adaptation &how) {
  std::vector<std::byte> lanes, divisions;
  if (how.pinShuffles || how.zeroAbsentLanes || how.countLanes || how.votesFromBallots) {
    lanes = adaptLanes(module, how);
    module = lanes;
  }
  if (how.wrapDivisions) {
    divisions = wrapDivisions(module);
    module = divisions;
  }
  const bool isFlat = how.flattenGroups && hasSubgroups(module);
  const SimpleIndices indices = simplifyIndices(module, how.joinIndices && !isFlat);
  return {Adapter(indices.spirv, how, isFlat).run(), isFlat, indices.withoutOffset};
}

} // namespace hiplz::opencl
