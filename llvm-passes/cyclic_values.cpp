// SPDX-License-Identifier: MIT
// In SPIR-V an initial value can only refer to earlier variables. Where initial values form a cycle (two variables that hold
// each other's address, a list that ends in itself), one address in it becomes zero, and a table tells the runtime which one to
// write there when it loads the module (include/hip/spirv/runtime_variables.h).
#include "base/llvm_compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include <hip/spirv/runtime_variables.h>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Operator.h"

#include <optional>

using namespace llvm;

namespace hiplz::passes {

namespace {

/// The variables that \p Root refers to.
SmallSetVector<GlobalVariable *, 4> variablesIn(Constant *Root) {
  SmallSetVector<GlobalVariable *, 4> Variables;
  SmallPtrSet<const Constant *, 16> Seen{Root};
  SmallVector<Constant *, 16> Work{Root};
  while (!Work.empty()) {
    Constant *Next = Work.pop_back_val();
    if (auto *Variable = dyn_cast<GlobalVariable>(Next))
      Variables.insert(Variable);
    else if (!isa<GlobalValue>(Next))
      for (Use &Operand : Next->operands())
        if (auto *C = cast<Constant>(Operand.get()); Seen.insert(C).second)
          Work.push_back(C);
  }
  return Variables;
}

/// An address that is known when the program is linked.
struct Address {
  GlobalVariable *Variable;
  int64_t Offset;
};

/// The object that \p C is the address of, as 64 bits.
std::optional<Address> addressOf(const Constant *C, const DataLayout &Layout) {
  if (auto *Variable = dyn_cast<GlobalVariable>(C))
    return Address{const_cast<GlobalVariable *>(Variable), 0};
  auto *Expression = dyn_cast<ConstantExpr>(C);
  if (!Expression || Layout.getTypeSizeInBits(C->getType()) != 64)
    return std::nullopt;
  const Constant *First = Expression->getOperand(0);
  const Constant *Second = Expression->getNumOperands() == 2 ? Expression->getOperand(1) : nullptr;
  auto plus = [&](std::optional<Address> From, int64_t Offset) {
    if (From)
      From->Offset += Offset;
    return From;
  };
  switch (Expression->getOpcode()) {
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast: // between global and generic, which have one representation
  case Instruction::PtrToInt:
  case Instruction::IntToPtr: return addressOf(First, Layout);
  case Instruction::GetElementPtr: {
    APInt Offset(64, 0);
    if (!cast<GEPOperator>(Expression)->accumulateConstantOffset(Layout, Offset))
      return std::nullopt;
    return plus(addressOf(First, Layout), Offset.getSExtValue());
  }
  case Instruction::Add:
    if (auto *Offset = dyn_cast<ConstantInt>(Second))
      return plus(addressOf(First, Layout), Offset->getSExtValue());
    if (auto *Offset = dyn_cast<ConstantInt>(First))
      return plus(addressOf(Second, Layout), Offset->getSExtValue());
    return std::nullopt;
  case Instruction::Sub:
    if (auto *Offset = dyn_cast<ConstantInt>(Second))
      return plus(addressOf(First, Layout), -Offset->getSExtValue());
    return std::nullopt;
  default: return std::nullopt;
  }
}

class CyclicValues {
public:
  explicit CyclicValues(Module &M) : M(M), Layout(M.getDataLayout()) {}

  bool run() {
    findCycles();
    for (auto [Variable, Target] : Closing)
      open(*Variable, *Target);
    for (GlobalVariable &G : M.globals())
      G.setMetadata(kPlace, nullptr);
    if (!Rows.empty())
      addTable();
    return !Rows.empty();
  }

private:
  /// Visits the variables in depth, with an explicit path, because lists can be long; a variable that is met again on the path
  /// closes a cycle.
  void findCycles() {
    struct Step {
      GlobalVariable *Variable;
      SmallVector<GlobalVariable *, 4> Left;
    };
    DenseMap<const GlobalVariable *, bool> OnPath; // false: done
    for (GlobalVariable &Root : M.globals()) {
      SmallVector<Step, 8> Path;
      auto Enter = [&](GlobalVariable *G) {
        if (auto [Known, New] = OnPath.try_emplace(G, true); !New) {
          if (Known->second)
            Closing.push_back({Path.back().Variable, G});
          return;
        }
        Path.push_back({G, {}});
        if (G->hasInitializer())
          Path.back().Left = SmallVector<GlobalVariable *, 4>(variablesIn(G->getInitializer()).takeVector());
      };
      Enter(&Root);
      while (!Path.empty())
        if (Path.back().Left.empty())
          OnPath[Path.pop_back_val().Variable] = false;
        else
          Enter(Path.back().Left.pop_back_val());
    }
  }

