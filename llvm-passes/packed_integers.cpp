// SPDX-License-Identifier: MIT
// Clang copies a structure of up to 8 bytes (a float and its index, a __half2) as one integer, which optimisations then take
// apart, and put together, by shifts and truncations. A GPU does these with instructions of their own, while the parts of a
// vector are where they are used. So what is loaded, stored, selected and shifted by whole parts only becomes its parts: memory
// is read and written as vectors, private variables part by part, so that they become values.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/Local.h"

#include <vector>

using namespace llvm;

namespace hiplz::passes {

namespace {

/// Vectors of four are the longest that are worth it.
constexpr unsigned kMaxParts = 4;

unsigned width(const Value *V) {
  auto *Integer = dyn_cast<IntegerType>(V->getType());
  return Integer ? Integer->getBitWidth() : 0;
}

/// Integers of several parts that depend on each other, from what is loaded or put together to what uses their parts.
class Web {
public:
  Web(unsigned PartBits, DenseSet<const Value *> &Seen) : Bits(PartBits), Seen(Seen) {}

  /// Follows the web that \p I is in. False if something in it needs an integer as a whole, or if nothing is won.
  bool collect(Instruction *I) {
    bool Good = add(I);
    for (size_t Next = 0; Next < Members.size(); ++Next) { // all of it, so that it is not tried again from another end
      const bool Defined = define(Members[Next]), Used = use(Members[Next]);
      Good &= Defined && Used;
    }
    return Good && Accesses && Parted;
  }

  /// Replaces the web by parts.
  void split();

private:
  using Parts = SmallVector<Value *, kMaxParts>;

  bool isWide(unsigned Width) const { return Width > Bits && Width % Bits == 0 && Width <= Bits * kMaxParts; }
  bool isVectorOfParts(const Type *T) const {
    auto *Vector = dyn_cast<FixedVectorType>(T);
    return Vector && Vector->getScalarSizeInBits() == Bits && !Vector->getElementType()->isPointerTy();
  }
  bool isByWholeParts(const Instruction &Shift) const {
    auto *Amount = dyn_cast<ConstantInt>(Shift.getOperand(1));
    return Amount && Amount->getValue().ult(width(&Shift)) && Amount->getZExtValue() % Bits == 0;
  }

  /// The lowest part of an integer as an integer of the same width, and the highest one. They may be used as a whole.
  bool isLowest(const Instruction &I) const {
    auto *Mask = I.getOpcode() == Instruction::And ? dyn_cast<ConstantInt>(I.getOperand(1)) : nullptr;
    return Mask && Mask->getValue().isMask(Bits);
  }
  bool isHighest(const Instruction &I) const {
    auto *Amount = I.isShift() && I.getOpcode() != Instruction::Shl ? dyn_cast<ConstantInt>(I.getOperand(1)) : nullptr;
    return Amount && Amount->equalsInt(width(&I) - Bits);
  }
  /// One of these that is a number of its own for what uses it.
  bool isNumber(const Instruction &I) const {
    if (!isLowest(I) && !isHighest(I))
      return false;
    return I.getOpcode() == Instruction::AShr || any_of(I.users(), [&](const User *U) {
             auto *Use = cast<Instruction>(U);
             if (Use->isShift())
               return !isByWholeParts(*Use);
             return !Use->isBitwiseLogicOp() && !isa<TruncInst, ZExtInst, StoreInst, PHINode, SelectInst>(Use);
           });
  }
  /// True if \p I has its parts ready and may stay, whatever else uses it.
  bool isLeaf(const Instruction &I) const {
    return isNumber(I) || (isa<ZExtInst>(I) && width(I.getOperand(0)) <= Bits) ||
           (isa<BitCastInst>(I) && isVectorOfParts(I.getOperand(0)->getType()));
  }

  bool add(Value *V);
  bool define(Instruction *I);
  bool use(Instruction *I);
  bool access(Value *Address, bool Simple);

