// SPDX-License-Identifier: MIT
// See module_rewriter.h.
#include "opencl/module_rewriter.h"

namespace hiplz::opencl {

using spirv::operand;

ModuleRewriter::ModuleRewriter(std::span<const std::byte> module) : words_(module) { takeHeader(words_); }

void ModuleRewriter::note(const Instruction &in) {
  switch (in.op()) {
  case spv::OpDecorate:
    if (operand(in, 1) == spv::DecorationBuiltIn)
      variables_[operand(in, 2)] = in[0];
    break;
  case spv::OpTypeBool: bool_ = operand(in, 0); break;
  case spv::OpTypeInt: integers_[operand(in, 1)] = in[0]; break;
  case spv::OpTypeVector: vectors_[{operand(in, 1), operand(in, 2)}] = in[0]; break;
  case spv::OpTypePointer: pointers_[{operand(in, 1), operand(in, 2)}] = in[0]; break;
  default: break;
  }
}

std::vector<std::byte> ModuleRewriter::rewrite() {
  forEach([this](const Instruction &in) {
    chooseSection(in);
    write(in);
  });
  out_ = &body_;
  addFunctions();
  head_.insert(head_.end(), declarations_.begin(), declarations_.end());
  return finish();
}

void ModuleRewriter::chooseSection(const Instruction &in) {
  const bool declares = spirv::isType(in.op()) || in.op() == spv::OpVariable || in.op() == spv::OpUndef ||
                        (in.op() >= spv::OpConstantTrue && in.op() <= spv::OpSpecConstantOp);
  if (inHead() && (declares || in.op() == spv::OpFunction)) {
    for (const auto &[builtIn, variable] : added_) {
      emit(spv::OpDecorate, {variable, spv::DecorationConstant});
      emit(spv::OpDecorate, {variable, spv::DecorationBuiltIn, builtIn});
    }
    out_ = &declarations_;
  }
  if (out_ == &declarations_ && in.op() == spv::OpFunction) {
    for (const auto &[builtIn, variable] : added_) {
      const bool isNumber = builtIn == spv::BuiltInSubgroupId || builtIn == spv::BuiltInSubgroupMaxSize;
      const uint32_t type = isNumber ? integer(32) : vectorOf(integer(64), 3);
      emit(spv::OpVariable, {pointerTo(spv::StorageClassInput, type), variable, spv::StorageClassInput});
    }
    addDeclarations();
    out_ = &body_;
  }
}

void ModuleRewriter::need(spv::BuiltIn builtIn) {
  if (!variables_.contains(builtIn))
    added_[builtIn] = variables_[builtIn] = fresh();
  needed_.insert(variables_[builtIn]);
}

void ModuleRewriter::writeEntryPoint(const Instruction &in) {
  const auto name = in.literal(2);
  if (!name)
    throw ParseError("an entry point has no name");
  std::set<uint32_t> missing = needed_;
  for (size_t at = name->next; at < in.operands(); ++at)
    missing.erase(in[at]);
  append(in);
  out_->insert(out_->end(), missing.begin(), missing.end());
  (*out_)[out_->size() - in.length() - missing.size()] += static_cast<uint32_t>(missing.size() << spv::WordCountShift);
}

uint32_t ModuleRewriter::boolean() {
  if (!bool_)
    emit(spv::OpTypeBool, {bool_ = fresh()});
  return bool_;
}

uint32_t ModuleRewriter::integer(uint32_t bits) {
  uint32_t &type = integers_[bits];
  if (!type)
    emit(spv::OpTypeInt, {type = fresh(), bits, 0});
  return type;
}

uint32_t ModuleRewriter::vectorOf(uint32_t element, uint32_t count) {
  uint32_t &type = vectors_[{element, count}];
  if (!type)
    emit(spv::OpTypeVector, {type = fresh(), element, count});
  return type;
}

uint32_t ModuleRewriter::pointerTo(spv::StorageClass storage, uint32_t type) {
  uint32_t &pointer = pointers_[{storage, type}];
  if (!pointer)
    emit(spv::OpTypePointer, {pointer = fresh(), storage, type});
  return pointer;
}

uint32_t ModuleRewriter::constant(uint32_t type, uint32_t number) {
  const uint32_t id = fresh();
  emit(spv::OpConstant, {type, id, number});
  return id;
}

uint32_t ModuleRewriter::zeroOf(uint32_t type) {
  uint32_t &zero = zeros_[type];
  if (!zero)
    emit(spv::OpConstantNull, {type, zero = fresh()});
  return zero;
}

uint32_t ModuleRewriter::value(spv::Op op, uint32_t type, std::initializer_list<uint32_t> operands) {
  const uint32_t result = fresh();
  emit(op, {type, result}, std::span(operands.begin(), operands.size()));
  return result;
}

} // namespace hiplz::opencl
