// SPDX-License-Identifier: MIT
// See variable_block.h. One walk collects what the module has, the next one writes it anew. In each function that uses a variable, the
// first block computes its address from that of the block; constants that contain addresses of variables are computed there too.
#include "opencl/variable_block.h"
#include "opencl/initial_values.h"
#include "spirv/writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

namespace hiplz::opencl {
namespace {

using spirv::Instruction;
using spirv::operand;

/// Instructions that may stand in front of the first one that computes something.
bool isPrelude(spv::Op op) {
  return op == spv::OpVariable || op == spv::OpLine || op == spv::OpNoLine || op == spv::OpExtInst;
}

class Lowering : spirv::WordWriter {
public:
  explicit Lowering(std::span<const std::byte> module) : words_(module), values_(words_) {
    takeHeader(words_);
    forEach([this](const Instruction &in) { look(in); });
  }

  LoweredModule run(std::span<const std::byte> module) {
    if (values_.variables().empty())
      return {{module.begin(), module.end()}, {}};
    findUsers();
    block_ = values_.layOut();
    for (const auto &[name, function] : kernels_)
      if (functions_[function].takesBlock)
        block_.kernels.insert(name);
    forEach([this](const Instruction &in) { write(in); });
    return {finish(), std::move(block_)};
  }

private:
  struct Function {
    uint32_t result = 0, type = 0;
    std::set<uint32_t> used; // variables and constants with addresses of variables
    std::set<uint32_t> callees;
    bool takesBlock = false;
    uint32_t loweredType = 0;
  };

  template <class Visit> void forEach(Visit visit) { spirv::forEachInstruction(words_, visit); }

  // Reading.

  void look(const Instruction &in) {
    if (!function_)
      values_.read(in);
    switch (in.op()) {
    case spv::OpCapability: capabilities_.insert(operand(in, 0)); return;
    case spv::OpEntryPoint:
      if (const auto name = in.literal(2))
        kernels_.emplace_back(std::string(name->text), operand(in, 1));
      return;
    case spv::OpTypeInt: integers_[operand(in, 1)] = in[0]; return;
    case spv::OpTypePointer: pointers_[{operand(in, 1), operand(in, 2)}] = in[0]; return;
    case spv::OpTypeFunction: functionTypes_.emplace(operandsFrom(in, 1), operand(in, 0)); return;
    case spv::OpFunction:
      function_ = operand(in, 1);
      functions_[function_].result = operand(in, 0);
      functions_[function_].type = operand(in, 3);
      return;
    case spv::OpFunctionEnd: function_ = 0; return;
    case spv::OpFunctionCall: functions_[function_].callees.insert(operand(in, 2)); break;
    default: break;
    }
    if (!function_)
      return;
    spirv::forEachReference(in, [&](uint32_t id) {
      if (!values_.hasAddress(id))
        return;
      functions_[function_].used.insert(id);
      if (in.op() == spv::OpVariable)
        throw ParseError("a variable of a function begins with the address of one of the program");
    });
  }

  static std::vector<uint32_t> operandsFrom(const Instruction &in, size_t first) {
    std::vector<uint32_t> operands;
    for (size_t index = first; index < in.operands(); ++index)
      operands.push_back(in[index]);
    return operands;
  }