  Parts parts(Value *V);
  Parts compute(Instruction &I);
  Parts load(LoadInst &Load);
  void store(StoreInst &Store);
  Value *replacement(Instruction &Sink);

  const unsigned Bits;
  DenseSet<const Value *> &Seen;
  SetVector<Instruction *> Members;                                // they vanish
  SetVector<Instruction *> Sinks;                                  // what else uses them
  bool Accesses = false;                                           // something is loaded or stored
  bool Parted = false;                                             // something is taken apart or put together
  DenseMap<Value *, SmallVector<WeakTrackingVH, kMaxParts>> Known; // a part may be a sink, which is replaced
  SmallVector<PHINode *, 8> Phis;
};

/// The variable that an address is in, if the offset is a constant.
AllocaInst *privateVariable(Value *Address, const DataLayout &Layout) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
  return dyn_cast<AllocaInst>(Address->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true));
}

/// True if something as large as a part is loaded or stored by itself in the variable.
bool hasPartAccess(AllocaInst &Variable, unsigned Bits, const DataLayout &Layout) {
  SmallVector<Instruction *, 8> Addresses{&Variable};
  for (size_t Next = 0; Next < Addresses.size(); ++Next)
    for (User *U : Addresses[Next]->users()) {
      if (isa<BitCastInst>(U) || isa<GetElementPtrInst>(U))
        Addresses.push_back(cast<Instruction>(U));
      else if ((isa<LoadInst>(U) || isa<StoreInst>(U)) && Layout.getTypeSizeInBits(getLoadStoreType(U)) == Bits)
        return true;
    }
  return false;
}

bool Web::add(Value *V) {
  if (!isWide(width(V)))
    return false;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return isa<ConstantInt>(V) || isa<UndefValue>(V);
  if (isLeaf(*I)) {
    Parted |= isa<BitCastInst>(I);
    return true;
  }
  Seen.insert(I);
  Members.insert(I);
  return true;
}

bool Web::access(Value *Address, bool Simple) {
  Accesses = true;
  const DataLayout &Layout = Members.front()->getModule()->getDataLayout();
  AllocaInst *Variable = privateVariable(Address, Layout);
  Parted |= Variable && hasPartAccess(*Variable, Bits, Layout);
  return Simple;
}

/// True if the parts of \p I follow from those of its operands.
bool Web::define(Instruction *I) {
  switch (I->getOpcode()) {
  case Instruction::Load: return access(cast<LoadInst>(I)->getPointerOperand(), cast<LoadInst>(I)->isSimple());
  case Instruction::PHI:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Freeze: return all_of(I->operands(), [&](Value *V) { return add(V); });
  case Instruction::Select: return add(I->getOperand(1)) && add(I->getOperand(2));
  case Instruction::LShr:
  case Instruction::Shl: Parted = true; return isByWholeParts(*I) && add(I->getOperand(0));
  case Instruction::ZExt:
  case Instruction::Trunc: return add(I->getOperand(0));
  default: return false;
  }
}

/// True if everything that uses \p I needs its parts only.
bool Web::use(Instruction *I) {
  for (User *U : I->users()) {
    auto *User = cast<Instruction>(U);
    if (isNumber(*User)) {
      Parted |= isHighest(*User);
      Sinks.insert(User);
      continue;
    }
    switch (User->getOpcode()) {
    case Instruction::Store: {
      auto *Store = cast<StoreInst>(User);
      if (!access(Store->getPointerOperand(), Store->isSimple()))
        return false;
      Sinks.insert(User);
      break;
    }
    case Instruction::Trunc:
      if (width(User) > Bits) {
        if (!add(User))
          return false;
        break;
      }
      // A structure begins with a float.
      Parted |= width(User) == Bits && any_of(User->users(), [](const llvm::User *V) { return isa<BitCastInst>(V); });
      Sinks.insert(User);
      break;
    case Instruction::BitCast:
      if (!isVectorOfParts(User->getType()))
        return false;
      Parted = true;
      Sinks.insert(User);
      break;
    case Instruction::PHI:
    case Instruction::Select:
    case Instruction::Freeze:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::LShr:
    case Instruction::Shl:
    case Instruction::ZExt:
      if (!add(User)) // what else it needs is asked where it is defined
        return false;
      break;
    default: return false;
    }
  }
  return true;
}

