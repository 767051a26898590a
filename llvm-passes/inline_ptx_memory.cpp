// SPDX-License-Identifier: MIT
// Loads, stores, atomics, barriers and moves of inline PTX, and the choice of who translates an instruction.
#include "base/llvm_compat.h"
#include "inline_ptx.h"
#include "ir_utils.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

class Memory : PtxLowering {
public:
  using PtxLowering::PtxLowering;

  bool run() {
    if (Base == "ld" || Base == "ldu")
      return load();
    if (Base == "st")
      return store();
    if (Base == "atom" || Base == "red")
      return atomic();
    if (Base == "membar" || Base == "fence")
      return has("proxy") || has("mbarrier_init") ? false : (fence(true), true);
    if (Base == "bar" || Base == "barrier")
      return barrier();
    if (Base == "cp" && has("async") && !has("bulk"))
      return copy();
    if (Base == "mov")
      return move();
    if (Base == "shfl")
      return shuffle();
    if (Base == "cvta") { // addresses of all spaces are generic ones
      const unsigned Bits = ptxTypeBits(Type);
      auto Found = V.Registers.find(operand(1));
      Value *Pointer = Found == V.Registers.end() ? nullptr : Found->second.Pointer;
      V.write(operand(0), V.read(operand(1), Bits ? Bits : 64));
      if (auto Target = V.Registers.find(operand(0)); Target != V.Registers.end())
        Target->second.Pointer = Pointer;
      return true;
    }
    // Hints
    return Base == "prefetch" || Base == "prefetchu" || Base == "pmevent" || Base == "griddepcontrol" ||
           Base == "setmaxnreg" || Base == "discard" || Base == "applypriority";
  }

private:
  static SmallVector<std::string, 4> elements(StringRef Operand) {
    if (Operand.consume_front("{"))
      Operand.consume_back("}");
    return splitPtxList(Operand);
  }

  /// The first instruction of a fence of the instruction's scope; `Always` if an order is not asked for, too.
  void fence(bool Always = false) {
    if (Always || has("acquire") || has("release") || has("acq_rel") || has("sc"))
      V.callHelper(has("cta") ? "fence_cta" : has("sys") ? "fence_sys" : "fence_gpu", {});
  }

  bool isOrdered() const {
    for (StringRef Part : {"relaxed", "acquire", "release", "volatile", "mmio"})
      if (has(Part))
        return true;
    return false;
  }

  /// Calls `Access` with the place and the bits of each element of a vector, or of the only one.
  template <class F> bool forElements(StringRef Address, StringRef List, F Access) {
    const unsigned Bits = ptxTypeBits(Type);
    if (Bits == 0 || Bits == 1 || Bits > 64 || has("param") || has("const"))
      return false;
    Value *Place = V.address(Address);
    const SmallVector<std::string, 4> Names = elements(List);
    if (Names.size() != (has("v2") ? 2u : has("v4") ? 4u : has("v8") ? 8u : 1u)) {
      V.fail("the number of registers is wrong");
      return true;
    }
    llvm::Type *Word = B.getIntNTy(Bits);
    for (unsigned N = 0; N < Names.size() && V.Error.empty(); ++N) {
      Value *Element = N == 0 ? Place : B.CreateGEP(B.getInt8Ty(), Place, B.getInt64(N * Bits / 8));
      Access(Names[N], castPointer(B, Element, pointerTo(Word, kGeneric)), Bits);
    }
    return true;
  }

  bool load() {
    const bool Found = forElements(operand(1), operand(0), [&](StringRef Name, Value *Place, unsigned Bits) {
      Value *Loaded;
      if (isOrdered() && Bits >= 32)
        Loaded = V.callHelper(Bits == 32 ? "load_b32" : "load_b64", {Place});
      else
        Loaded = B.CreateAlignedLoad(B.getIntNTy(Bits), Place, Align(Bits / 8), isOrdered() || has("cv"));
      V.write(Name, Loaded, startsWith(Type, "s"));
    });
    if (Found)
      fence();
    return Found;
  }

  bool store() {
    fence();
    return forElements(operand(0), operand(1), [&](StringRef Name, Value *Place, unsigned Bits) {
      Value *Stored = V.read(Name, Bits);
      if (isOrdered() && Bits >= 32)
        V.callHelper(Bits == 32 ? "store_b32" : "store_b64", {Place, Stored});
      else
        B.CreateAlignedStore(Stored, Place, Align(Bits / 8), isOrdered());
    });
  }

