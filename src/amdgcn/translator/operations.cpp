// SPDX-License-Identifier: MIT
// See operations.h: the tables put together, and how a row's signature becomes reads and writes.
#include "amdgcn/translator/operations.h"
#include "amdgcn/translator/checked_operations.h"
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/rounding.h"
#include "base/llvm_compat.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

struct Rows {
  StringMap<const ValueRow *> values;
  StringMap<const ValueRow *> packed; // what each half does
  StringMap<const ActionRow *> actions;

  Rows() {
    for (ArrayRef<ValueRow> table : {scalarRows(), integerRows(), halfRows(), floatRows(), generation11Rows()})
      for (const ValueRow &row : table)
        values[row.name] = &row;
    for (const PackedRow &row : packedRows())
      packed[row.name] = values.lookup(row.half);
    for (ArrayRef<ActionRow> table : {scalarActions(), vectorActions(), laneActions(), divisionActions(),
                                      mixedActions(), indexedRegisterActions(), byteActions(), generation11Actions()})
      for (const ActionRow &row : table)
        actions[row.name] = &row;
  }
};

const Rows &rows() {
  static const Rows all;
  return all;
}

/// A type in a signature.
struct OperandType {
  bool isMask = false, isFloat = false, saturates = false, isSigned = false, isResult = false;
  unsigned width = 0;

  explicit OperandType(StringRef text) {
    isResult = text.consume_front("d");
    isMask = text == "m";
    isFloat = text.consume_front("f");
    isSigned = text.consume_front("i");
    saturates = isSigned || text.consume_front("u");
    if (!isMask && text.getAsInteger(10, width))
      Wave::refuse("its row is wrong");
  }
};

/// The types of a row's operands in the order of the signature, and of its result.
struct Signature {
  StringRef result;
  SmallVector<OperandType, 4> operands;
  bool testsResult;

  explicit Signature(const ValueRow &row) {
    StringRef sources;
    std::tie(result, sources) = StringRef(row.signature).split('=');
    while (!sources.empty()) {
      StringRef type;
      std::tie(type, sources) = sources.split(',');
      operands.emplace_back(type);
    }
    testsResult = result.consume_back("!");
    result.consume_back("+");
  }
};

Value *readOne(Wave &w, const Instruction &i, const OperandType &type, unsigned operand, bool isVector) {
  if (operand >= i.operands.size())
    w.refuse("it has fewer operands than expected");
  if (type.isMask)
    return w.toMask(w.readMask(i.operands[operand]));
  Value *value = isVector ? w.readVector(operand, type.width, type.isFloat)
                          : w.readScalar(i.operands[operand], type.width, type.isFloat);
  return type.isFloat ? floatOf(w, value) : value;
}

// Computed in 64 bits, from operands that are extended by their signs, and brought into the range of the result.
Value *saturated(Wave &w, const ValueRow &row, const Signature &signature, ArrayRef<Value *> in) {
  const OperandType type(signature.result);
  Type *wide = w.vectorOf(w.i64);
  SmallVector<Value *, 4> extended;
  for (size_t n = 0; n < in.size(); ++n)
    extended.push_back(signature.operands[n].isSigned ? w.b.CreateSExt(in[n], wide) : w.b.CreateZExt(in[n], wide));
  Value *value = row.compute(w, extended.data());
  const int64_t most = (int64_t{1} << (type.width - type.isSigned)) - 1, least = type.isSigned ? -most - 1 : 0;
  Value *low = w.vector64(static_cast<uint64_t>(least)), *high = w.vector64(static_cast<uint64_t>(most));
  value = w.b.CreateSelect(w.b.CreateICmpSLT(value, low), low, value);
  value = w.b.CreateSelect(w.b.CreateICmpSGT(value, high), high, value);
  return w.b.CreateTrunc(value, w.vectorOf(w.b.getIntNTy(type.width)));
}

/// The result of a vector operation as it is written.
Value *vectorResult(Wave &w, const ValueRow &row, const Signature &signature, ArrayRef<Value *> in) {
  const OperandType type(signature.result);
  if (type.isFloat && dependsOnRounding(row.name))
    return floatResult(w, rounded(w, row.name, type.width, in, [&](Value *const *of) { return row.compute(w, of); }),
                       type.width);
  if (type.isFloat)
    return floatResult(w, row.compute(w, in.data()), type.width);
  if (w.at().has("clamp") && type.saturates)
    return saturated(w, row, signature, in);
  w.refuseModifier("clamp");
  return row.compute(w, in.data());
}

/// Refuses op_sel for what has no halves.
void checkHalves(Wave &w, const Instruction &i, const Signature &signature) {
  if (!i.has("op_sel"))
    return;
  unsigned next = 0;
  for (const OperandType &type : signature.operands)
    if (!type.isResult && i.element("op_sel", next++) != 0 && type.width != 16)
      w.refuseModifier("op_sel");
  if (i.element("op_sel", static_cast<unsigned>(i.operands.size()) - 1) != 0 &&
      OperandType(signature.result).width != 16)
    w.refuseModifier("op_sel");
}