/// The parts of an integer, from the lowest.
Web::Parts Web::parts(Value *V) {
  const unsigned Count = width(V) / Bits;
  Type *Part = IntegerType::get(V->getContext(), Bits);
  if (isa<PoisonValue>(V))
    return Parts(Count, PoisonValue::get(Part));
  if (isa<UndefValue>(V))
    return Parts(Count, UndefValue::get(Part));
  if (auto *Number = dyn_cast<ConstantInt>(V)) {
    Parts Result;
    for (unsigned N = 0; N < Count; ++N)
      Result.push_back(ConstantInt::get(Part, Number->getValue().extractBits(Bits, N * Bits)));
    return Result;
  }
  if (auto Found = Known.find(V); Found != Known.end())
    return Parts(Found->second.begin(), Found->second.end());
  Parts Result = compute(*cast<Instruction>(V));
  Known[V].assign(Result.begin(), Result.end());
  return Result;
}

Web::Parts Web::compute(Instruction &I) {
  IRBuilder<> B(&I);
  const unsigned Count = width(&I) / Bits;
  Type *Part = B.getIntNTy(Bits);
  Parts Result;
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    for (unsigned N = 0; N < Count; ++N)
      Result.push_back(B.CreatePHI(Part, Phi->getNumIncomingValues()));
    Phis.push_back(Phi);
    return Result;
  }
  if (isa<ZExtInst>(I) && width(I.getOperand(0)) <= Bits) {
    Result.push_back(B.CreateZExt(I.getOperand(0), Part));
    Result.resize(Count, ConstantInt::get(Part, 0));
    return Result;
  }
  if (!Members.contains(&I)) { // it stays
    B.SetInsertPoint(I.getParent(), std::next(I.getIterator()));
    if (isLowest(I) || (isHighest(I) && I.getOpcode() != Instruction::AShr)) { // the others are zero
      Result.push_back(B.CreateTrunc(&I, Part));
      Result.resize(Count, ConstantInt::get(Part, 0));
      return Result;
    }
    Value *Vector = B.CreateBitCast(&I, FixedVectorType::get(Part, Count));
    for (unsigned N = 0; N < Count; ++N)
      Result.push_back(B.CreateExtractElement(Vector, N));
    return Result;
  }
  switch (I.getOpcode()) {
  case Instruction::Load: return load(cast<LoadInst>(I));
  case Instruction::Freeze:
    for (Value *V : parts(I.getOperand(0)))
      Result.push_back(B.CreateFreeze(V));
    return Result;
  case Instruction::Select: {
    const Parts Chosen = parts(I.getOperand(1)), Others = parts(I.getOperand(2));
    for (unsigned N = 0; N < Count; ++N)
      Result.push_back(B.CreateSelect(I.getOperand(0), Chosen[N], Others[N], "", &I));
    return Result;
  }
  case Instruction::Shl:
  case Instruction::LShr: {
    Result.resize(Count, ConstantInt::get(Part, 0));
    const Parts Before = parts(I.getOperand(0));
    const auto Distance = static_cast<unsigned>(cast<ConstantInt>(I.getOperand(1))->getZExtValue() / Bits);
    for (unsigned N = Distance; N < Count; ++N)
      if (I.getOpcode() == Instruction::Shl)
        Result[N] = Before[N - Distance];
      else
        Result[N - Distance] = Before[N];
    return Result;
  }
  case Instruction::ZExt:
  case Instruction::Trunc:
    Result = parts(I.getOperand(0));
    Result.resize(Count, ConstantInt::get(Part, 0));
    return Result;
  default: {
    const Parts Left = parts(I.getOperand(0)), Right = parts(I.getOperand(1));
    for (unsigned N = 0; N < Count; ++N)
      Result.push_back(B.CreateBinOp(cast<BinaryOperator>(I).getOpcode(), Left[N], Right[N]));
    return Result;
  }
  }
}

