// SPDX-License-Identifier: MIT
// Registers whose numbers are computed: the operand's number and M0 added. The compiler keeps small arrays in registers and reads
// them this way. A register is a variable of its own here, so the number chooses among the kernel's registers. Beyond the last one
// nothing is written, and reads give the first vector register, or 0.
#include "amdgcn/translator/operations.h"
#include "base/llvm_compat.h"

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;

/// Goes through the registers from `first` on, so that `access` is executed for the one that M0 selects, and returns what it gives, or
/// `otherwise` beyond the last one.
template <class Access>
Value *select(Wave &w, unsigned first, unsigned count, unsigned step, Value *otherwise, Access access) {
  Function *function = w.b.GetInsertBlock()->getParent();
  auto block = [&](const Twine &name) { return BasicBlock::Create(w.b.getContext(), name, function); };
  BasicBlock *done = block("selected"), *before = w.b.GetInsertBlock();
  SwitchInst *choice = w.b.CreateSwitch(w.scalarRegister(kM0), done);
  SmallVector<std::pair<Value *, BasicBlock *>, 32> results{{otherwise, before}};
  for (unsigned number = first; number + step <= count; ++number) {
    BasicBlock *one = block("register");
    choice->addCase(w.b.getInt32(number - first), one);
    w.b.SetInsertPoint(one);
    Value *result = access(number);
    results.emplace_back(result, w.b.GetInsertBlock());
    w.b.CreateBr(done);
  }
  w.b.SetInsertPoint(done);
  if (!otherwise)
    return nullptr;
  PHINode *all = w.b.CreatePHI(otherwise->getType(), static_cast<unsigned>(results.size()));
  for (const auto &[result, from] : results)
    all->addIncoming(result, from);
  return all;
}

constexpr unsigned kScalarGeneral = 106; // behind them is VCC

void readVectorRegister(Wave &w, I i) {
  if (!i.operands[1].isVector())
    w.refuse("a vector operand is expected");
  w.writeVector(0, select(w, i.operands[1].index, w.around.vectorRegisters, 1, w.vectorRegister(0),
                          [&](unsigned number) { return w.vectorRegister(number); }));
}

void writeVectorRegister(Wave &w, I i) {
  Value *value = w.readVector(1, 32);
  w.lanes(); // of all the branches
  select(w, i.operands[0].index, w.around.vectorRegisters, 1, nullptr, [&](unsigned number) -> Value * {
    w.setVectorRegister(number, value);
    return nullptr;
  });
}

void readScalarRegister(Wave &w, I i, unsigned width) {
  Operand source = i.operands[1];
  if (source.kind != Operand::Kind::scalar)
    w.refuse("a scalar operand is expected");
  w.writeScalar(i.operands[0],
                select(w, source.index, kScalarGeneral, width / 32, w.b.getIntN(width, 0), [&](unsigned number) {
                  source.index = static_cast<uint16_t>(number);
                  return w.readScalar(source, width);
                }));
}

void writeScalarRegister(Wave &w, I i, unsigned width) {
  Value *value = w.readScalar(i.operands[1], width);
  Operand result = i.operands[0];
  if (result.kind != Operand::Kind::scalar)
    w.refuse("a scalar result is expected");
  select(w, result.index, kScalarGeneral, width / 32, nullptr, [&](unsigned number) -> Value * {
    result.index = static_cast<uint16_t>(number);
    w.writeScalar(result, value);
    return nullptr;
  });
}

constexpr ActionRow kIndexedRegisters[] = {
    {"v_movrels_b32", readVectorRegister},
    {"v_movreld_b32", writeVectorRegister},
    {"s_movrels_b32", [](Wave &w, I i) { readScalarRegister(w, i, 32); }},
    {"s_movrels_b64", [](Wave &w, I i) { readScalarRegister(w, i, 64); }},
    {"s_movreld_b32", [](Wave &w, I i) { writeScalarRegister(w, i, 32); }},
    {"s_movreld_b64", [](Wave &w, I i) { writeScalarRegister(w, i, 64); }},
};

} // namespace

ArrayRef<ActionRow> indexedRegisterActions() { return kIndexedRegisters; }

} // namespace hiplz::amdgcn