  /// atom.{order}.{scope}.{space}.operation.type d, [a], b, c. All are atomic in the whole system.
  bool atomic() {
    std::string Operation;
    for (StringRef Name : {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"})
      if (has(Name))
        Operation = Name.str();
    const unsigned Bits = ptxTypeBits(Type);
    const bool IsReduction = Base == "red";
    // The sign matters to the least and the greatest alone, and floating point has its own sum.
    StringRef Kind = Type;
    if (Operation != "min" && Operation != "max" && !startsWith(Type, "f") && !startsWith(Type, "bf"))
      Kind = Bits == 32 ? "u32" : Bits == 64 ? "u64" : "u16";
    const std::string Name = "atom_" + Operation + "_" + Kind.str();
    if (Operation.empty() || has("async") || has("v2") || has("v4") || !V.helper(Name))
      return false;
    const bool IsOrdered = has("acquire") || has("release") || has("acq_rel");
    const unsigned First = IsReduction ? 0 : 1;
    SmallVector<Value *, 3> Arguments{V.address(operand(First))};
    for (unsigned N = First + 1; N < First + (Operation == "cas" ? 3 : 2); ++N)
      Arguments.push_back(V.read(operand(N), Bits));
    if (IsOrdered)
      fence();
    Value *Old = V.callHelper(Name, Arguments);
    if (IsOrdered)
      fence();
    if (!IsReduction)
      V.write(operand(0), Old, startsWith(Type, "s"));
    return true;
  }

  bool barrier() {
    if (has("warp")) {
      V.callHelper("bar_warp_sync", {V.read(operand(0), 32)});
      return true;
    }
    if (!has("sync") || has("cluster"))
      return false;
    auto *Number = dyn_cast<ConstantInt>(V.read(operand(0), 32));
    if (!Number || !Number->isZero() || I.Operands.size() != 1) {
      V.fail("only barrier 0 for all threads of the block is there");
      return true;
    }
    V.callHelper("barrier_all", {});
    return true;
  }

  /// cp.async copies at once, so that there is nothing to wait for.
  bool copy() {
    if (has("commit_group") || has("wait_group") || has("wait_all"))
      return true;
    if (has("mbarrier") || !has("shared"))
      return false;
    Value *Size = V.read(operand(2), 32);
    const bool HasSourceSize = I.Operands.size() > 3 && !has("L2::cache_hint");
    V.callHelper("cp_async",
                 {V.address(operand(0)), V.address(operand(1)), Size, HasSourceSize ? V.read(operand(3), 32) : Size});
    return true;
  }

  bool move() {
    const unsigned Bits = ptxTypeBits(Type);
    if (Bits == 0 || Bits == 1)
      return false;
    const SmallVector<std::string, 4> Targets = elements(operand(0)), Sources = elements(operand(1));
    if (Targets.size() == 1 && Sources.size() == 1) {
      auto Found = V.Registers.find(Sources[0]);
      Value *Pointer = Found == V.Registers.end() ? nullptr : Found->second.Pointer;
      V.write(Targets[0], V.read(Sources[0], Bits));
      if (auto Target = V.Registers.find(Targets[0]); Target != V.Registers.end() && Bits == 64)
        Target->second.Pointer = Pointer;
    } else if (Sources.size() == 1) { // the first part has the lowest bits
      const unsigned Part = Bits / Targets.size();
      Value *Whole = V.read(Sources[0], Bits);
      for (unsigned N = 0; N < Targets.size(); ++N)
        V.write(Targets[N], B.CreateTrunc(B.CreateLShr(Whole, N * Part), B.getIntNTy(Part)));
    } else if (Targets.size() == 1 && !Sources.empty()) {
      const unsigned Part = Bits / Sources.size();
      Value *Whole = ConstantInt::get(B.getIntNTy(Bits), 0);
      for (unsigned N = 0; N < Sources.size(); ++N)
        Whole = B.CreateOr(Whole, B.CreateShl(B.CreateZExt(V.read(Sources[N], Part), Whole->getType()), N * Part));
      V.write(Targets[0], Whole);
    } else {
      return false;
    }
    return true;
  }

  /// shfl.sync.mode.b32 d|p, a, b, c, mask, and the same without .sync and without mask.
  bool shuffle() {
    StringRef Mode;
    for (StringRef Name : {"up", "down", "bfly", "idx"})
      if (has(Name))
        Mode = Name;
    if (Mode.empty())
      return false;
    const bool IsSync = has("sync");
    Value *Mask = IsSync ? V.read(operand(4), 32) : B.getInt32(~0u);
    Value *Pair =
        V.callHelper("shfl_" + Mode, {V.read(operand(1), 32), V.read(operand(2), 32), V.read(operand(3), 32), Mask});
    const auto [Target, Predicate] = operand(0).split('|');
    V.write(Target, B.CreateTrunc(Pair, B.getInt32Ty()));
    if (!Predicate.empty())
      V.write(Predicate, B.CreateTrunc(B.CreateLShr(Pair, 32), B.getInt1Ty()));
    return true;
  }
};

/// The name of the headers' function for an instruction: its own without what makes no difference here.
std::string helperName(const PtxInstruction &I) {
  std::string Name;
  for (StringRef Part : I.parts())
    if (Part != "ftz" && Part != "volatile")
      Name += (Name.empty() ? "" : "_") + Part.str();
  std::replace(Name.begin(), Name.end(), ':', '_');
  return Name;
}

/// Calls the headers' function for the instruction, if there is one.
bool callForm(PtxValues &V, const PtxInstruction &I) {
  const std::string Name = helperName(I);
  Function *Callee = V.helper(Name);
  if (!Callee)
    return false;
  const unsigned First = Callee->getReturnType()->isVoidTy() ? 0 : 1;
  SmallVector<Value *, 4> Arguments;
  for (Type *T : Callee->getFunctionType()->params()) {
    const unsigned N = First + Arguments.size();
    if (N >= I.Operands.size()) {
      V.fail("an operand is missing");
      return true;
    }
    Arguments.push_back(T->isPointerTy() ? V.address(I.Operands[N])
                                         : V.read(I.Operands[N], T->getPrimitiveSizeInBits()));
  }
  Value *Result = V.callHelper(Name, Arguments);
  if (First == 0)
    return true;
  const auto [Target, Predicate] = StringRef(I.Operands[0]).split('|'); // match.all has its predicate in bit 32
  V.write(Target, Result);
  if (!Predicate.empty())
    V.write(Predicate, V.B.CreateTrunc(V.B.CreateLShr(Result, 32), V.B.getInt1Ty()));
  return true;
}

} // namespace

bool lowerPtxMemory(PtxValues &Values, const PtxInstruction &I) { return Memory(Values, I).run(); }

void lowerPtx(PtxValues &Values, const PtxInstruction &I) {
  if (callForm(Values, I) || lowerPtxMemory(Values, I) || lowerPtxConversion(Values, I) || lowerPtxInteger(Values, I))
    return;
  Values.fail("it has no form here");
}

} // namespace hiplz::passes
