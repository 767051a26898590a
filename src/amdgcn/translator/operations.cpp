// SPDX-License-Identifier: MIT
// See operations.h: the tables put together, and how a row's signature becomes reads and writes.
#include "amdgcn/translator/operations.h"
#include "amdgcn/translator/checked_operations.h"
#include "amdgcn/translator/float_values.h"
#include "base/llvm_compat.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

struct Rows {
  StringMap<const ValueRow *> values;
  StringMap<const ActionRow *> actions;

  Rows() {
    for (ArrayRef<ValueRow> table : {scalarRows(), integerRows(), halfRows(), floatRows()})
      for (const ValueRow &row : table)
        values[row.name] = &row;
    for (ArrayRef<ActionRow> table : {scalarActions(), vectorActions(), laneActions(), divisionActions()})
      for (const ActionRow &row : table)
        actions[row.name] = &row;
  }
};

const Rows &rows() {
  static const Rows all;
  return all;
}

Value *readOne(Wave &w, const Instruction &i, StringRef type, unsigned operand, bool isVector) {
  if (operand >= i.operands.size())
    w.refuse("it has fewer operands than expected");
  const bool isFloat = type.consume_front("f");
  if (type == "m")
    return w.toMask(w.readMask(i.operands[operand]));
  unsigned width = 0;
  if (type.getAsInteger(10, width))
    w.refuse("its row is wrong");
  Value *value = isVector ? w.readVector(operand, width, isFloat) : w.readScalar(i.operands[operand], width, isFloat);
  return isFloat ? floatOf(w, value) : value;
}

void emitValue(Wave &w, const Instruction &i, const ValueRow &row) {
  const bool isVector = row.name[0] == 'v';
  auto [result, sources] = StringRef(row.signature).split('=');
  SmallVector<Value *, 4> in;
  unsigned next = result.empty() ? 0 : 1;
  while (!sources.empty()) {
    StringRef type;
    std::tie(type, sources) = sources.split(',');
    if (type.consume_front("d"))
      in.push_back(readOne(w, i, type, 0, isVector));
    else
      in.push_back(readOne(w, i, type, next++, isVector));
  }
  const bool testsResult = result.consume_back("!");
  result.consume_back("+");
  const bool isFloat = startsWith(result, "f");
  if (!isFloat)
    w.refuseModifier("clamp");
  Value *value = row.compute(w, in.data());
  if (result.empty())
    return;
  if (isVector) {
    if (isFloat)
      value = floatResult(w, value, result == "f16" ? 16 : result == "f32" ? 32 : 64);
    w.writeVector(0, value);
    return;
  }
  w.writeScalar(i.operands[0], value);
  if (testsResult)
    w.setScc(w.b.CreateICmpNE(value, w.constant(value, 0)));
}

bool isFamily(StringRef name) {
  for (const char *prefix : {"v_cmp", "ds_", "global_", "flat_", "scratch_", "buffer_", "tbuffer_"})
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
    return names;
  }();
  return checked.contains(name);
}

} // namespace

void emitOperation(Wave &w, const Instruction &i) {
  w.begin(i);
  if (!isChecked(i.name))
    w.refuse("it is not implemented");
  // The hardware ignores the first two in IEEE mode; packed operations have the next three.
  for (const char *modifier : {"mul", "div", "op_sel_hi", "neg_lo", "neg_hi", "lds", "gds", "tfe"})
    w.refuseModifier(modifier);
  if (auto row = rows().values.find(i.name); row != rows().values.end())
    return emitValue(w, i, *row->second);
  if (auto row = rows().actions.find(i.name); row != rows().actions.end())
    return row->second->emit(w, i);
  if (isFamily(i.name) &&
      (emitComparison(w, i) || emitLocalMemory(w, i) || emitGlobalMemory(w, i) || emitBufferMemory(w, i)))
    return;
  w.refuse("it is not implemented");
}

} // namespace hiplz::amdgcn