void emitValue(Wave &w, const Instruction &i, const ValueRow &row) {
  const bool isVector = row.name[0] == 'v';
  const Signature signature(row);
  if (isVector)
    checkHalves(w, i, signature);
  SmallVector<Value *, 4> in;
  unsigned next = signature.result.empty() ? 0 : 1;
  for (const OperandType &type : signature.operands)
    in.push_back(readOne(w, i, type, type.isResult ? 0 : next++, isVector));
  if (isVector)
    return w.writeVector(0, vectorResult(w, row, signature, in));
  Value *value = row.compute(w, in.data());
  if (signature.result.empty())
    return;
  w.writeScalar(i.operands[0], value);
  if (signature.testsResult)
    w.setScc(w.b.CreateICmpNE(value, w.constant(value, 0)));
}

/// Of operations that read their operands in another way.
void refuseOtherLanes(Wave &w, const Instruction &i) {
  if (i.encoding == Encoding::dpp || i.encoding == Encoding::dpp8)
    w.refuse("it is not implemented with operands of other lanes (DPP)");
}

void emitPacked(Wave &w, const Instruction &i, const ValueRow &row) {
  refuseOtherLanes(w, i);
  const Signature signature(row);
  Value *halves[2];
  for (const unsigned half : {0u, 1u}) {
    SmallVector<Value *, 4> in;
    unsigned next = 1;
    for (const OperandType &type : signature.operands) {
      const unsigned operand = type.isResult ? 0 : next++;
      if (operand >= i.operands.size())
        w.refuse("it has fewer operands than expected");
      Value *value = w.readHalf(operand, half, type.isFloat);
      in.push_back(type.isFloat ? floatOf(w, value) : value);
    }
    Value *result = vectorResult(w, row, signature, in);
    halves[half] = w.b.CreateZExt(w.b.CreateBitCast(result, w.vectorOf(w.i16)), w.vectorOf(w.i32));
  }
  w.writeVector(0, w.b.CreateOr(halves[0], w.b.CreateShl(halves[1], w.vector(16))));
}

/// True if the result is a number, which an output modifier may change.
bool hasNumber(const ValueRow &row) { return row.signature[0] == 'f'; }

bool isFamily(StringRef name) {
  for (const char *prefix : {"v_cmp", "ds_", "global_", "flat_", "scratch_", "buffer_", "tbuffer_", "image_"})
    if (startsWith(name, prefix))
      return true;
  return false;
}

bool isChecked(StringRef name) {
  static const StringSet<> checked = [] {
    StringSet<> names;
    for (const char *each : kCheckedOperations)
      names.insert(each);
    for (const char *each : kCheckedByPrograms)
      names.insert(each);
    for (const char *each : kCheckedOfGeneration11)
      names.insert(each);
    return names;
  }();
  return checked.contains(name);
}

} // namespace

void emitOperation(Wave &w, const Instruction &i) {
  if (!i.pair.empty()) {
    w.holdWrites();
    for (const Instruction &part : i.pair)
      emitOperation(w, part);
    return w.releaseWrites();
  }
  w.begin(i);
  if (!isChecked(i.name))
    w.refuse("it is not implemented");
  for (const char *modifier : {"lds", "tfe"})
    w.refuseModifier(modifier);
  if (!startsWith(i.name, "ds_gws_"))
    w.refuseModifier("gds");
  if (auto row = rows().values.find(i.name); row == rows().values.end() || !hasNumber(*row->second))
    for (const char *modifier : {"mul", "div"})
      w.refuseModifier(modifier);
  if (auto row = rows().packed.find(i.name); row != rows().packed.end())
    return emitPacked(w, i, *row->second);
  if (!startsWith(i.name, "v_fma_mix") && !StringRef(i.name).contains("_iu"))
    for (const char *modifier : {"op_sel_hi", "neg_lo", "neg_hi"})
      w.refuseModifier(modifier);
  if (auto row = rows().values.find(i.name); row != rows().values.end())
    return emitValue(w, i, *row->second);
  if (startsWith(i.name, "v_fma_mix") || startsWith(i.name, "v_dot"))
    refuseOtherLanes(w, i);
  else if (!StringRef(i.name).contains("16"))
    w.refuseModifier("op_sel");
  if (auto row = rows().actions.find(i.name); row != rows().actions.end())
    return row->second->emit(w, i);
  if (isFamily(i.name) && (emitComparison(w, i) || emitLocalMemory(w, i) || emitGlobalMemory(w, i) ||
                           emitBufferMemory(w, i) || emitImage(w, i)))
    return;
  w.refuse("it is not implemented");
}

} // namespace hiplz::amdgcn