  /// Takes the addresses of \p Target out of the initial value of \p Variable.
  void open(GlobalVariable &Variable, GlobalVariable &Target) {
    bool Possible = true;
    Constant *Value = without(Variable.getInitializer(), Variable, Target, 0, Possible);
    if (!Possible)
      return report(Variable);
    Variable.setInitializer(Value);
    // The host writes it.
    Variable.setConstant(false);
    Variable.setExternallyInitialized(true);
    if (Variable.hasLocalLinkage()) {
      Variable.setName(std::string(__hiplz::addressesVariable) + ".in." + std::to_string(Rows.size()));
      Variable.setLinkage(GlobalValue::ExternalLinkage);
      Variable.setDSOLocal(false);
    }
  }

  /// \p Value, which lies at \p Offset in \p Variable, with zeros for the addresses of \p Target, which become rows of the table.
  Constant *without(Constant *Value, GlobalVariable &Variable, GlobalVariable &Target, uint64_t Offset,
                    bool &Possible) {
    if (!variablesIn(Value).contains(&Target))
      return Value;
    if (!isa<ConstantAggregate>(Value)) {
      const std::optional<Address> To = addressOf(Value, Layout);
      if (!To || Layout.getTypeSizeInBits(Value->getType()) != 64)
        return Possible = false, Value;
      Rows.push_back({{&Variable, static_cast<int64_t>(Offset)}, *To});
      return Constant::getNullValue(Value->getType());
    }
    SmallVector<Constant *, 8> Parts;
    auto *Struct = dyn_cast<StructType>(Value->getType());
    const uint64_t Step = Struct ? 0 : Layout.getTypeAllocSize(Value->getType()->getContainedType(0));
    for (unsigned I = 0; I < Value->getNumOperands(); ++I) {
      const uint64_t At = Struct ? uint64_t(Layout.getStructLayout(Struct)->getElementOffset(I)) : I * Step;
      Parts.push_back(without(cast<Constant>(Value->getOperand(I)), Variable, Target, Offset + At, Possible));
    }
    if (Struct)
      return ConstantStruct::get(Struct, Parts);
    if (auto *Array = dyn_cast<ArrayType>(Value->getType()))
      return ConstantArray::get(Array, Parts);
    return ConstantVector::get(Parts);
  }

  /// An array of { variable, offset in it, variable whose address goes there, offset to add }.
  void addTable() {
    LLVMContext &C = M.getContext();
    Type *Pointer = pointerTo(Type::getInt8Ty(C), kGlobal), *Number = Type::getInt64Ty(C);
    auto *Row = StructType::get(C, {Pointer, Number, Pointer, Number});
    SmallVector<Constant *, 8> Values;
    auto pointer = [&](GlobalVariable *To) { return ConstantExpr::getPointerBitCastOrAddrSpaceCast(To, Pointer); };
    auto number = [&](int64_t N) { return ConstantInt::get(Number, static_cast<uint64_t>(N)); };
    for (const auto &[Place, To] : Rows)
      Values.push_back(ConstantStruct::get(
          Row, {pointer(Place.Variable), number(Place.Offset), pointer(To.Variable), number(To.Offset)}));
    auto *Type = ArrayType::get(Row, Values.size());
    auto *Table = new GlobalVariable(M, Type, false, GlobalValue::ExternalLinkage, ConstantArray::get(Type, Values),
                                     __hiplz::addressesVariable, nullptr, GlobalValue::NotThreadLocal, kGlobal, true);
    Table->setAlignment(Align(8));
  }

  /// At the place of the variable; clang records none for those in functions, so there it is that of a use.
  void report(const GlobalVariable &G) {
    const std::string Text =
        "the initial value of '" + demangled(G.getName()) +
        "' refers to the variable itself, directly or through others, by a number that is computed from an address, "
        "which is not supported on the device: have a kernel or the host set it";
    const Instruction *Use = nullptr;
    if (const MDNode *Place = G.getMetadata(kPlace))
      Errors.error(Text, cast<MDString>(Place->getOperand(0))->getString());
    else if ((Use = findUse(G)))
      Errors.error(*Use, Text);
    else
      Errors.error(Text);
  }

  /// An instruction with a line that uses the variable, also in an expression; null if there is none.
  static const Instruction *findUse(const GlobalVariable &G) {
    SmallPtrSet<const User *, 16> Seen;
    SmallVector<const User *, 16> Work(G.user_begin(), G.user_end());
    while (!Work.empty()) {
      const User *Next = Work.pop_back_val();
      if (auto *I = dyn_cast<Instruction>(Next); I && I->getDebugLoc())
        return I;
      if (isa<Constant>(Next) && !isa<GlobalValue>(Next) && Seen.insert(Next).second)
        Work.append(Next->user_begin(), Next->user_end());
    }
    return nullptr;
  }

  Module &M;
  const DataLayout &Layout;
  Diagnostics Errors;
  SmallVector<std::pair<GlobalVariable *, GlobalVariable *>, 4>
      Closing;                                      // a variable, and one that it must not refer to
  SmallVector<std::pair<Address, Address>, 4> Rows; // a place, and the address to write there
};

} // namespace

PreservedAnalyses CyclicValuesPass::run(Module &M, ModuleAnalysisManager &) {
  return CyclicValues(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
