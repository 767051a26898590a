// SPDX-License-Identifier: MIT
// AMD's kernels find grid and block in memory: behind their arguments (llvm.amdgcn.implicitarg.ptr, in the layout of code object
// version 5) and in the packet that launched them (llvm.amdgcn.dispatch.ptr). Neither exists here. Each load from a known place
// becomes the value; __amd_hidden of the device library computes those of the grid.
#include "amd_hidden_arguments.h"
#include "base/llvm_compat.h"
#include "ir_utils.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <optional>

using namespace llvm;

namespace hiplz::passes {

namespace {

struct Field {
  unsigned Offset, Bytes;
  int Grid;         ///< argument of __amd_hidden (lib-device/amd/ockl.hip), or one of these
  const char *Name; ///< of a missing one
};
constexpr int kZero = -1, kMissing = -2;

constexpr Field kImplicitArguments[] = {
    {0, 4, 0, ""},
    {4, 4, 1, ""},
    {8, 4, 2, ""},
    {12, 2, 3, ""},
    {14, 2, 4, ""},
    {16, 2, 5, ""},
    {18, 2, kZero, ""}, // the remainders of a grid that is no multiple of its blocks
    {20, 2, kZero, ""},
    {22, 2, kZero, ""},
    {40, 8, kZero, ""}, // offsets of the grid
    {48, 8, kZero, ""},
    {56, 8, kZero, ""},
    {64, 2, 9, ""},
    {72, 8, kMissing, "hidden_printf_buffer"},
    {80, 8, kMissing, "hidden_hostcall_buffer"},
    {88, 8, kMissing, "hidden_multigrid_sync_arg"},
    {96, 8, kMissing, "hidden_heap_v1"},
    {104, 8, kMissing, "hidden_default_queue"},
    {112, 8, kMissing, "hidden_completion_action"},
    {120, 4, kMissing, "hidden_dynamic_lds_size"},
    {192, 4, kMissing, "hidden_private_base"},
    {196, 4, kMissing, "hidden_shared_base"},
    {200, 8, kMissing, "hidden_queue_ptr"},
};
constexpr Field kPacket[] = {
    {4, 2, 3, ""},
    {6, 2, 4, ""},
    {8, 2, 5, ""},
    {12, 4, 6, ""},
    {16, 4, 7, ""},
    {20, 4, 8, ""},
    {24, 4, kMissing, "private_segment_size of the dispatch packet"},
    {28, 4, kMissing, "group_segment_size of the dispatch packet"},
    {32, 8, kMissing, "kernel_object of the dispatch packet"},
    {40, 8, kMissing, "kernarg_address of the dispatch packet"},
};

class Rewriter {
public:
  Rewriter(Module &M, Function &Base, ArrayRef<Field> Fields, const char *What)
      : M(M), Base(Base), Fields(Fields), What(What), Hidden(M.getFunction("__amd_hidden")) {}

  void run() {
    SmallVector<CallInst *, 8> Calls;
    for (User *U : Base.users())
      if (auto *Call = dyn_cast<CallInst>(U))
        Calls.push_back(Call);
    for (CallInst *Call : Calls) {
      follow(*Call, 0);
      if (Call->use_empty())
        Call->eraseFromParent();
    }
  }

private:
  void follow(Instruction &Pointer, uint64_t Offset) {
    for (User *U : make_early_inc_range(Pointer.users())) {
      auto *I = cast<Instruction>(U);
      if (auto *Load = dyn_cast<LoadInst>(I)) {
        replace(*Load, Offset);
        continue;
      }
      std::optional<uint64_t> There;
      if (isa<BitCastInst>(I) || isa<AddrSpaceCastInst>(I)) {
        There = Offset;
      } else if (auto *Step = dyn_cast<GetElementPtrInst>(I)) {
        const DataLayout &Layout = M.getDataLayout();
        APInt Bytes(Layout.getIndexTypeSizeInBits(Step->getType()), 0);
        if (Step->accumulateConstantOffset(Layout, Bytes))
          There = Offset + Bytes.getZExtValue();
      }
      if (!There) { // goes where nobody can follow
        IRBuilder<>(I).CreateCall(missing(What));
        continue;
      }
      follow(*I, *There);
      if (I->use_empty())
        I->eraseFromParent();
    }
  }

  FunctionCallee missing(StringRef Name) { return M.getOrInsertFunction(Name, Type::getVoidTy(M.getContext())); }

  /// LLVM may have made one load of several fields.
  void replace(LoadInst &Load, uint64_t Offset) {
    IRBuilder<> B(&Load);
    const uint64_t Bits = M.getDataLayout().getTypeSizeInBits(Load.getType());
    Type *Integer = B.getIntNTy(Bits);
    Value *Whole = Constant::getNullValue(Integer);
    for (uint64_t Done = 0; Done < Bits;) {
      const auto *Found =
          find_if(Fields, [&](const Field &F) { return F.Offset == Offset + Done / 8 && F.Bytes * 8 <= Bits - Done; });
      if (Found == Fields.end() || Found->Grid == kMissing) {
        B.CreateCall(missing(Found == Fields.end() ? What : Found->Name));
        break;
      }
      if (Found->Grid != kZero) {
        Value *Known = createCall(B, Hidden, {B.getInt32(Found->Grid)});
        Known = B.CreateZExtOrTrunc(B.CreateTrunc(Known, B.getIntNTy(Found->Bytes * 8)), Integer);
        Whole = B.CreateOr(Whole, B.CreateShl(Known, Done));
      }
      Done += Found->Bytes * 8;
    }
    const bool IsPointer = Load.getType()->isPointerTy();
    Load.replaceAllUsesWith(IsPointer ? Constant::getNullValue(Load.getType())
                                      : B.CreateBitCast(Whole, Load.getType()));
    Load.eraseFromParent();
  }

  Module &M;
  Function &Base;
  ArrayRef<Field> Fields;
  const char *What;
  Function *Hidden;
};

} // namespace

void replaceHiddenArguments(Module &M) {
  if (Function *Base = M.getFunction("__amd_implicitarg_ptr"))
    Rewriter(M, *Base, kImplicitArguments, "unknown part of llvm.amdgcn.implicitarg.ptr").run();
  if (Function *Base = M.getFunction("__amd_dispatch_ptr"))
    Rewriter(M, *Base, kPacket, "unknown part of llvm.amdgcn.dispatch.ptr").run();
  if (Function *Hidden = M.getFunction("__amd_hidden")) {
    Hidden->removeFnAttr(Attribute::NoInline);
    Hidden->addFnAttr(Attribute::AlwaysInline);
  }
}

} // namespace hiplz::passes