  /// Functions that use variables, or call others that do.
  void findUsers() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[id, function] : functions_)
        if (!function.takesBlock &&
            (!function.used.empty() || std::ranges::any_of(function.callees, [&](uint32_t callee) {
              const auto entry = functions_.find(callee);
              return entry != functions_.end() && entry->second.takesBlock;
            })))
          changed = function.takesBlock = true;
    }
  }

  // Writing.

  bool isGone(uint32_t id) const { return values_.hasAddress(id); }

  void write(const Instruction &in) {
    if (inHead() && in.op() == spv::OpFunction) {
      declareTypes();
      out_ = &body_;
    }
    if (inHead())
      writeDeclaration(in);
    else
      writeInFunction(in);
  }

  void writeDeclaration(const Instruction &in) {
    if (!hasCapabilities_ && in.op() != spv::OpCapability) {
      for (uint32_t needed : {uint32_t{spv::CapabilityInt8}, uint32_t{spv::CapabilityInt64}})
        if (!capabilities_.contains(needed))
          emit(spv::OpCapability, {needed});
      hasCapabilities_ = true;
    }
    switch (in.op()) {
    case spv::OpName:
    case spv::OpDecorate:
    case spv::OpDecorateId:
    case spv::OpDecorateString:
      if (!isGone(operand(in, 0)))
        append(in);
      return;
    case spv::OpGroupDecorate: return writeWithout(in, 1);
    case spv::OpEntryPoint: {
      const auto name = in.literal(2);
      return writeWithout(in, name ? name->next : in.operands());
    }
    case spv::OpExtInst: return writeDebug(in);
    default:
      if (const int result = spirv::resultOperand(in.op());
          result >= 0 && isGone(operand(in, static_cast<size_t>(result))))
        return;
      spirv::forEachReference(in, [&](uint32_t id) {
        if (isGone(id))
          throw ParseError("the address of a program-scope variable is used in a place where it must be constant");
      });
      append(in);
    }
  }

  /// The instruction without operands from `first` on that are gone.
  void writeWithout(const Instruction &in, size_t first) {
    std::vector<uint32_t> operands;
    for (size_t index = 0; index < in.operands(); ++index)
      if (index < first || !isGone(in[index]))
        operands.push_back(in[index]);
    emit(in.op(), {}, operands);
  }

  /// Descriptions of the source outside of functions say that there is nothing in the place of a variable.
  void writeDebug(const Instruction &in) {
    std::vector<uint32_t> operands = operandsFrom(in, 0);
    for (size_t index = 4; index < operands.size(); ++index)
      if (isGone(operands[index])) {
        constexpr uint32_t kDebugInfoNone = 0;
        if (!nothing_)
          emit(spv::OpExtInst, {in[0], nothing_ = fresh(), in[2], kDebugInfoNone});
        operands[index] = nothing_;
      }
    emit(in.op(), {}, operands);
  }

  void declareTypes() {
    const auto integer = [this](uint32_t bits) {
      uint32_t &type = integers_[bits];
      if (!type)
        emit(spv::OpTypeInt, {type = fresh(), bits, 0});
      return type;
    };
    const uint32_t byte = integer(8);
    long_ = integer(64);
    uint32_t &pointer = pointers_[{spv::StorageClassCrossWorkgroup, byte}];
    if (!pointer)
      emit(spv::OpTypePointer, {pointer = fresh(), spv::StorageClassCrossWorkgroup, byte});
    bytePointer_ = pointer;
    for (auto &[id, function] : functions_) {
      if (!function.takesBlock)
        continue;
      const auto known =
          std::ranges::find(functionTypes_, function.type, [](const auto &entry) { return entry.second; });
      if (known == functionTypes_.end())
        throw ParseError("the SPIR-V is malformed: a function's type is not declared");
      std::vector<uint32_t> types = known->first;
      types.push_back(bytePointer_);
      const auto [entry, isNew] = functionTypes_.emplace(types, 0);
      if (isNew)
        emit(spv::OpTypeFunction, {entry->second = fresh()}, types);
      function.loweredType = entry->second;
    }
    for (const auto &[id, offset] : values_.offsets())
      if (uint32_t &constant = offsets_[offset]; offset && !constant)
        emit(spv::OpConstant,
             {long_, constant = fresh(), static_cast<uint32_t>(offset), static_cast<uint32_t>(offset >> 32)});
  }

  void writeInFunction(const Instruction &in) {
    switch (in.op()) {
    case spv::OpFunction:
      current_ = &functions_.at(operand(in, 1));
      renamed_.clear();
      isOpen_ = current_->takesBlock;
      isBegun_ = false;
      if (!isOpen_)
        break;
      emit(in.op(), {operand(in, 0), operand(in, 1), operand(in, 2), current_->loweredType});
      return;
    case spv::OpLabel:
      if (isOpen_ && !isBegun_) {
        emit(spv::OpFunctionParameter, {bytePointer_, base_ = fresh()});
        isBegun_ = true;
      }
      break;
    default:
      if (isOpen_ && isBegun_ && !isPrelude(in.op())) {
        computeAddresses();
        isOpen_ = false;
      }
    }
    writeRenamed(in);
  }

  void writeRenamed(const Instruction &in) {
    std::vector<uint32_t> operands = operandsFrom(in, 0);
    if (current_->takesBlock)
      for (size_t index = 0; index < operands.size(); ++index)
        if (spirv::isReference(in, index))
          if (const auto other = renamed_.find(operands[index]); other != renamed_.end())
            operands[index] = other->second;
    if (in.op() == spv::OpFunctionCall)
      if (const auto callee = functions_.find(operand(in, 2)); callee != functions_.end() && callee->second.takesBlock)
        operands.push_back(base_);
    emit(in.op(), {}, operands);
  }

  /// Into the function's first block.
  void computeAddresses() {
    for (uint32_t id : current_->used)
      compute(id);
  }

  uint32_t compute(uint32_t id) {
    if (!values_.hasAddress(id))
      return id;
    if (const auto known = renamed_.find(id); known != renamed_.end())
      return known->second;
    const Instruction in(words_, values_.definition(id));
    uint32_t result = 0;
    if (in.op() == spv::OpVariable) {
      uint32_t place = base_;
      if (const uint64_t offset = values_.offsets().at(id))
        emit(spv::OpInBoundsPtrAccessChain, {bytePointer_, place = fresh(), base_, offsets_.at(offset)});
      result = place;
      if (in[0] != bytePointer_)
        emit(spv::OpBitcast, {in[0], result = fresh(), place});
    } else {
      // A constant by an instruction has that one's operands behind its number.
      const bool isOperation = in.op() == spv::OpSpecConstantOp;
      std::vector<uint32_t> operands;
      for (size_t index = isOperation ? 3 : 2; index < in.operands(); ++index)
        operands.push_back(spirv::isReference(in, index) ? compute(in[index]) : in[index]);
      emit(isOperation ? static_cast<spv::Op>(operand(in, 2)) : spv::OpCompositeConstruct, {in[0], result = fresh()},
           operands);
    }
    return renamed_[id] = result;
  }

  const spirv::Words words_;
  InitialValues values_;
  VariableBlock block_;
  std::set<uint32_t> capabilities_;
  std::vector<std::pair<std::string, uint32_t>> kernels_;
  std::map<uint32_t, uint32_t> integers_; // types, by bits
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> pointers_;
  std::map<std::vector<uint32_t>, uint32_t> functionTypes_; // by result and parameters
  std::map<uint32_t, Function> functions_;
  uint32_t function_ = 0; // that is being read

  bool hasCapabilities_ = false;
  uint32_t nothing_ = 0; // DebugInfoNone
  uint32_t long_ = 0, bytePointer_ = 0;
  std::map<uint64_t, uint32_t> offsets_; // constants
  Function *current_ = nullptr;
  bool isOpen_ = false, isBegun_ = false; // addresses are still to be computed; the first block has begun
  uint32_t base_ = 0;                     // the parameter
  std::map<uint32_t, uint32_t> renamed_;
};

} // namespace

LoweredModule lowerVariables(std::span<const std::byte> module) { return Lowering(module).run(module); }

} // namespace hiplz::opencl
