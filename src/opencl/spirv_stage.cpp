// SPDX-License-Identifier: MIT
// See spirv_stage.h. One walk collects what the module has, the next one writes it anew.
#include "opencl/spirv_stage.h"
#include "fatbin/amd_words.h"
#include "fatbin/module_walk.h"

#include <array>
#include <cstring>
#include <initializer_list>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace hiplz::opencl {
namespace {

using spirv::Instruction;
using spirv::operand;

bool isVote(spv::Op op) { return op == spv::OpGroupNonUniformAll || op == spv::OpGroupNonUniformAny; }

bool isShuffle(spv::Op op) { return op >= spv::OpGroupNonUniformShuffle && op <= spv::OpGroupNonUniformShuffleDown; }

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

class Adapter : spirv::WordWriter {
public:
  Adapter(std::span<const std::byte> module, const Adaptation &how) : words_(module), how_(how) {
    if (words_.count() < spirv::kHeaderWords)
      throw ParseError("the SPIR-V has no header");
    next_ = words_[spirv::kBoundWord];
    forEach([this](const Instruction &in) { look(in); });
    isFlat_ = how.flattenGroups && hasSubgroups_;
    if (isFlat_ && usesShape_)
      chooseVariables();
  }

  AdaptedModule write() {
    for (size_t at = 0; at < spirv::kHeaderWords; ++at)
      head_.push_back(words_[at]);
    forEach([this](const Instruction &in) {
      chooseSection(in);
      write(in);
    });
    out_ = &body_;
    for (const auto &[id, function] : defined_)
      define(id, function);
    head_[spirv::kBoundWord] = next_;
    head_.insert(head_.end(), declarations_.begin(), declarations_.end());
    head_.insert(head_.end(), body_.begin(), body_.end());
    const auto bytes = std::as_bytes(std::span(head_));
    return {{bytes.begin(), bytes.end()}, isFlat_};
  }

private:
  using Ids = std::array<uint32_t, 3>;
  /// A function that the module imports and that gets a body.
  struct Defined {
    bool isClock = false;
    uint32_t result = 0, type = 0;
  };

  template <class Visit> void forEach(Visit visit) {
    spirv::forEachInstruction(words_, spirv::kHeaderWords, words_.count(), visit);
  }

  // Reading.