Web::Parts Web::load(LoadInst &Load) {
  IRBuilder<> B(&Load);
  const unsigned Count = width(&Load) / Bits;
  Type *Part = B.getIntNTy(Bits);
  Value *Address = Load.getPointerOperand();
  Parts Result;
  if (privateVariable(Address, Load.getModule()->getDataLayout())) {
    Value *First = castPointer(B, Address, pointerTo(Part, Load.getPointerAddressSpace()));
    for (unsigned N = 0; N < Count; ++N) {
      LoadInst *One = B.CreateAlignedLoad(Part, B.CreateConstInBoundsGEP1_64(Part, First, N),
                                          commonAlignment(Load.getAlign(), N * Bits / 8));
      copyMetadataForLoad(*One, Load);
      Result.push_back(One);
    }
    return Result;
  }
  Type *Vector = FixedVectorType::get(Part, Count);
  LoadInst *All = B.CreateAlignedLoad(Vector, castPointer(B, Address, pointerTo(Vector, Load.getPointerAddressSpace())),
                                      Load.getAlign());
  copyMetadataForLoad(*All, Load);
  for (unsigned N = 0; N < Count; ++N)
    Result.push_back(B.CreateExtractElement(All, N));
  return Result;
}

void Web::store(StoreInst &Store) {
  IRBuilder<> B(&Store);
  Type *Part = B.getIntNTy(Bits);
  const Parts Values = parts(Store.getValueOperand());
  Value *Address = Store.getPointerOperand();
  const auto keep = [&](StoreInst *New) {
    New->copyMetadata(Store, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                              LLVMContext::MD_nontemporal, LLVMContext::MD_mem_parallel_loop_access,
                              LLVMContext::MD_access_group});
  };
  if (privateVariable(Address, Store.getModule()->getDataLayout())) {
    Value *First = castPointer(B, Address, pointerTo(Part, Store.getPointerAddressSpace()));
    for (unsigned N = 0; N < Values.size(); ++N)
      keep(B.CreateAlignedStore(Values[N], B.CreateConstInBoundsGEP1_64(Part, First, N),
                                commonAlignment(Store.getAlign(), N * Bits / 8)));
    return;
  }
  Type *Vector = FixedVectorType::get(Part, static_cast<unsigned>(Values.size()));
  Value *All = PoisonValue::get(Vector);
  for (unsigned N = 0; N < Values.size(); ++N)
    All = B.CreateInsertElement(All, Values[N], N);
  keep(B.CreateAlignedStore(All, castPointer(B, Address, pointerTo(Vector, Store.getPointerAddressSpace())),
                            Store.getAlign()));
}

/// The same as \p Sink, which is no store, computed out of parts.
Value *Web::replacement(Instruction &Sink) {
  IRBuilder<> B(&Sink);
  const Parts From = parts(Sink.getOperand(0));
  if (isLowest(Sink))
    return B.CreateZExt(From.front(), Sink.getType());
  if (isHighest(Sink))
    return Sink.getOpcode() == Instruction::AShr ? B.CreateSExt(From.back(), Sink.getType())
                                                 : B.CreateZExt(From.back(), Sink.getType());
  if (isa<TruncInst>(Sink))
    return B.CreateTrunc(From.front(), Sink.getType());
  Value *Vector = PoisonValue::get(FixedVectorType::get(B.getIntNTy(Bits), static_cast<unsigned>(From.size())));
  for (unsigned N = 0; N < From.size(); ++N)
    Vector = B.CreateInsertElement(Vector, From[N], N);
  return B.CreateBitCast(Vector, Sink.getType());
}

