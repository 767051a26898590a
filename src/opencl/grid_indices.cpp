// SPDX-License-Identifier: MIT
// See grid_indices.h. All groups of a launch have the same size, so group * size + thread is the global index, also modulo 2^32. Subtracting
// an offset would cost as much as it gains: Intel's compiler knows that neighbours have neighbouring indices of type int if these are
// global indices, and nothing else.
#include "opencl/grid_indices.h"
#include "opencl/module_rewriter.h"

namespace hiplz::opencl {
namespace {

using spirv::operand;

/// Built-in variables whose numbers have no more than 32 bits, as HIP's have.
bool hasFewBits(uint32_t builtIn) {
  switch (builtIn) {
  case spv::BuiltInLocalInvocationId:
  case spv::BuiltInWorkgroupSize:
  case spv::BuiltInWorkgroupId:
  case spv::BuiltInNumWorkgroups: return true;
  default: return false;
  }
}

class IndexStage final : ModuleRewriter {
public:
  IndexStage(std::span<const std::byte> module, bool joins) : ModuleRewriter(module) {
    forEach([this](const Instruction &in) { look(in); });
    for (const spv::BuiltIn told :
         {spv::BuiltInGlobalOffset, spv::BuiltInGlobalInvocationId, spv::BuiltInGlobalLinearId})
      joins &= !variables_.contains(told);
    if (!joins)
      sums_.clear();
    if (!sums_.empty())
      need(spv::BuiltInGlobalInvocationId);
  }

  SimpleIndices run() { return {rewrite(), !sums_.empty()}; }

private:
  /// A number of a built-in variable.
  struct Part {
    uint32_t builtIn = 0, component = 0;
  };

  void look(const Instruction &in) {
    note(in);
    switch (in.op()) {
    case spv::OpDecorate:
      if (operand(in, 1) == spv::DecorationBuiltIn && hasFewBits(operand(in, 2)))
        builtIns_[in[0]] = in[2];
      break;
    case spv::OpConstant:
      if (in.operands() == 4 && in[2] == UINT32_MAX && in[3] == 0)
        masks_.insert(in[1]);
      break;
    case spv::OpLoad:
      if (const auto builtIn = builtIns_.find(operand(in, 2)); builtIn != builtIns_.end())
        loads_[in[1]] = builtIn->second;
      break;
    case spv::OpCompositeExtract:
      if (const auto load = loads_.find(operand(in, 2)); load != loads_.end() && in.operands() == 4 && isLong(in[0]))
        parts_[in[1]] = {load->second, in[3]};
      break;
    case spv::OpUConvert: // to 32 bits or from them, which are enough
      if (const Part *part = partOf(operand(in, 2)); part && (isLong(in[0]) || isInt(in[0])))
        parts_[in[1]] = *part;
      break;
    case spv::OpBitwiseAnd:
      if (const Part *part = partOf(operand(in, 2)); part && masks_.contains(operand(in, 3)))
        parts_[in[1]] = *part;
      break;
    case spv::OpIMul: noteProduct(in); break;
    case spv::OpIAdd: noteSum(in); break;
    default: break;
    }
  }

  void noteProduct(const Instruction &in) {
    const Part *left = partOf(operand(in, 2)), *right = partOf(operand(in, 3));
    if (!left || !right || left->component != right->component)
      return;
    if (left->builtIn != spv::BuiltInWorkgroupId)
      std::swap(left, right);
    if (left->builtIn == spv::BuiltInWorkgroupId && right->builtIn == spv::BuiltInWorkgroupSize)
      products_[in[1]] = left->component;
  }

  void noteSum(const Instruction &in) {
    uint32_t left = operand(in, 2), right = operand(in, 3);
    if (!products_.contains(left))
      std::swap(left, right);
    const auto product = products_.find(left);
    const Part *part = partOf(right);
    if (product != products_.end() && part && part->builtIn == spv::BuiltInLocalInvocationId &&
        part->component == product->second)
      sums_[in[1]] = part->component;
  }

  const Part *partOf(uint32_t id) const {
    const auto part = parts_.find(id);
    return part == parts_.end() ? nullptr : &part->second;
  }
  bool isLong(uint32_t type) const { return isInteger(type, 64); }
  bool isInt(uint32_t type) const { return isInteger(type, 32); }
  bool isInteger(uint32_t type, uint32_t bits) const {
    const auto known = integers_.find(bits);
    return known != integers_.end() && known->second == type;
  }

  void addDeclarations() override {
    if (!sums_.empty())
      vector_ = vectorOf(integer(64), 3);
  }

  void write(const Instruction &in) override {
    switch (in.op()) {
    case spv::OpEntryPoint: writeEntryPoint(in); return;
    case spv::OpDecorate: // that the sum does not wrap
      if (!sums_.contains(in[0]))
        append(in);
      return;
    case spv::OpBitwiseAnd:
      if (masks_.contains(operand(in, 3)) && partOf(in[2]))
        emit(in.op(), {in[0], in[1], in[2], in[2]});
      else
        append(in);
      return;
    case spv::OpIAdd:
      if (const auto sum = sums_.find(operand(in, 1)); sum != sums_.end())
        return writeSum(in, sum->second);
      append(in);
      return;
    default: append(in);
    }
  }

  void writeSum(const Instruction &in, uint32_t component) {
    const uint32_t whole = value(spv::OpLoad, vector_, {variables_.at(spv::BuiltInGlobalInvocationId)});
    if (isLong(in[0])) {
      emit(spv::OpCompositeExtract, {in[0], in[1], whole, component});
      return;
    }
    const uint32_t index = value(spv::OpCompositeExtract, integer(64), {whole, component});
    emit(spv::OpUConvert, {in[0], in[1], index});
  }

  std::unordered_map<uint32_t, uint32_t> builtIns_, loads_; // by variable, by value
  std::set<uint32_t> masks_;                                // constants: the lower 32 bits of 64
  std::unordered_map<uint32_t, Part> parts_;
  std::unordered_map<uint32_t, uint32_t> products_, sums_; // the component, by result
  uint32_t vector_ = 0;
};

} // namespace

SimpleIndices simplifyIndices(std::span<const std::byte> module, bool joins) { return IndexStage(module, joins).run(); }

} // namespace hiplz::opencl
