// SPDX-License-Identifier: MIT
// See wrapped_divisions.h. x / -1 is 0 - x, and the remainder of x and -1 that of x and 1.
#include "opencl/wrapped_divisions.h"
#include "opencl/module_rewriter.h"

#include <algorithm>

namespace hiplz::opencl {
namespace {

using spirv::operand;

bool isSignedDivision(spv::Op op) { return op == spv::OpSDiv || op == spv::OpSRem || op == spv::OpSMod; }

class DivisionStage final : ModuleRewriter {
public:
  explicit DivisionStage(std::span<const std::byte> module) : ModuleRewriter(module) {
    forEach([this](const Instruction &in) { look(in); });
  }

  std::vector<std::byte> run() { return rewrite(); }

private:
  struct Type {
    uint32_t element = 0, count = 1; // of a number, itself
    uint32_t bits = 0;
    bool isSigned = false;
  };
  /// For divisions of one type.
  struct Constants {
    uint32_t condition = 0, one = 0, minusOne = 0;
  };

  void look(const Instruction &in) {
    note(in);
    switch (in.op()) {
    case spv::OpTypeInt: types_[operand(in, 0)] = {in[0], 1, operand(in, 1), operand(in, 2) != 0}; break;
    case spv::OpTypeVector:
      if (const auto element = types_.find(operand(in, 1)); element != types_.end()) {
        Type type = element->second;
        type.count = operand(in, 2);
        types_[in[0]] = type;
      }
      break;
    case spv::OpConstant:
      if (const auto type = types_.find(operand(in, 0)); type != types_.end() && !isMinusOne(in, type->second))
        safe_.insert(operand(in, 1));
      break;
    case spv::OpConstantNull: safe_.insert(operand(in, 1)); break;
    case spv::OpConstantComposite: {
      bool isSafe = true;
      for (size_t index = 2; index < in.operands(); ++index)
        isSafe &= safe_.contains(in[index]);
      if (isSafe)
        safe_.insert(operand(in, 1));
      break;
    }
    default:
      if (isSignedDivision(in.op()) && types_.contains(operand(in, 0)) && !safe_.contains(operand(in, 3)))
        constants_[in[0]];
    }
  }

  static bool isMinusOne(const Instruction &in, const Type &type) {
    const uint32_t mask = type.bits < 32 ? (uint32_t{1} << type.bits) - 1 : UINT32_MAX;
    return (operand(in, 2) & mask) == mask && (type.bits <= 32 || operand(in, 3) == UINT32_MAX);
  }

  void addDeclarations() override {
    for (auto &[id, constants] : constants_) {
      const Type &type = types_.at(id);
      constants.condition = type.count == 1 ? boolean() : vectorOf(boolean(), type.count);
      constants.one = number(id, type, 1, 0);
      // Numbers of few bits fill their word as their type says.
      const bool isNarrow = type.bits < 32 && !type.isSigned;
      constants.minusOne = number(id, type, isNarrow ? (uint32_t{1} << type.bits) - 1 : UINT32_MAX, UINT32_MAX);
    }
  }

  uint32_t number(uint32_t id, const Type &type, uint32_t low, uint32_t high) {
    const uint32_t one = fresh(), upper[] = {high};
    emit(spv::OpConstant, {type.element, one, low}, std::span(upper, type.bits > 32 ? 1 : 0));
    if (type.count == 1)
      return one;
    const uint32_t all = fresh();
    emit(spv::OpConstantComposite, {id, all}, std::vector<uint32_t>(type.count, one));
    return all;
  }

  void write(const Instruction &in) override {
    if (!isSignedDivision(in.op()) || safe_.contains(operand(in, 3)) || !constants_.contains(in[0]))
      return append(in);
    const uint32_t type = in[0], result = in[1], left = in[2], right = in[3];
    const Constants &constants = constants_.at(type);
    const uint32_t isMinusOne = value(spv::OpIEqual, constants.condition, {right, constants.minusOne});
    const uint32_t divisor = value(spv::OpSelect, type, {isMinusOne, constants.one, right});
    if (in.op() != spv::OpSDiv) {
      emit(in.op(), {type, result, left, divisor});
      return;
    }
    const uint32_t quotient = value(spv::OpSDiv, type, {left, divisor});
    const uint32_t negated = value(spv::OpSNegate, type, {left});
    emit(spv::OpSelect, {type, result, isMinusOne, negated, quotient});
  }

  std::map<uint32_t, Type> types_;
  std::set<uint32_t> safe_;                 // constants that are not minus one
  std::map<uint32_t, Constants> constants_; // by type
};

} // namespace

std::vector<std::byte> wrapDivisions(std::span<const std::byte> module) { return DivisionStage(module).run(); }

} // namespace hiplz::opencl
