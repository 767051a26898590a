// SPDX-License-Identifier: MIT
// See lane_stage.h.
#include "opencl/lane_stage.h"
#include "opencl/module_rewriter.h"

namespace hiplz::opencl {
namespace {

using spirv::operand;

bool isVote(spv::Op op) { return op == spv::OpGroupNonUniformAll || op == spv::OpGroupNonUniformAny; }

bool isShuffle(spv::Op op) { return op >= spv::OpGroupNonUniformShuffle && op <= spv::OpGroupNonUniformShuffleDown; }

class LaneStage final : ModuleRewriter {
public:
  LaneStage(std::span<const std::byte> module, const Adaptation &how) : ModuleRewriter(module), how_(how) {
    forEach([this](const Instruction &in) { look(in); });
    // Without shuffles in it, nothing is there to count for.
    const bool counts = how_.countLanes && (hasVotes_ || hasBallots_ || (how_.zeroAbsentLanes && readsLanes_));
    if (counts)
      for (auto builtIn : {spv::BuiltInWorkgroupSize, spv::BuiltInSubgroupId, spv::BuiltInSubgroupMaxSize})
        need(builtIn);
  }

  std::vector<std::byte> run() { return rewrite(); }

private:
  // Reading.

  void look(const Instruction &in) {
    note(in);
    switch (in.op()) {
    case spv::OpCapability: hasBallotCapability_ |= operand(in, 0) == spv::CapabilityGroupNonUniformBallot; break;
    case spv::OpFunction: function_ = operand(in, 1); break;
    case spv::OpGroupNonUniformAllEqual: hasOtherVotes_ = true; break;
    case spv::OpGroupNonUniformBallot: hasBallots_ = true; break;
    case spv::OpGroupNonUniformShuffle: readsLanes_ = true; [[fallthrough]];
    default:
      if (isShuffle(in.op()))
        shuffled_[function_].insert(operand(in, 0));
      hasVotes_ |= how_.votesFromBallots && isVote(in.op());
    }
  }

  // Writing.

  void addDeclarations() override {
    const bool zeroes = how_.zeroAbsentLanes && readsLanes_;
    for (const auto &[function, types] : shuffled_)
      for (uint32_t type : types) {
        if (how_.pinShuffles)
          pointerTo(spv::StorageClassFunction, type);
        if (zeroes)
          zeroOf(type);
      }
    if (!zeroes && !hasVotes_ && !(how_.countLanes && hasBallots_))
      return;
    int_ = integer(32);
    bool_ = boolean();
    lanes_ = vectorOf(int_, 4);
    none_ = zeroOf(int_);
    one_ = constant(int_, 1);
    lastLane_ = constant(int_, 31);
    emit(spv::OpConstantTrue, {bool_, true_ = fresh()});
    if (how_.countLanes) {
      long_ = integer(64);
      size_ = vectorOf(long_, 3);
      most_ = constant(int_, 32);
      all_ = constant(int_, UINT32_MAX);
    }
  }

  void write(const Instruction &in) override {
    switch (in.op()) {
    case spv::OpCapability: return writeCapability(in);
    case spv::OpEntryPoint: return writeEntryPoint(in);
    case spv::OpFunction:
      function_ = operand(in, 1);
      inFirstBlock_ = false;
      return append(in);
    case spv::OpLabel:
      append(in);
      if (how_.pinShuffles && !inFirstBlock_)
        addSlots();
      inFirstBlock_ = true;
      return;
    case spv::OpGroupNonUniformBallot: return how_.countLanes ? writeBallot(in) : append(in);
    default: break;
    }
    if (isShuffle(in.op()))
      return writeShuffle(in);
    if (hasVotes_ && isVote(in.op()))
      return writeVote(in);
    append(in);
  }

  void writeCapability(const Instruction &in) {
    const uint32_t capability = operand(in, 0);
    if (!how_.votesFromBallots || capability != spv::CapabilityGroupNonUniformVote || hasOtherVotes_)
      append(in);
    if (((how_.zeroAbsentLanes && capability == spv::CapabilityGroupNonUniformShuffle) ||
         (hasVotes_ && capability == spv::CapabilityGroupNonUniformVote)) &&
        !std::exchange(hasBallotCapability_, true))
      emit(spv::OpCapability, {spv::CapabilityGroupNonUniformBallot});
  }