void Web::split() {
  for (Instruction *Sink : Sinks)
    if (auto *Store = dyn_cast<StoreInst>(Sink))
      store(*Store);
    else
      Sink->replaceAllUsesWith(replacement(*Sink));
  for (size_t Next = 0; Next < Phis.size(); ++Next) { // their operands may bring others
    PHINode &Old = *Phis[Next];
    const Parts New = parts(&Old);
    for (unsigned Edge = 0; Edge < Old.getNumIncomingValues(); ++Edge) {
      const Parts Incoming = parts(Old.getIncomingValue(Edge));
      for (unsigned N = 0; N < New.size(); ++N)
        cast<PHINode>(New[N])->addIncoming(Incoming[N], Old.getIncomingBlock(Edge));
    }
  }
  for (Instruction *Sink : Sinks)
    Sink->eraseFromParent();
  for (Instruction *Member : Members)
    Member->replaceAllUsesWith(PoisonValue::get(Member->getType()));
  for (Instruction *Member : Members)
    Member->eraseFromParent();
}

/// Splits what consists of parts of \p Bits.
bool split(Function &F, unsigned Bits) {
  DenseSet<const Value *> Seen;
  std::vector<Web> Webs;
  for (Instruction &I : instructions(F)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    auto *Value = Store ? dyn_cast<Instruction>(Store->getValueOperand()) : dyn_cast<LoadInst>(&I);
    if (!Value || Seen.contains(Value))
      continue;
    Web Found(Bits, Seen);
    if (Found.collect(Value))
      Webs.push_back(std::move(Found));
  }
  for (Web &Each : Webs)
    Each.split();
  return !Webs.empty();
}

/// The value whose bits \p V has.
Value *bits(Value *V) {
  for (auto *Cast = dyn_cast<BitCastInst>(V); Cast; Cast = dyn_cast<BitCastInst>(V))
    V = Cast->getOperand(0);
  if (auto *Number = dyn_cast<ConstantFP>(V))
    return ConstantInt::get(V->getContext(), Number->getValueAPF().bitcastToAPInt());
  return V;
}

/// A loop may now have the same number twice, as a float and as an integer.
void joinPhis(BasicBlock &Block) {
  for (PHINode &Phi : make_early_inc_range(Block.phis())) {
    if (!Phi.getType()->isFloatingPointTy())
      continue;
    for (PHINode &Other : Block.phis()) {
      if (width(&Other) != Phi.getType()->getScalarSizeInBits() || any_of(Phi.blocks(), [&](const BasicBlock *Edge) {
            return bits(Phi.getIncomingValueForBlock(Edge)) != bits(Other.getIncomingValueForBlock(Edge));
          }))
        continue;
      IRBuilder<> B(&Block, Block.getFirstInsertionPt());
      Phi.replaceAllUsesWith(B.CreateBitCast(&Other, Phi.getType()));
      Phi.eraseFromParent();
      break;
    }
  }
}

FunctionPassManager simplification() {
  FunctionPassManager Passes;
  Passes.addPass(scalarReplacement());
  Passes.addPass(EarlyCSEPass(true));
  Passes.addPass(InstCombinePass());
  Passes.addPass(ADCEPass());
  return Passes;
}

} // namespace

PreservedAnalyses PackedIntegersPass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &Functions = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  FunctionPassManager Simplify = simplification();
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasOptNone())
      continue;
    bool Here = removeUnreachableBlocks(F); // only there may values depend on themselves
    bool Split = split(F, 16);
    Split |= split(F, 32);
    if (!Here && !Split)
      continue;
    Changed = true;
    Functions.invalidate(F, PreservedAnalyses::none());
    if (!Split)
      continue;
    Functions.invalidate(F, Simplify.run(F, Functions));
    for (BasicBlock &Block : F)
      joinPhis(Block);
    Functions.invalidate(F, PreservedAnalyses::none());
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
