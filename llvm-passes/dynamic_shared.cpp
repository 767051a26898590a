// SPDX-License-Identifier: MIT
// `extern __shared__ T x[]` has no size until the launch, and SPIR-V has no such variable. Kernels that use one, also
// through the functions they call, get a pointer to local memory as their last parameter; the runtime gives it the size
// of the launch. All such arrays of a program begin at the same place, as HIP has it. Functions between the kernel and
// the use get the pointer as their last parameter as well.
#include "base/llvm_compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

constexpr uint64_t kMinAlignment = 16;  // what HIP promises for the start of dynamic shared memory
constexpr uint64_t kMaxAlignment = 128; // of the largest type that SPIR-V has

class DynamicShared {
public:
  explicit DynamicShared(Module &M) : M(M) {}

  bool run() {
    for (GlobalVariable &G : M.globals())
      if (G.getAddressSpace() == kLocal && G.isDeclaration())
        Arrays.push_back(&G);
    if (Arrays.empty())
      return false;
    findUsers();
    if (!canRewrite())
      return false;
    Parameter = pointerTo(elementType(), kLocal);
    SmallVector<Function *, 16> Old(Users.begin(), Users.end());
    for (Function *F : Old)
      Clones[F] = addParameter(*F);
    for (Function *F : Old)
      rewriteCalls(*F);
    for (GlobalVariable *Array : Arrays)
      rewriteArray(*Array);
    for (Function *F : Old) {
      if (isKernel(*Clones[F]))
        extendKernelMetadata(*Clones[F]);
      F->eraseFromParent();
    }
    return true;
  }

private:
  /// Everything that uses an array, and everything that calls such a function.
  void findUsers() {
    for (GlobalVariable *Array : Arrays)
      collectUsingFunctions(*Array, [&](Function &F) { Users.insert(&F); });
    for (unsigned N = 0; N < Users.size(); ++N)
      for (User *U : Users[N]->users())
        if (auto *Call = dyn_cast<CallBase>(U))
          Users.insert(Call->getFunction());
  }

  /// Reports what stands in the way.
  bool canRewrite() {
    Diagnostics Errors;
    bool Ok = true;
    auto refuse = [&](const auto &Where, const Twine &Message) {
      Errors.error(Where, Message);
      Ok = false;
    };
    for (Function *F : Users) {
      if (F->isVarArg())
        refuse(*F, "a variadic function cannot use dynamic shared memory");
      for (User *U : F->users()) {
        auto *Call = dyn_cast<CallBase>(U);
        if (Call && Call->getCalledOperand() == F && Call->getFunctionType() == F->getFunctionType())
          continue;
        const auto *I = dyn_cast<Instruction>(U);
        constexpr const char *kMessage =
            "a function that uses dynamic shared memory cannot be called through a pointer";
        I ? refuse(*I, kMessage) : refuse(*F, kMessage);
      }
    }
    for (GlobalVariable *Array : Arrays)
      if (alignment(*Array) > kMaxAlignment)
        Ok = false, Errors.error("the dynamic shared array '" + demangled(Array->getName()) +
                                 "' asks for an alignment of more than " + Twine(kMaxAlignment) + " bytes");
    return Ok;
  }

  static uint64_t alignment(const GlobalVariable &G) { return G.getAlign().valueOrOne().value(); }

  /// Drivers align a local argument as the type it points to, so the type carries the alignment.
  Type *elementType() const {
    uint64_t Bytes = kMinAlignment;
    for (GlobalVariable *Array : Arrays)
      Bytes = std::max(Bytes, alignment(*Array));
    Type *Element = Bytes > 64 ? Type::getInt64Ty(M.getContext()) : Type::getInt32Ty(M.getContext());
    return FixedVectorType::get(Element, Bytes * 8 / Element->getScalarSizeInBits());
  }

  Function *addParameter(Function &Old) {
    SmallVector<Type *, 8> Types;
    for (Argument &A : Old.args())
      Types.push_back(A.getType());
    Types.push_back(Parameter);
    Function *New = recreate(Old, Types);
    for (auto [From, To] : zip(Old.args(), New->args()))
      From.replaceAllUsesWith(&To);
    New->getArg(Old.arg_size())->setName("hiplz.dynamic.shared");
    return New;
  }

  void rewriteCalls(Function &Old) {
    for (User *U : make_early_inc_range(Old.users())) {
      auto *Call = cast<CallInst>(U);
      Function *Caller = Call->getFunction();
      SmallVector<Value *, 8> Arguments(Call->args());
      Arguments.push_back(Caller->getArg(Caller->arg_size() - 1));
      SmallVector<OperandBundleDef, 1> Bundles;
      Call->getOperandBundlesAsDefs(Bundles);
      auto *New = CallInst::Create(Clones[&Old], Arguments, Bundles, "", Call);
      New->setCallingConv(Call->getCallingConv());
      New->setAttributes(Call->getAttributes());
      New->setTailCallKind(Call->getTailCallKind());
      New->copyMetadata(*Call);
      New->takeName(Call);
      Call->replaceAllUsesWith(New);
      Call->eraseFromParent();
    }
  }

  void rewriteArray(GlobalVariable &Array) {
    DenseMap<Function *, Value *> Bases;
    const Value *Outside = nullptr;
    bool Done = replaceConstantUses(
        Array,
        [&](Function &F) {
          Value *&Base = Bases[&F];
          if (!Base) {
            IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
            Base = castPointer(B, F.getArg(F.arg_size() - 1), Array.getType());
          }
          return Base;
        },
        &Outside);
    if (!Done) {
      Diagnostics().error("the address of the dynamic shared array '" + demangled(Array.getName()) +
                          "' cannot initialize a variable");
      return;
    }
    Array.eraseFromParent();
  }

  /// Lists with one entry for each parameter must stay complete: drivers index them.
  void extendKernelMetadata(Function &Kernel) {
    LLVMContext &C = M.getContext();
    auto extend = [&](const char *Kind, Metadata *Value) {
      MDNode *Node = Kernel.getMetadata(Kind);
      if (!Node)
        return;
      SmallVector<Metadata *, 8> Entries(Node->op_begin(), Node->op_end());
      Entries.push_back(Value);
      Kernel.setMetadata(Kind, MDNode::get(C, Entries));
    };
    extend("kernel_arg_addr_space", ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), kLocal)));
    extend("kernel_arg_access_qual", MDString::get(C, "none"));
    extend("kernel_arg_type", MDString::get(C, "uint4*"));
    extend("kernel_arg_base_type", MDString::get(C, "uint4*"));
    extend("kernel_arg_type_qual", MDString::get(C, ""));
    extend("kernel_arg_name", MDString::get(C, "hiplz.dynamic.shared"));
  }

  Module &M;
  SmallVector<GlobalVariable *, 4> Arrays;
  SetVector<Function *> Users;
  DenseMap<Function *, Function *> Clones;
  PointerType *Parameter = nullptr;
};

} // namespace

PreservedAnalyses DynamicSharedPass::run(Module &M, ModuleAnalysisManager &) {
  return DynamicShared(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