  void look(const Instruction &in) {
    switch (in.op()) {
    case spv::OpDecorate:
      if (operand(in, 1) == spv::DecorationBuiltIn) {
        builtIns_[in[0]] = operand(in, 2);
        variables_[operand(in, 2)] = in[0];
        usesShape_ |= dependsOnShape(operand(in, 2));
      } else if (operand(in, 1) == spv::DecorationLinkageAttributes) {
        const auto name = in.literal(2);
        if (name && operand(in, name->next) == spv::LinkageTypeExport)
          exported_.insert(in[0]);
        else if (name)
          noteImport(in[0], name->text);
      }
      break;
    case spv::OpCapability:
      hasSubgroups_ |= spirv::isOfSubgroups(static_cast<spv::Capability>(operand(in, 0)));
      hasBallots_ |= operand(in, 0) == spv::CapabilityGroupNonUniformBallot;
      break;
    case spv::OpTypeBool: bool_ = in[0]; break;
    case spv::OpTypeInt: integers_[operand(in, 1)] = in[0]; break;
    case spv::OpTypeVector: vectors_[{operand(in, 1), operand(in, 2)}] = in[0]; break;
    case spv::OpTypePointer: pointers_[{operand(in, 1), operand(in, 2)}] = in[0]; break;
    case spv::OpFunction:
      function_ = operand(in, 1);
      if (const auto entry = defined_.find(function_); entry != defined_.end()) {
        entry->second.result = in[0];
        entry->second.type = operand(in, 3);
      }
      break;
    default:
      if (isShuffle(in.op()))
        shuffled_[function_].insert(operand(in, 0));
      hasVotes_ |= how_.votesFromBallots && isVote(in.op());
      hasOtherVotes_ |= in.op() == spv::OpGroupNonUniformAllEqual;
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

  /// The built-in variables that a flat module reads, with ids for those that it lacks.
  void chooseVariables() {
    std::set<uint32_t> needed{spv::BuiltInGlobalOffset, spv::BuiltInLocalInvocationId};
    if (variables_.contains(spv::BuiltInGlobalInvocationId))
      needed.insert(spv::BuiltInWorkgroupId);
    if (variables_.contains(spv::BuiltInGlobalSize))
      needed.insert(spv::BuiltInNumWorkgroups);
    for (uint32_t builtIn : needed)
      if (!variables_.contains(builtIn))
        added_[builtIn] = variables_[builtIn] = fresh();
  }

  // Writing. A module has three sections: what stands before its declarations, these, and its functions.

  void chooseSection(const Instruction &in) {
    const bool declares = spirv::isType(in.op()) || in.op() == spv::OpVariable || in.op() == spv::OpUndef ||
                          (in.op() >= spv::OpConstantTrue && in.op() <= spv::OpSpecConstantOp);
    if (out_ == &head_ && (declares || in.op() == spv::OpFunction)) {
      for (const auto &[builtIn, variable] : added_) {
        emit(spv::OpDecorate, {variable, spv::DecorationConstant});
        emit(spv::OpDecorate, {variable, spv::DecorationBuiltIn, builtIn});
      }
      out_ = &declarations_;
    }
    if (out_ == &declarations_ && in.op() == spv::OpFunction) {
      declare();
      out_ = &body_;
    }
  }

  /// An instruction with a result of its own.
  uint32_t value(spv::Op op, uint32_t type, std::initializer_list<uint32_t> operands) {
    const uint32_t result = fresh();
    emit(op, {type, result}, std::span(operands.begin(), operands.size()));
    return result;
  }

  /// Types and variables that the module lacks. SPIR-V has each form of a type once.
  void declare() {
    int_ = integer(32);
    if (usesClock_)
      emit(spv::OpConstant, {int_, device_ = fresh(), spv::ScopeDevice});
    for (const auto &[id, function] : defined_)
      if (uint32_t &zero = zeros_[function.result]; !zero)
        emit(spv::OpConstantNull, {function.result, zero = fresh()});
    if (how_.pinShuffles && !shuffled_.empty())
      declareForShuffles();
    if (hasVotes_)
      declareForVotes();
    if (isFlat_ && usesShape_)
      declareForShape();
  }

  void declareForShuffles() {
    for (const auto &[function, types] : shuffled_)
      for (uint32_t type : types) {
        pointerTo(spv::StorageClassFunction, type);
        if (uint32_t &zero = zeros_[type]; !zero)
          emit(spv::OpConstantNull, {type, zero = fresh()});
      }
    if (!bool_)
      emit(spv::OpTypeBool, {bool_ = fresh()});
    lanes_ = vectorOf(int_, 4);
    emit(spv::OpConstantTrue, {bool_, true_ = fresh()});
    emit(spv::OpConstant, {int_, lastLane_ = fresh(), 31});
    emit(spv::OpConstant, {int_, one_ = fresh(), 1});
    emit(spv::OpConstantNull, {int_, none_ = fresh()});
  }

  void declareForVotes() {
    lanes_ = vectorOf(int_, 4);
    if (!none_)
      emit(spv::OpConstantNull, {int_, none_ = fresh()});
  }

  void declareForShape() {
    long_ = integer(64);
    vector_ = vectorOf(long_, 3);
    half_ = fresh();
    emit(spv::OpConstant, {long_, half_, 32, 0});
    low_ = fresh();
    emit(spv::OpConstant, {long_, low_, UINT32_MAX, 0});
    for (const auto &[builtIn, variable] : added_)
      emit(spv::OpVariable, {pointerTo(spv::StorageClassInput, vector_), variable, spv::StorageClassInput});
  }

  void define(uint32_t id, const Defined &function) {
    emit(spv::OpFunction, {function.result, id, spv::FunctionControlMaskNone, function.type});
    emit(spv::OpLabel, {fresh()});
    const uint32_t result =
        function.isClock ? value(spv::OpReadClockKHR, function.result, {device_}) : zeros_.at(function.result);
    emit(spv::OpReturnValue, {result});
    emit(spv::OpFunctionEnd, {});
  }

  uint32_t integer(uint32_t bits) {
    uint32_t &type = integers_[bits];
    if (!type)
      emit(spv::OpTypeInt, {type = fresh(), bits, 0});
    return type;
  }

  uint32_t vectorOf(uint32_t element, uint32_t count) {
    uint32_t &type = vectors_[{element, count}];
    if (!type)
      emit(spv::OpTypeVector, {type = fresh(), element, count});
    return type;
  }

  uint32_t pointerTo(spv::StorageClass storage, uint32_t type) {
    uint32_t &pointer = pointers_[{storage, type}];
    if (!pointer)
      emit(spv::OpTypePointer, {pointer = fresh(), storage, type});
    return pointer;
  }

  void write(const Instruction &in) {
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
      if (operand(in, 0) != spv::CapabilityKernelAttributesINTEL && !isReplaced(operand(in, 0)))
        append(in);
      if (((how_.pinShuffles && operand(in, 0) == spv::CapabilityGroupNonUniformShuffle) ||
           (hasVotes_ && operand(in, 0) == spv::CapabilityGroupNonUniformVote)) &&
          !std::exchange(hasBallots_, true))
        emit(spv::OpCapability, {spv::CapabilityGroupNonUniformBallot});
      return;
    case spv::OpDecorate: // the application may write to what it can find
      if ((operand(in, 1) != spv::DecorationConstant || !exported_.contains(in[0])) &&
          (in[1] != spv::DecorationLinkageAttributes || !defined_.contains(in[0])))
        append(in);
      return;
    case spv::OpEntryPoint: writeEntryPoint(in); return;
    case spv::OpExecutionMode: writeExecutionMode(in); return;
    case spv::OpFunction:
      function_ = operand(in, 1);
      isInDeclaration_ = defined_.contains(function_);
      if (isInDeclaration_)
        return;
      inFirstBlock_ = false;
      append(in);
      return;
    case spv::OpLabel:
      append(in);
      if (how_.pinShuffles && !inFirstBlock_)
        addSlots();
      inFirstBlock_ = true;
      return;
    default: break;
    }
    if (how_.pinShuffles && isShuffle(in.op()))
      return writeShuffle(in);
    if (hasVotes_ && isVote(in.op()))
      return writeVote(in);
    if (isFlat_ && out_ == &body_) {
      if (in.op() == spv::OpLoad && isOfShape(operand(in, 2)))
        return writeShape(in, builtIns_.at(in[2]));
      spirv::forEachReference(in, [&](uint32_t id) {
        if (isOfShape(id))
          throw ParseError("the module uses a built-in variable of the work-group's shape other than by loading it");
      });
    }
    append(in);
  }

  void writeEntryPoint(const Instruction &in) {
    append(in);
    for (const auto &[builtIn, variable] : added_)
      out_->push_back(variable);
    (*out_)[out_->size() - in.length() - added_.size()] += static_cast<uint32_t>(added_.size() << spv::WordCountShift);
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

  // Shuffles: the result goes through memory. Nothing moves a volatile access, nor the computation of what it stores. Where lanes that
  // take no part are read, SPIR-V promises nothing; the result is 0, as on the CPU device.

  void addSlots() {
    slots_.clear();
    if (const auto types = shuffled_.find(function_); types != shuffled_.end())
      for (uint32_t type : types->second) {
        slots_[type] = fresh();
        emit(spv::OpVariable, {pointerTo(spv::StorageClassFunction, type), slots_[type], spv::StorageClassFunction});
      }
  }

  void writeShuffle(const Instruction &in) {
    const uint32_t type = operand(in, 0), result = operand(in, 1), slot = slots_.at(type), moved = fresh();
    std::vector<uint32_t> operands;
    for (size_t index = 2; index < in.operands(); ++index)
      operands.push_back(in[index]);
    emit(in.op(), {type, moved}, operands);
    uint32_t kept = moved;
    if (in.op() == spv::OpGroupNonUniformShuffle) {
      const uint32_t ballot = value(spv::OpGroupNonUniformBallot, lanes_, {operand(in, 2), true_});
      const uint32_t lane = value(spv::OpBitwiseAnd, int_, {operand(in, 4), lastLane_});
      const uint32_t shifted =
          value(spv::OpShiftRightLogical, int_, {value(spv::OpCompositeExtract, int_, {ballot, 0}), lane});
      const uint32_t isThere = value(spv::OpINotEqual, bool_, {value(spv::OpBitwiseAnd, int_, {shifted, one_}), none_});
      kept = value(spv::OpSelect, type, {isThere, moved, zeros_.at(type)});
    }
    emit(spv::OpStore, {slot, kept, spv::MemoryAccessVolatileMask});
    emit(spv::OpLoad, {type, result, slot, spv::MemoryAccessVolatileMask});
  }

  bool isReplaced(uint32_t capability) const {
    return how_.votesFromBallots && capability == spv::CapabilityGroupNonUniformVote && !hasOtherVotes_;
  }

  /// All agree if nobody is against.
  void writeVote(const Instruction &in) {
    const uint32_t type = operand(in, 0);
    uint32_t voters = operand(in, 3);
    const bool isAll = in.op() == spv::OpGroupNonUniformAll;
    if (isAll)
      voters = value(spv::OpLogicalNot, type, {voters});
    const uint32_t ballot = value(spv::OpGroupNonUniformBallot, lanes_, {operand(in, 2), voters});
    emit(isAll ? spv::OpIEqual : spv::OpINotEqual,
         {type, operand(in, 1), value(spv::OpCompositeExtract, int_, {ballot, 0}), none_});
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
  Ids shape() { return each(spv::OpShiftRightLogical, native(spv::BuiltInGlobalOffset), {half_, half_, half_}); }
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

  const spirv::Words words_;
  const Adaptation how_;
  bool hasSubgroups_ = false, hasBallots_ = false, usesShape_ = false, isFlat_ = false;
  std::unordered_map<uint32_t, uint32_t> builtIns_; // by variable
  std::map<uint32_t, uint32_t> variables_, added_;  // by built-in
  std::set<uint32_t> exported_;
  std::map<uint32_t, Defined> defined_;
  bool hasVotes_ = false, hasOtherVotes_ = false;
  bool usesClock_ = false, hasClockExtension_ = false, isInDeclaration_ = false;
  uint32_t device_ = 0;                   // the constant for that scope
  std::map<uint32_t, uint32_t> integers_; // types, by bits
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> vectors_, pointers_;
  std::map<uint32_t, std::set<uint32_t>> shuffled_; // types, by function

  std::vector<uint32_t> declarations_;
  uint32_t int_ = 0, long_ = 0, vector_ = 0;
  uint32_t half_ = 0, low_ = 0; // constants: the bits of a half, and those set
  uint32_t bool_ = 0, lanes_ = 0;
  uint32_t true_ = 0, lastLane_ = 0, one_ = 0, none_ = 0;
  std::map<uint32_t, uint32_t> zeros_; // by type
  uint32_t function_ = 0;
  bool inFirstBlock_ = false;
  std::map<uint32_t, uint32_t> slots_; // of this function, by type
};

} // namespace

AdaptedModule adapt(std::span<const std::byte> module, const Adaptation &how) { return Adapter(module, how).write(); }

} // namespace hiplz::opencl