  /// The lanes that take part, as a number. Where they are counted, all that there are do: the last sub-group of a group may have fewer
  /// work-items than others, and there are implementations that have a ballot name more.
  uint32_t presentLanes(uint32_t scope) {
    if (!how_.countLanes)
      return value(spv::OpCompositeExtract, int_, {value(spv::OpGroupNonUniformBallot, lanes_, {scope, true_}), 0});
    const uint32_t size = value(spv::OpLoad, size_, {variables_.at(spv::BuiltInWorkgroupSize)});
    uint32_t items = value(spv::OpCompositeExtract, long_, {size, 0});
    for (uint32_t dimension : {1u, 2u})
      items = value(spv::OpIMul, long_, {items, value(spv::OpCompositeExtract, long_, {size, dimension})});
    const uint32_t lanes = value(spv::OpLoad, int_, {variables_.at(spv::BuiltInSubgroupMaxSize)});
    const uint32_t group = value(spv::OpLoad, int_, {variables_.at(spv::BuiltInSubgroupId)});
    const uint32_t left =
        value(spv::OpISub, int_, {value(spv::OpUConvert, int_, {items}), value(spv::OpIMul, int_, {group, lanes})});
    const uint32_t isPart = value(spv::OpULessThan, bool_, {left, lanes});
    const uint32_t count = value(spv::OpSelect, int_, {isPart, left, lanes});
    return value(spv::OpShiftRightLogical, int_, {all_, value(spv::OpISub, int_, {most_, count})});
  }

  /// The first 32 bits of a ballot.
  uint32_t ballot(uint32_t scope, uint32_t predicate) {
    const uint32_t named =
        value(spv::OpCompositeExtract, int_, {value(spv::OpGroupNonUniformBallot, lanes_, {scope, predicate}), 0});
    return how_.countLanes ? value(spv::OpBitwiseAnd, int_, {named, presentLanes(scope)}) : named;
  }

  void writeBallot(const Instruction &in) {
    const uint32_t bits = ballot(operand(in, 2), operand(in, 3));
    emit(spv::OpCompositeConstruct, {in[0], in[1], bits, none_, none_, none_});
  }

  /// All agree if nobody is against.
  void writeVote(const Instruction &in) {
    const uint32_t type = operand(in, 0);
    uint32_t voters = operand(in, 3);
    const bool isAll = in.op() == spv::OpGroupNonUniformAll;
    if (isAll)
      voters = value(spv::OpLogicalNot, type, {voters});
    emit(isAll ? spv::OpIEqual : spv::OpINotEqual, {type, operand(in, 1), ballot(operand(in, 2), voters), none_});
  }

  // Pinned shuffles: the result goes through memory. Nothing moves a volatile access, nor the computation of what it stores.

  void addSlots() {
    slots_.clear();
    if (const auto types = shuffled_.find(function_); types != shuffled_.end())
      for (uint32_t type : types->second) {
        slots_[type] = fresh();
        emit(spv::OpVariable, {pointerTo(spv::StorageClassFunction, type), slots_[type], spv::StorageClassFunction});
      }
  }

  void writeShuffle(const Instruction &in) {
    const bool zeroes = how_.zeroAbsentLanes && in.op() == spv::OpGroupNonUniformShuffle;
    if (!zeroes && !how_.pinShuffles)
      return append(in);
    const uint32_t type = operand(in, 0), result = operand(in, 1);
    std::vector<uint32_t> operands;
    for (size_t index = 2; index < in.operands(); ++index)
      operands.push_back(in[index]);
    const uint32_t moved = fresh();
    emit(in.op(), {type, moved}, operands);
    uint32_t isThere = 0;
    if (zeroes) {
      const uint32_t lane = value(spv::OpBitwiseAnd, int_, {operand(in, 4), lastLane_});
      const uint32_t shifted = value(spv::OpShiftRightLogical, int_, {presentLanes(operand(in, 2)), lane});
      isThere = value(spv::OpINotEqual, bool_, {value(spv::OpBitwiseAnd, int_, {shifted, one_}), none_});
    }
    if (!how_.pinShuffles) {
      emit(spv::OpSelect, {type, result, isThere, moved, zeroOf(type)});
      return;
    }
    const uint32_t kept = zeroes ? value(spv::OpSelect, type, {isThere, moved, zeroOf(type)}) : moved;
    emit(spv::OpStore, {slots_.at(type), kept, spv::MemoryAccessVolatileMask});
    emit(spv::OpLoad, {type, result, slots_.at(type), spv::MemoryAccessVolatileMask});
  }

  const Adaptation how_;
  bool hasBallotCapability_ = false, hasBallots_ = false, hasVotes_ = false, hasOtherVotes_ = false;
  bool readsLanes_ = false;
  std::map<uint32_t, std::set<uint32_t>> shuffled_; // types, by function
  uint32_t function_ = 0;
  bool inFirstBlock_ = false;
  std::map<uint32_t, uint32_t> slots_;                                         // of this function, by type
  uint32_t bool_ = 0, int_ = 0, long_ = 0, lanes_ = 0, size_ = 0;              // types
  uint32_t true_ = 0, none_ = 0, one_ = 0, lastLane_ = 0, most_ = 0, all_ = 0; // constants
};

} // namespace

std::vector<std::byte> adaptLanes(std::span<const std::byte> module, const Adaptation &how) {
  return LaneStage(module, how).run();
}

} // namespace hiplz::opencl
