// SPDX-License-Identifier: MIT
// See uninitialized.h. The rules for each instruction are those of MemorySanitizer (Stepanov and Serebryany, CGO 2015), with exact
// comparisons and without what it does for threads and libraries of the host. A report says where a value comes from; that is followed
// backwards, by a second value beside the shadow, only from values that some report needs.
#include "cpu/compiler/uninitialized.h"
#include "base/llvm_compat.h"
#include "cpu/abi/bit_shadow.h"
#include "cpu/abi/check_site.h"
#include "cpu/abi/collective.h"
#include "cpu/compiler/builtin_library.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/vectorizer/body_facts.h"
#include "cpu/vectorizer/called_functions.h"
#include "cpu/vectorizer/pass_analyses.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Functions of the built-in library that read or write memory of the program.
bool touchesMemory(const Function &function) {
  return startsWith(function.getName(), "hz_image_") || startsWith(function.getName(), "hz_async_");
}

bool isPrint(const Function &function) {
  return function.hasFnAttribute(kAloneAttribute) || startsWith(function.getName(), "hiplz.print.");
}

/// Inlines what is to be instrumented. What stays a function is taken to get and to return initialized values.
void inlineProgram(Module &module) {
  SmallPtrSet<const Function *, 16> accessors; // of the library, with what they call
  SmallVector<const Function *, 16> work;
  for (const Function &function : module)
    if (function.hasFnAttribute(kOfBuiltinLibrary) && touchesMemory(function))
      work.push_back(&function);
  while (!work.empty())
    if (const Function *function = work.pop_back_val(); accessors.insert(function).second)
      for (const Instruction &instruction : instructions(*function))
        if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction())
          work.push_back(call->getCalledFunction());
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
    Function *function = component.hasCycle() ? nullptr : component->front()->getFunction();
    if (!function || function->isDeclaration() || isPrint(*function) ||
        (function->hasFnAttribute(kOfBuiltinLibrary) && !accessors.contains(function)))
      continue;
    if (none_of(function->users(), [](const User *user) { return isa<CallBase>(user); }))
      continue;
    function->removeFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::AlwaysInline);
  }
  PassAnalyses analyses;
  ModulePassManager passes;
  passes.addPass(
      AlwaysInlinerPass(true)); // lifetimes: a variable is uninitialized again when its function is called once more
  passes.run(module, analyses.modules);
}

/// The type of a value's shadow; null if it has none.
Type *shadowType(Type *type) {
  LLVMContext &context = type->getContext();
  if (type->isIntegerTy())
    return type;
  if (type->isPointerTy())
    return Type::getInt64Ty(context);
  if (type->isFloatingPointTy())
    return Type::getIntNTy(context, static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Type *element = shadowType(vector->getElementType());
    return element ? FixedVectorType::get(element, vector->getNumElements()) : nullptr;
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    Type *element = shadowType(array->getElementType());
    return element ? ArrayType::get(element, array->getNumElements()) : nullptr;
  }
  auto *structure = dyn_cast<StructType>(type);
  if (!structure || structure->isOpaque())
    return nullptr;
  SmallVector<Type *, 8> elements;
  for (Type *element : structure->elements()) {
    elements.push_back(shadowType(element));
    if (!elements.back())
      return nullptr;
  }
  return StructType::get(context, elements, structure->isPacked());
}

bool isZero(const Value *shadow) {
  auto *constant = dyn_cast<Constant>(shadow);
  return constant && constant->isNullValue();
}

/// A private variable that no other code has the address of.
struct Variable {
  AllocaInst *shadow = nullptr;
  AllocaInst *origin = nullptr;         ///< where its uninitialized bits come from; made when a report needs it
  SmallVector<Instruction *, 2> begins; ///< where its content becomes uninitialized
  SmallVector<StoreInst *, 4> stores;   ///< to it alone
};

class Propagation {
public:
  explicit Propagation(Function &function)
      : function_(function), module_(*function.getParent()), layout_(module_.getDataLayout()),
        b_(function.getContext(), InstSimplifyFolder(layout_)) {}

  void run() {
    removeUnreachableBlocks(function_);
    promotePointers();
    BasicBlock &entry = function_.getEntryBlock();
    Instruction *first = &*entry.begin();
    while (isa<AllocaInst>(first))
      first = first->getNextNode();
    SplitBlock(&entry, first);
    prologue_ = entry.getTerminator();
    for (Instruction &instruction : instructions(function_))
      if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && isFollowed(*variable))
        variables_.insert({variable, {}});
    for (auto &[variable, shadow] : variables_)
      addShadow(*variable, shadow);
    findSuspects();
    SmallVector<Instruction *, 128> all;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
      for (Instruction &instruction : *block)
        if (!made_.contains(&instruction)) {
          all.push_back(&instruction);
          blocks_[&instruction] = block;
        }
    for (Instruction *instruction : all)
      if (auto *phi = dyn_cast<PHINode>(instruction); phi && suspects_.contains(phi)) {
        b_.SetInsertPoint(phi);
        PHINode *shadow = twinOf(*phi, shadowType(phi->getType()));
        shadows_[phi] = shadow;
        phis_.push_back({phi, shadow});
      }
    for (Instruction *instruction : all)
      visit(*instruction);
    for (auto &[phi, shadow] : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        shadow->setIncomingValue(i, shadowOf(phi->getIncomingValue(i)));
    for (auto &[call, value] : pending_)
      call->setArgOperand(call->arg_size() - 1, originOf(*value));
    while (!addressPhis_.empty() || !originPhis_.empty())
      fillPhis();
    for (auto &[type, unknown] : unknown_)
      unknown->eraseFromParent();
  }

private:
  using Builder = IRBuilder<InstSimplifyFolder>;

  // What the source has as pointers in variables; else private variables would seem to be known elsewhere.
  void promotePointers() {
    SmallVector<AllocaInst *, 16> pointers;
    for (Instruction &instruction : function_.getEntryBlock())
      if (auto *variable = dyn_cast<AllocaInst>(&instruction);
          variable && variable->getAllocatedType()->isPointerTy() && isAllocaPromotable(variable))
        pointers.push_back(variable);
    if (pointers.empty())
      return;
    DominatorTree tree(function_);
    PromoteMemToReg(pointers, tree);
  }

  // Whether all accesses to a variable are known. Comparisons of its address, and checks, do not matter.
  static bool isFollowed(const AllocaInst &variable) {
    SmallVector<const Value *, 16> work{&variable};
    SmallPtrSet<const Value *, 16> seen{&variable};
    while (!work.empty()) {
      const Value *pointer = work.pop_back_val();
      for (const Use &use : pointer->uses()) {
        auto *user = cast<Instruction>(use.getUser());
        if (auto *store = dyn_cast<StoreInst>(user)) {
          if (store->getValueOperand() == pointer)
            return false;
        } else if (auto *call = dyn_cast<CallBase>(user)) {
          const Function *callee = call->getCalledFunction();
          const bool isHarmless = isCheck(*call) || isa<MemIntrinsic>(call) || call->isLifetimeStartOrEnd() ||
                                  (callee && (callee->hasFnAttribute(kOfBuiltinLibrary) ||
                                              (callee->isDeclaration() && isRuntimeFunction(callee->getName()) &&
                                               !startsWith(callee->getName(), kRuntimePrefix))));
          if (!isHarmless)
            return false;
        } else if (auto *update = dyn_cast<AtomicRMWInst>(user)) {
          if (update->getValOperand() == pointer)
            return false;
        } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(user)) {
          if (exchange->getPointerOperand() != pointer || use.getOperandNo() != 0)
            return false;
        } else if (isa<GetElementPtrInst, BitCastInst, PHINode, SelectInst>(user)) {
          if (seen.insert(user).second)
            work.push_back(user);
        } else if (isa<PtrToIntInst>(user)) {
          if (!isOnlyCompared(*user))
            return false;
        } else if (!isa<LoadInst, ICmpInst>(user)) {
          return false;
        }
      }
    }
    return true;
  }

  static bool isOnlyCompared(const Instruction &number, unsigned depth = 0) {
    constexpr unsigned kMaxDepth = 6;
    return depth < kMaxDepth && all_of(number.users(), [&](const User *user) {
             auto *next = cast<Instruction>(user);
             return isa<ICmpInst>(next) || (isa<BinaryOperator, CastInst>(next) && !isa<IntToPtrInst>(next) &&
                                            isOnlyCompared(*next, depth + 1));
           });
  }

  void addShadow(AllocaInst &variable, Variable &known) {
    Type *type = shadowType(variable.getAllocatedType());
    if (!type)
      type = ArrayType::get(b_.getInt8Ty(), layout_.getTypeAllocSize(variable.getAllocatedType()).getFixedValue());
    b_.SetInsertPoint(&variable);
    b_.SetCurrentDebugLocation(DebugLoc());
    known.shadow = b_.CreateAlloca(type, variable.isArrayAllocation() ? variable.getArraySize() : nullptr);
    known.shadow->setAlignment(variable.getAlign());
    made_.insert(known.shadow);
    SmallVector<Value *, 8> work{&variable};
    SmallPtrSet<Value *, 8> seen;
    while (!work.empty())
      for (User *user : work.pop_back_val()->users()) {
        if (!seen.insert(user).second)
          continue;
        if (auto *lifetime = dyn_cast<IntrinsicInst>(user);
            lifetime && lifetime->getIntrinsicID() == Intrinsic::lifetime_start)
          known.begins.push_back(lifetime);
        else if (auto *store = dyn_cast<StoreInst>(user))
          known.stores.push_back(store);
        else if (isa<GetElementPtrInst, BitCastInst>(user))
          work.push_back(user);
      }
    if (known.begins.empty())
      known.begins.push_back(variable.getParent() == prologue_->getParent() ? prologue_ : variable.getNextNode());
    Value *bytes = ConstantInt::get(b_.getInt64Ty(), layout_.getTypeAllocSize(type).getFixedValue());
    for (Instruction *begin : known.begins) {
      b_.SetInsertPoint(begin);
      if (type->isIntegerTy() && !variable.isArrayAllocation()) {
        mark(b_.CreateAlignedStore(Constant::getAllOnesValue(type), known.shadow, variable.getAlign()));
      } else {
        Value *all = variable.isArrayAllocation()
                         ? b_.CreateMul(bytes, b_.CreateZExtOrTrunc(variable.getArraySize(), b_.getInt64Ty()))
                         : bytes;
        mark(b_.CreateMemSet(known.shadow, b_.getInt8(0xff), all, variable.getAlign()));
      }
    }
  }

  // Instructions of ours are not visited.
  template <class T> T *mark(T *value) {
    if (auto *instruction = dyn_cast<Instruction>(value))
      made_.insert(instruction);
    return value;
  }

  // Memory that a pointer may mean.
  enum class Memory {
    initialized, ///< always: variables of the module, the work-item's state, private variables that are known elsewhere
    ownVariable, ///< one of `variables_`
    any
  };

  Memory memoryOf(const Value *pointer) const {
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(pointer, objects, nullptr, 0);
    Memory result = Memory::initialized;
    for (const Value *object : objects) {
      auto *variable = dyn_cast<AllocaInst>(object);
      if (variable ? !variables_.count(const_cast<AllocaInst *>(variable))
                   : isa<GlobalValue, ConstantPointerNull, UndefValue>(object) || isItem(object))
        continue;
      result = variable && objects.size() == 1 ? Memory::ownVariable : Memory::any;
      if (result == Memory::any)
        break;
    }
    return result;
  }

  bool isItem(const Value *value) const { return !function_.arg_empty() && value == function_.getArg(0); }

  Variable *variableOf(const Value *pointer) {
    auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer, 0));
    const auto found = variable ? variables_.find(const_cast<AllocaInst *>(variable)) : variables_.end();
    return found == variables_.end() ? nullptr : &found->second;
  }

  static bool isOfChecks(const Instruction &instruction) { return instruction.getMetadata(kOfChecks); }

  static bool isInvariant(const Instruction &instruction) {
    return instruction.hasMetadata(LLVMContext::MD_invariant_load);
  }

  // A function of the built-in library or of C: only its arguments decide about its result.
  static bool isFunctionOfArguments(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || call.isInlineAsm() || isPrint(*callee))
      return false;
    return callee->hasFnAttribute(kOfBuiltinLibrary) ||
           (callee->isDeclaration() && !startsWith(callee->getName(), kRuntimePrefix));
  }

  bool isSource(const Instruction &instruction) const {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return !isOfChecks(*load) && !isInvariant(*load) && memoryOf(load->getPointerOperand()) != Memory::initialized;
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return memoryOf(update->getPointerOperand()) != Memory::initialized;
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return memoryOf(exchange->getPointerOperand()) != Memory::initialized;
    return propagates(instruction) && any_of(instruction.operands(), isUndefinedScalar);
  }

  // Parts of vectors and structures without a value are padding more often than not.
  static bool isUndefinedScalar(const Value *value) {
    return isa<UndefValue>(value) && value->getType()->isSingleValueType() && !value->getType()->isVectorTy() &&
           !value->getType()->isPointerTy();
  }

  bool propagates(const Instruction &instruction) const {
    if (auto *call = dyn_cast<CallBase>(&instruction))
      return isCollective(*call) || isFunctionOfArguments(*call);
    return !isa<StoreInst, LoadInst, AtomicRMWInst, AtomicCmpXchgInst, AllocaInst, FreezeInst>(instruction) &&
           !instruction.isTerminator() && !isOfChecks(instruction);
  }

  // The values whose shadow may not be zero.
  void findSuspects() {
    SmallVector<const Instruction *, 64> work;
    auto add = [&](const Instruction &instruction) {
      if (shadowType(instruction.getType()) && suspects_.insert(&instruction).second)
        work.push_back(&instruction);
    };
    for (const Instruction &instruction : instructions(function_))
      if (!made_.contains(&instruction) && isSource(instruction))
        add(instruction);
    while (!work.empty())
      for (const User *user : work.pop_back_val()->users())
        if (auto *instruction = dyn_cast<Instruction>(user); instruction && propagates(*instruction))
          add(*instruction);
  }

  // Shadows.

  Value *shadowOf(const Value *value) {
    if (const auto found = shadows_.find(value); found != shadows_.end())
      return found->second;
    Type *type = shadowType(value->getType());
    return isUndefinedScalar(value) ? Constant::getAllOnesValue(type) : Constant::getNullValue(type);
  }

  void setShadow(const Instruction &instruction, Value *shadow) { shadows_[&instruction] = shadow; }

  /// Whether a bit is set, as one bit.
  Value *any(Value *shadow) {
    Type *type = shadow->getType();
    if (type->isIntegerTy())
      return type->isIntegerTy(1) ? shadow : b_.CreateICmpNE(shadow, Constant::getNullValue(type));
    if (isZero(shadow))
      return b_.getFalse();
    auto *vector = dyn_cast<FixedVectorType>(type);
    const uint64_t count = vector                 ? vector->getNumElements()
                           : isa<ArrayType>(type) ? type->getArrayNumElements()
                                                  : type->getStructNumElements();
    Value *result = b_.getFalse(), *bits = nullptr;
    for (unsigned i = 0; i < count; ++i) {
      if (vector) {
        Value *element = b_.CreateExtractElement(shadow, i);
        bits = bits ? b_.CreateOr(bits, element) : element;
      } else {
        result = b_.CreateOr(result, any(b_.CreateExtractValue(shadow, i)));
      }
    }
    return bits ? any(bits) : result;
  }

  /// All bits of an element of `type` if a bit of the element is set; of all elements if the numbers of elements differ.
  Value *spread(Value *shadow, Type *type) {
    auto *from = dyn_cast<FixedVectorType>(shadow->getType());
    auto *to = dyn_cast<FixedVectorType>(type);
    if (!type->isIntOrIntVectorTy())
      return b_.CreateSelect(any(shadow), Constant::getAllOnesValue(type), Constant::getNullValue(type));
    if ((from && to && from->getNumElements() == to->getNumElements()) || (!to && shadow->getType()->isIntegerTy()))
      return b_.CreateSExt(b_.CreateICmpNE(shadow, Constant::getNullValue(shadow->getType())), type);
    Value *all = b_.CreateSExt(any(shadow), type->getScalarType());
    return to ? b_.CreateVectorSplat(to->getNumElements(), all) : all;
  }

  Value *asInteger(Value *value) {
    Type *type = shadowType(value->getType());
    return value->getType() == type ? value : b_.CreateBitCast(value, type);
  }

  void visit(Instruction &instruction) {
    if (isOfChecks(instruction) && !instruction.isTerminator())
      return;
    b_.SetInsertPoint(isa<PHINode>(instruction) ? instruction.getParent()->getFirstNonPHI() : &instruction);
    b_.SetCurrentDebugLocation(instruction.getDebugLoc());
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return visitLoad(*load);
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return visitStore(*store);
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return visitUpdate(*update);
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return visitExchange(*exchange);
    if (auto *memory = dyn_cast<MemIntrinsic>(&instruction))
      return visitMemory(*memory);
    if (auto *call = dyn_cast<CallInst>(&instruction))
      return visitCall(*call);
    if (auto *branch = dyn_cast<BranchInst>(&instruction)) {
      if (branch->isConditional() && !isOfChecks(instruction))
        checkUse(branch->getCondition(), instruction, checkDecides);
      return;
    }
    if (auto *choice = dyn_cast<SwitchInst>(&instruction))
      return checkUse(choice->getCondition(), instruction, checkDecides);
    if (auto *binary = dyn_cast<BinaryOperator>(&instruction); binary && binary->isIntDivRem())
      checkUse(binary->getOperand(1), instruction, checkDivides);
    if (isa<ExtractElementInst>(instruction))
      checkUse(instruction.getOperand(1), instruction, checkAddresses);
    if (isa<InsertElementInst>(instruction))
      checkUse(instruction.getOperand(2), instruction, checkAddresses);
    if (!suspects_.contains(&instruction) || isa<PHINode>(instruction))
      return;
    if (Value *shadow = compute(instruction))
      setShadow(instruction, shadow);
  }

  Value *compute(Instruction &instruction) {
    Type *type = shadowType(instruction.getType());
    if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
      return ofBinary(*binary);
    if (auto *cast = dyn_cast<CastInst>(&instruction))
      return ofCast(*cast, type);
    if (auto *compare = dyn_cast<ICmpInst>(&instruction);
        compare && compare->getOperand(0)->getType()->isIntOrIntVectorTy())
      return ofCompare(*compare);
    if (isa<CmpInst>(instruction))
      return spread(b_.CreateOr(shadowOf(instruction.getOperand(0)), shadowOf(instruction.getOperand(1))), type);
    if (auto *select = dyn_cast<SelectInst>(&instruction))
      return ofSelect(*select);
    if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
      return ofAddress(*address, type);
    if (isa<UnaryOperator>(instruction))
      return shadowOf(instruction.getOperand(0));
    if (isa<ExtractElementInst>(instruction))
      return b_.CreateExtractElement(shadowOf(instruction.getOperand(0)), instruction.getOperand(1));
    if (isa<InsertElementInst>(instruction))
      return b_.CreateInsertElement(shadowOf(instruction.getOperand(0)), shadowOf(instruction.getOperand(1)),
                                    instruction.getOperand(2));
    if (auto *extract = dyn_cast<ExtractValueInst>(&instruction))
      return b_.CreateExtractValue(shadowOf(extract->getAggregateOperand()), extract->getIndices());
    if (auto *insert = dyn_cast<InsertValueInst>(&instruction))
      return b_.CreateInsertValue(shadowOf(insert->getAggregateOperand()), shadowOf(insert->getInsertedValueOperand()),
                                  insert->getIndices());
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
      return ofShuffle(*shuffle);
    return nullptr;
  }

  Value *ofBinary(BinaryOperator &operation) {
    Value *left = operation.getOperand(0), *right = operation.getOperand(1);
    Value *a = shadowOf(left), *b = shadowOf(right);
    Type *type = a->getType();
    Value *both = b_.CreateOr(a, b);
    switch (operation.getOpcode()) {
    case Instruction::And:
      return b_.CreateOr(b_.CreateAnd(a, b), b_.CreateOr(b_.CreateAnd(left, b), b_.CreateAnd(a, right)));
    case Instruction::Or:
      return b_.CreateOr(b_.CreateAnd(a, b),
                         b_.CreateOr(b_.CreateAnd(b_.CreateNot(left), b), b_.CreateAnd(a, b_.CreateNot(right))));
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: {
      Value *amount = right;
      if (!isa<Constant>(right)) // what is too large is undefined, not uninitialized
        amount = b_.CreateAnd(right, ConstantInt::get(type, PowerOf2Ceil(type->getScalarSizeInBits()) - 1));
      Value *shifted = b_.CreateBinOp(operation.getOpcode(), a, amount);
      return isZero(b) ? shifted : b_.CreateOr(shifted, spread(b, type));
    }
    case Instruction::Mul: return ofProduct(left, right, a, b);
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: return spread(both, type);
    default: return both;
    }
  }

  // Bits from the lowest uninitialized one on, unless one factor is zero.
  Value *ofProduct(Value *left, Value *right, Value *a, Value *b) {
    Value *both = b_.CreateOr(a, b);
    const APInt *factor = nullptr;
    if (isZero(b) && getConstant(right, factor) && factor->isPowerOf2())
      return b_.CreateShl(a, ConstantInt::get(a->getType(), factor->logBase2()));
    Value *result = b_.CreateOr(both, b_.CreateNeg(both)), *zero = Constant::getNullValue(both->getType());
    auto exceptZero = [&](Value *value, Value *shadow) {
      if (!isa<Constant>(value))
        result = b_.CreateSelect(b_.CreateICmpEQ(b_.CreateOr(value, shadow), zero), zero, result);
    };
    if (left->getType()->isIntegerTy()) {
      exceptZero(left, a);
      exceptZero(right, b);
    }
    return result;
  }

  static bool getConstant(const Value *value, const APInt *&number) {
    auto *constant = dyn_cast<Constant>(value);
    auto *scalar = constant && constant->getType()->isVectorTy() ? constant->getSplatValue() : constant;
    auto *integer = dyn_cast_or_null<ConstantInt>(scalar);
    number = integer ? &integer->getValue() : nullptr;
    return number;
  }

  Value *ofCast(CastInst &cast, Type *type) {
    Value *from = shadowOf(cast.getOperand(0));
    switch (cast.getOpcode()) {
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::BitCast: return b_.CreateCast(cast.getOpcode(), from, type);
    case Instruction::PtrToInt:
    case Instruction::IntToPtr: return b_.CreateZExtOrTrunc(from, type);
    case Instruction::AddrSpaceCast: return from;
    default: return spread(from, type);
    }
  }

  // The result is known if it is the same for the least and the largest values that the operands may have.
  Value *ofCompare(ICmpInst &compare) {
    Value *left = compare.getOperand(0), *right = compare.getOperand(1);
    Value *a = shadowOf(left), *b = shadowOf(right);
    Value *zero = Constant::getNullValue(a->getType());
    if (compare.isEquality()) {
      Value *both = b_.CreateOr(a, b);
      Value *different = b_.CreateAnd(b_.CreateXor(left, right), b_.CreateNot(both));
      return b_.CreateAnd(b_.CreateICmpNE(both, zero), b_.CreateICmpEQ(different, zero));
    }
    const bool isSigned = compare.isSigned();
    const unsigned bits = a->getType()->getScalarSizeInBits();
    Value *sign = ConstantInt::get(a->getType(), isSigned ? APInt::getSignMask(bits) : APInt::getZero(bits));
    auto bound = [&](Value *value, Value *shadow, bool largest) {
      if (isZero(shadow))
        return value;
      Value *known = b_.CreateAnd(value, b_.CreateNot(shadow));
      return b_.CreateOr(known, b_.CreateAnd(shadow, largest ? b_.CreateNot(sign) : sign));
    };
    Value *one = b_.CreateICmp(compare.getPredicate(), bound(left, a, false), bound(right, b, true));
    Value *other = b_.CreateICmp(compare.getPredicate(), bound(left, a, true), bound(right, b, false));
    return b_.CreateXor(one, other);
  }

  Value *ofSelect(SelectInst &select) {
    Value *yes = select.getTrueValue(), *no = select.getFalseValue();
    Value *condition = shadowOf(select.getCondition());
    Value *a = shadowOf(yes), *b = shadowOf(no);
    Value *chosen = b_.CreateSelect(select.getCondition(), a, b);
    if (isZero(condition) || yes == no)
      return chosen;
    Value *different = Constant::getAllOnesValue(a->getType());
    if (yes->getType()->isIntOrIntVectorTy() || yes->getType()->isFPOrFPVectorTy())
      different = b_.CreateOr(b_.CreateXor(asInteger(yes), asInteger(no)), b_.CreateOr(a, b));
    return b_.CreateSelect(condition, different, chosen);
  }

  Value *ofAddress(GetElementPtrInst &address, Type *type) {
    if (!type->isIntegerTy())
      return Constant::getNullValue(type);
    Value *all = shadowOf(address.getPointerOperand());
    for (Value *index : address.indices())
      if (Value *shadow = shadowOf(index); !isZero(shadow))
        all = b_.CreateOr(all, b_.CreateSExtOrTrunc(shadow, type));
    return all;
  }

  Value *ofShuffle(ShuffleVectorInst &shuffle) {
    SmallVector<int, 16> order(shuffle.getShuffleMask().begin(), shuffle.getShuffleMask().end());
    SmallVector<Constant *, 16> kept;
    bool all = true;
    Type *element = cast<VectorType>(shadowType(shuffle.getType()))->getElementType();
    for (int &from : order) {
      kept.push_back(from < 0 ? Constant::getNullValue(element) : Constant::getAllOnesValue(element));
      all = all && from >= 0;
      from = std::max(from, 0);
    }
    Value *shuffled = b_.CreateShuffleVector(shadowOf(shuffle.getOperand(0)), shadowOf(shuffle.getOperand(1)), order);
    return all ? shuffled : b_.CreateAnd(shuffled, ConstantVector::get(kept));
  }

  // Memory.

  // A phi beside another one, which is filled in later. Until then nothing is known of its value; of an empty one LLVM would know everything.
  PHINode *twinOf(const PHINode &phi, Type *type) {
    Instruction *&unknown = unknown_[type];
    if (!unknown)
      unknown = new FreezeInst(UndefValue::get(type), "", prologue_);
    PHINode *twin = b_.CreatePHI(type, phi.getNumIncomingValues());
    for (BasicBlock *block : phi.blocks())
      twin->addIncoming(unknown, block);
    return twin;
  }

  static Instruction *behind(Instruction &instruction) {
    return isa<PHINode>(instruction) ? instruction.getParent()->getFirstNonPHI() : instruction.getNextNode();
  }

  /// The address of the shadow at a pointer, made where the pointer is.
  Value *addressOf(Value *pointer) {
    if (const auto found = addresses_.find(pointer); found != addresses_.end())
      return found->second;
    const IRBuilderBase::InsertPointGuard comeBack(b_);
    if (auto *variable = dyn_cast<AllocaInst>(pointer))
      if (const auto found = variables_.find(variable); found != variables_.end())
        return found->second.shadow;
    auto *instruction = dyn_cast<Instruction>(pointer);
    if (instruction && !instruction->isTerminator())
      b_.SetInsertPoint(behind(*instruction));
    else
      b_.SetInsertPoint(prologue_);
    b_.SetCurrentDebugLocation(instruction ? instruction->getDebugLoc() : DebugLoc());
    if (auto *address = dyn_cast<GetElementPtrInst>(pointer); address && !address->getType()->isVectorTy()) {
      Value *base = addressOf(address->getPointerOperand());
      auto *twin = cast<GetElementPtrInst>(address->clone());
      twin->setOperand(0, base);
      b_.SetInsertPoint(behind(*instruction));
      b_.Insert(twin);
      return addresses_[pointer] = twin;
    }
    if (isa<BitCastInst>(pointer))
      return addresses_[pointer] = addressOf(instruction->getOperand(0));
    if (auto *phi = dyn_cast<PHINode>(pointer)) {
      b_.SetInsertPoint(phi);
      PHINode *twin = twinOf(*phi, b_.getPtrTy());
      addresses_[pointer] = twin;
      addressPhis_.push_back({phi, twin});
      return twin;
    }
    if (auto *select = dyn_cast<SelectInst>(pointer); select && select->getCondition()->getType()->isIntegerTy(1)) {
      Value *yes = addressOf(select->getTrueValue()), *no = addressOf(select->getFalseValue());
      b_.SetInsertPoint(behind(*instruction));
      return addresses_[pointer] = b_.CreateSelect(select->getCondition(), yes, no);
    }
    Value *low = b_.CreateAnd(b_.CreatePtrToInt(pointer, b_.getInt64Ty()), b_.getInt64(kBitShadowMask));
    return addresses_[pointer] = b_.CreateIntToPtr(b_.CreateOr(low, b_.getInt64(kBitShadowBase)), b_.getPtrTy());
  }

  void fillPhis() {
    for (auto [phi, twin] : std::exchange(addressPhis_, {}))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        twin->setIncomingValue(i, addressOf(phi->getIncomingValue(i)));
    for (auto [phi, twin] : std::exchange(originPhis_, {}))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        twin->setIncomingValue(i, originOf(*phi->getIncomingValue(i)));
  }

  Value *loadShadow(Instruction &behindIt, Value *pointer, Type *type, Align align) {
    Value *address = addressOf(pointer);
    b_.SetInsertPoint(behind(behindIt));
    return b_.CreateAlignedLoad(shadowType(type), address, align);
  }

  void storeShadow(Instruction &behindIt, Value *pointer, Value *shadow, Align align) {
    Value *address = addressOf(pointer);
    b_.SetInsertPoint(behind(behindIt));
    b_.CreateAlignedStore(shadow, address, align);
  }

  void visitLoad(LoadInst &load) {
    if (isInvariant(load))
      return;
    checkUse(load.getPointerOperand(), load, checkAddresses);
    if (suspects_.contains(&load))
      setShadow(load, loadShadow(load, load.getPointerOperand(), load.getType(), load.getAlign()));
  }

  void visitStore(StoreInst &store) {
    Value *pointer = store.getPointerOperand(), *value = store.getValueOperand();
    checkUse(pointer, store, checkAddresses);
    const Memory memory = memoryOf(pointer);
    if (memory == Memory::initialized || !shadowType(value->getType()))
      return;
    Value *shadow = shadowOf(value);
    clearPadding(store, pointer, layout_.getTypeStoreSize(value->getType()).getFixedValue());
    storeShadow(store, pointer, shadow, store.getAlign());
    if (memory == Memory::any)
      noteStore(store, pointer, *value, shadow);
  }

  // Behind the store of the shadow, the driver is told of a value that is not initialized: it may have been written where the host can
  // see it, or where nothing is tracked.
  void noteStore(Instruction &store, Value *pointer, Value &value, Value *shadow) {
    if (isZero(shadow))
      return;
    b_.SetCurrentDebugLocation(store.getDebugLoc());
    Value *suspect = any(shadow);
    Instruction *at = &*b_.GetInsertPoint();
    b_.SetInsertPoint(SplitBlockAndInsertIfThen(suspect, at, false, unlikely()));
    b_.SetCurrentDebugLocation(store.getDebugLoc());
    const uint64_t bytes = layout_.getTypeStoreSize(value.getType()).getFixedValue();
    CallInst *call =
        report(runtime::checkStored, store, isComputed(value) ? checkComputed : 0u, {pointer, b_.getInt64(bytes)});
    pending_.push_back({call, &value});
  }

  // Not only copied. Copies may have padding in them.
  static bool isComputed(const Value &value) {
    const Type *type = value.getType();
    return type->isFloatingPointTy() || (type->isIntegerTy() && isa<BinaryOperator, CmpInst>(value));
  }

  // Padding of a structure beside a member that is written is not missing later. On both sides, because the address of the first
  // member does not show the structure.
  void clearPadding(StoreInst &store, Value *pointer, uint64_t bytes) {
    auto *address = dyn_cast<GEPOperator>(pointer);
    if (!address)
      return;
    SmallVector<std::pair<StructType *, unsigned>, 4> path; // from the outermost structure around the member
    for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
      if (StructType *structure = index.getStructTypeOrNull())
        path.push_back({structure, static_cast<unsigned>(cast<ConstantInt>(index.getOperand())->getZExtValue())});
      else
        path.clear();
    }
    Type *member = address->getResultElementType();
    for (auto *inner = dyn_cast<StructType>(member); inner && inner->getNumElements();
         inner = dyn_cast<StructType>(member)) {
      path.push_back({inner, 0});
      member = inner->getElementType(0);
    }
    if (layout_.getTypeStoreSize(member).getFixedValue() != bytes)
      return;
    uint64_t before = 0, after = 0, size = bytes; // of the member at this level
    bool atBegin = true, atEnd = true;
    for (auto [structure, field] : reverse(path)) {
      const StructLayout &places = *layout_.getStructLayout(structure);
      const uint64_t begin = places.getElementOffset(field);
      const bool isLast = field + 1 == structure->getNumElements();
      if (atEnd)
        after +=
            (isLast ? uint64_t(places.getSizeInBytes()) : uint64_t(places.getElementOffset(field + 1))) - begin - size;
      if (atBegin && field > 0)
        before += begin - places.getElementOffset(field - 1) -
                  layout_.getTypeAllocSize(structure->getElementType(field - 1)).getFixedValue();
      atEnd = atEnd && isLast;
      atBegin = atBegin && field == 0;
      size = places.getSizeInBytes();
    }
    Value *shadow = addressOf(pointer);
    b_.SetInsertPoint(behind(store));
    auto clear = [&](int64_t offset, uint64_t count) {
      constexpr uint64_t kMost = 16; // more is a structure that is aligned on purpose
      if (count && count <= kMost)
        b_.CreateAlignedStore(Constant::getNullValue(b_.getIntNTy(static_cast<unsigned>(8 * count))),
                              b_.CreateGEP(b_.getInt8Ty(), shadow, b_.getInt64(offset)), Align(1));
    };
    clear(static_cast<int64_t>(bytes), after);
    clear(-static_cast<int64_t>(before), before);
  }

  void visitUpdate(AtomicRMWInst &update) {
    Value *pointer = update.getPointerOperand(), *value = update.getValOperand();
    checkUse(pointer, update, checkAddresses);
    if (memoryOf(pointer) == Memory::initialized)
      return;
    Value *before = loadShadow(update, pointer, update.getType(), update.getAlign());
    setShadow(update, before);
    Value *shadow = shadowOf(value);
    const bool isExchange = update.getOperation() == AtomicRMWInst::Xchg;
    if (isZero(shadow) && !isExchange)
      return; // others may be updating it, too
    if (!isExchange)
      shadow = b_.CreateOr(before, shadow);
    b_.CreateAlignedStore(shadow, addressOf(pointer), update.getAlign());
  }

  void visitExchange(AtomicCmpXchgInst &exchange) {
    Value *pointer = exchange.getPointerOperand(), *compared = exchange.getCompareOperand();
    checkUse(pointer, exchange, checkAddresses);
    if (memoryOf(pointer) == Memory::initialized)
      return;
    Type *type = shadowType(compared->getType());
    Value *before = loadShadow(exchange, pointer, compared->getType(), exchange.getAlign());
    b_.SetCurrentDebugLocation(exchange.getDebugLoc());
    Value *old = b_.CreateExtractValue(&exchange, 0), *success = b_.CreateExtractValue(&exchange, 1);
    Value *both = b_.CreateOr(before, shadowOf(compared)), *zero = Constant::getNullValue(type);
    Value *outcome = b_.getFalse();
    if (compared->getType()->isIntegerTy()) {
      Value *different = b_.CreateAnd(b_.CreateXor(old, compared), b_.CreateNot(both));
      outcome = b_.CreateAnd(b_.CreateICmpNE(both, zero), b_.CreateICmpEQ(different, zero));
    }
    Value *pair = Constant::getNullValue(shadowType(exchange.getType()));
    pair = b_.CreateInsertValue(pair, before, 0);
    pair = b_.CreateInsertValue(pair, outcome, 1);
    setShadow(exchange, pair);
    Value *after = shadowOf(exchange.getNewValOperand());
    Value *changes = b_.CreateAnd(success, b_.CreateICmpNE(b_.CreateOr(before, after), zero));
    if (isZero(changes))
      return;
    Instruction *at = &*b_.GetInsertPoint();
    b_.SetInsertPoint(SplitBlockAndInsertIfThen(changes, at, false, unlikely()));
    b_.CreateAlignedStore(after, addressOf(pointer), exchange.getAlign());
  }

  /// The shadow's address, or that of zeros where memory is not tracked.
  Value *sourceOf(Value *pointer, Value *target, Memory memory) {
    Value *zeros = b_.CreateIntToPtr(b_.getInt64(kZeroShadow), b_.getPtrTy());
    if (memoryOf(pointer) == Memory::initialized)
      return zeros;
    Value *from = addressOf(pointer);
    return memory == Memory::any ? b_.CreateSelect(isTracked(target), from, zeros) : from;
  }

  Value *isTracked(Value *pointer) {
    Value *distance = b_.CreateSub(b_.CreatePtrToInt(pointer, b_.getInt64Ty()), b_.getInt64(kTrackedBegin));
    return b_.CreateICmpULT(distance, b_.getInt64(kTrackedEnd - kTrackedBegin));
  }

  void visitMemory(MemIntrinsic &memory) {
    checkUse(memory.getRawDest(), memory, checkAddresses);
    checkUse(memory.getLength(), memory, checkAddresses);
    auto *transfer = dyn_cast<MemTransferInst>(&memory);
    if (transfer)
      checkUse(transfer->getRawSource(), memory, checkAddresses);
    const Memory target = memoryOf(memory.getRawDest());
    if (target == Memory::initialized)
      return;
    Value *to = addressOf(memory.getRawDest());
    b_.SetInsertPoint(behind(memory));
    b_.SetCurrentDebugLocation(memory.getDebugLoc());
    if (transfer) {
      Value *from = sourceOf(transfer->getRawSource(), memory.getRawDest(), target);
      if (isa<MemMoveInst>(memory))
        b_.CreateMemMove(to, memory.getDestAlign(), from, transfer->getSourceAlign(), memory.getLength());
      else
        b_.CreateMemCpy(to, memory.getDestAlign(), from, transfer->getSourceAlign(), memory.getLength());
      return;
    }
    Value *shadow = shadowOf(cast<MemSetInst>(memory).getValue());
    if (!isZero(shadow) && target == Memory::any)
      shadow = b_.CreateSelect(isTracked(memory.getRawDest()), shadow, b_.getInt8(0));
    b_.CreateMemSet(to, shadow, memory.getLength(), memory.getDestAlign());
  }

  // Calls.

  void visitCall(CallInst &call) {
    if (isCollective(call)) {
      checkUse(call.getArgOperand(kCollectiveOperand), call, checkLane);
      return visitCollective(call);
    }
    const Function *callee = call.getCalledFunction();
    if (!callee) {
      if (!call.isInlineAsm())
        checkUse(call.getCalledOperand(), call, checkAddresses);
      return;
    }
    if (isPrint(*callee))
      for (Value *argument : call.args())
        checkUse(argument, call, checkPrints);
    if (!isFunctionOfArguments(call))
      return;
    if (!callee->isIntrinsic())
      clearResults(call);
    if (!suspects_.contains(&call))
      return;
    b_.SetInsertPoint(&call);
    Type *type = shadowType(call.getType());
    setShadow(call, ofFunction(call, type));
  }

  Value *ofFunction(CallInst &call, Type *type) {
    auto shadow = [&](unsigned index) { return shadowOf(call.getArgOperand(index)); };
    switch (call.getIntrinsicID()) {
    case Intrinsic::fabs:
    case Intrinsic::expect:
    case Intrinsic::ptrmask:
    case Intrinsic::ssa_copy:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group: return shadow(0);
    case Intrinsic::bswap:
    case Intrinsic::bitreverse: return b_.CreateUnaryIntrinsic(call.getIntrinsicID(), shadow(0));
    case Intrinsic::fshl:
    case Intrinsic::fshr:
      if (isZero(shadow(2)))
        return b_.CreateIntrinsic(call.getIntrinsicID(), {type}, {shadow(0), shadow(1), call.getArgOperand(2)});
      break;
    default: break;
    }
    Value *all = nullptr;
    for (Value *argument : call.args()) {
      if (!shadowType(argument->getType()))
        continue;
      Value *part = shadowOf(argument);
      if (isZero(part))
        continue;
      part = spread(part, type);
      all = all ? b_.CreateOr(all, part) : part;
    }
    return all ? all : Constant::getNullValue(type);
  }

  // What a function of the library writes behind a pointer counts as initialized.
  void clearResults(CallInst &call) {
    for (Value *argument : call.args()) {
      if (!argument->getType()->isPointerTy() || memoryOf(argument) == Memory::initialized || isItem(argument))
        continue;
      Value *shadow = addressOf(argument);
      uint64_t bytes =
          layout_.getTypeStoreSize(call.getType()->isVoidTy() ? b_.getInt32Ty() : call.getType()).getFixedValue();
      if (Variable *variable = variableOf(argument)) {
        shadow = variable->shadow;
        bytes = layout_.getTypeAllocSize(variable->shadow->getAllocatedType()).getFixedValue();
      }
      b_.SetInsertPoint(behind(call));
      b_.CreateMemSet(shadow, b_.getInt8(0), b_.getInt64(bytes), Align(1));
    }
  }

  CallInst *collective(CallInst &like, Value *value, CollectiveKind kind, FoldOperator fold = FoldOperator::bitOr) {
    auto *call = cast<CallInst>(like.clone());
    const uint32_t code = collectiveCodeOf(like);
    call->setArgOperand(kCollectiveCode,
                        b_.getInt32(collectiveCode(collectiveScope(code), kind, fold, ElementType::u64)));
    call->setArgOperand(kCollectiveValue, b_.CreateZExt(value, b_.getInt64Ty()));
    b_.Insert(call);
    return call;
  }

  // All participants of an operation make the same one with their shadows, right behind it.
  void visitCollective(CallInst &call) {
    if (!suspects_.contains(&call))
      return;
    Value *value = call.getArgOperand(kCollectiveValue), *shadow = shadowOf(value);
    if (isZero(shadow))
      return;
    b_.SetInsertPoint(behind(call));
    const CollectiveKind kind = collectiveKind(collectiveCodeOf(call));
    Value *result = nullptr;
    switch (kind) {
    case CollectiveKind::sync:
    case CollectiveKind::elect: return;
    case CollectiveKind::all:
    case CollectiveKind::any: {
      // One value that is known may decide.
      Value *zero = b_.getInt64(0);
      Value *isKnown = b_.CreateICmpEQ(shadow, zero), *isSet = b_.CreateICmpNE(value, zero);
      Value *decides = kind == CollectiveKind::any ? isSet : b_.CreateNot(isSet);
      Value *open = collective(call, any(shadow), CollectiveKind::any);
      Value *decided = collective(call, b_.CreateAnd(isKnown, decides), CollectiveKind::any);
      result = b_.CreateAnd(open, b_.CreateXor(decided, b_.getInt64(1)));
      break;
    }
    case CollectiveKind::allEqual: result = collective(call, any(shadow), CollectiveKind::any); break;
    case CollectiveKind::ballot: result = collective(call, any(shadow), CollectiveKind::ballot); break;
    case CollectiveKind::broadcast:
    case CollectiveKind::broadcastFirst:
    case CollectiveKind::shuffleXor:
    case CollectiveKind::shuffleUp:
    case CollectiveKind::shuffleDown: result = collective(call, shadow, kind); break;
    case CollectiveKind::reduce:
    case CollectiveKind::inclusiveScan:
    case CollectiveKind::exclusiveScan: result = spread(collective(call, shadow, kind), b_.getInt64Ty()); break;
    }
    setShadow(call, result);
  }

  // Reports.

  MDNode *unlikely() { return MDBuilder(function_.getContext()).createBranchWeights(1, 1u << 20); }

  /// A call of the driver whose last argument, the origin, is filled in later.
  template <class Signature>
  CallInst *report(RuntimeFunction<Signature> function, const Instruction &at, uint32_t flags,
                   ArrayRef<Value *> arguments) {
    FunctionCallee callee = declareRuntime(module_, function);
    cast<Function>(callee.getCallee())->addFnAttr(Attribute::NoUnwind);
    SmallVector<Value *, 6> values{function_.getArg(0),
                                   checkSite(at, flags, Align(1), 0, "", "use " + Twine(++number_))};
    values.append(arguments.begin(), arguments.end());
    values.push_back(b_.getInt64(0));
    return b_.CreateCall(callee, values);
  }

  void checkUse(Value *value, Instruction &at, uint32_t flags) {
    if (!shadowType(value->getType()))
      return;
    Value *shadow = shadowOf(value);
    if (isZero(shadow) || function_.arg_empty() || !reported_.insert({{shadow, flags}, blocks_.lookup(&at)}).second)
      return;
    b_.SetInsertPoint(&at);
    b_.SetCurrentDebugLocation(at.getDebugLoc());
    Value *suspect = any(shadow);
    if (isZero(suspect))
      return;
    b_.SetInsertPoint(SplitBlockAndInsertIfThen(suspect, &at, false, unlikely()));
    b_.SetCurrentDebugLocation(at.getDebugLoc());
    pending_.push_back({report(runtime::checkUninitialized, at, flags, {}), value});
    b_.SetInsertPoint(&at);
    b_.SetCurrentDebugLocation(at.getDebugLoc());
  }

  // Origins: the address of the memory that uninitialized bits of a value come from, or of a constant that names a private variable.

  Value *originOf(const Value &value) {
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !suspects_.contains(instruction))
      return b_.getInt64(0);
    if (const auto found = origins_.find(instruction); found != origins_.end())
      return found->second;
    constexpr unsigned kMaxDepth = 2000;
    if (depth_ == kMaxDepth)
      return b_.getInt64(0);
    ++depth_;
    Value *origin = makeOrigin(const_cast<Instruction &>(*instruction));
    --depth_;
    return origins_[instruction] = origin;
  }

  Value *makeOrigin(Instruction &instruction) {
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      b_.SetInsertPoint(phi);
      PHINode *twin = twinOf(*phi, b_.getInt64Ty());
      originPhis_.push_back({phi, twin});
      return twin;
    }
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      pointer = update->getPointerOperand();
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      pointer = exchange->getPointerOperand();
    if (pointer) {
      Variable *variable = variableOf(pointer);
      Value *from = variable ? originVariable(*variable, pointer) : nullptr;
      start(instruction);
      return from ? b_.CreateLoad(b_.getInt64Ty(), from)
                  : b_.CreatePtrToInt(const_cast<Value *>(pointer), b_.getInt64Ty());
    }
    if (auto *call = dyn_cast<CallInst>(&instruction); call && isCollective(*call))
      return ofCollective(*call);
    SmallVector<std::pair<const Value *, Value *>, 4> parts;
    for (const Value *operand : instruction.operands())
      if (auto *part = dyn_cast<Instruction>(operand); part && suspects_.contains(part) && !isZero(shadowOf(part)))
        parts.push_back({part, originOf(*part)});
    start(instruction);
    Value *origin = b_.getInt64(0);
    for (auto [part, from] : parts)
      origin = parts.size() == 1 ? from : b_.CreateSelect(any(shadowOf(part)), from, origin);
    return origin;
  }

  void start(Instruction &instruction) {
    b_.SetInsertPoint(behind(instruction));
    b_.SetCurrentDebugLocation(instruction.getDebugLoc());
  }

  // That of the lane whose value has been taken, or of some lane.
  Value *ofCollective(CallInst &call) {
    Value *value = call.getArgOperand(kCollectiveValue), *own = originOf(*value), *shadow = shadowOf(value);
    if (isZero(shadow))
      return b_.getInt64(0);
    start(call);
    own = b_.CreateSelect(any(shadow), own, b_.getInt64(0));
    switch (const CollectiveKind kind = collectiveKind(collectiveCodeOf(call))) {
    case CollectiveKind::broadcast:
    case CollectiveKind::broadcastFirst:
    case CollectiveKind::shuffleXor:
    case CollectiveKind::shuffleUp:
    case CollectiveKind::shuffleDown:
    case CollectiveKind::reduce:
    case CollectiveKind::inclusiveScan:
    case CollectiveKind::exclusiveScan: return collective(call, own, kind, FoldOperator::maximum);
    default: {
      CallInst *most = collective(call, own, CollectiveKind::reduce, FoldOperator::maximum);
      most->setArgOperand(kCollectiveOperand, b_.getInt64(0));
      return most;
    }
    }
  }

  // Follows what is stored in a private variable, as a whole.
  Value *originVariable(Variable &variable, const Value *pointer) {
    if (variable.origin)
      return variable.origin;
    auto *named = cast<AllocaInst>(getUnderlyingObject(pointer, 0));
    b_.SetInsertPoint(variable.shadow);
    b_.SetCurrentDebugLocation(DebugLoc());
    variable.origin = b_.CreateAlloca(b_.getInt64Ty());
    StringRef name = named->getName();
    GlobalVariable *site =
        checkSite(*named, checkPrivate, Align(1), layout_.getTypeAllocSize(named->getAllocatedType()).getFixedValue(),
                  name, "a variable");
    for (Instruction *begin : variable.begins) {
      b_.SetInsertPoint(begin);
      b_.CreateStore(b_.CreatePtrToInt(site, b_.getInt64Ty()), variable.origin);
    }
    for (StoreInst *store : variable.stores) {
      const Value &value = *store->getValueOperand();
      Value *shadow = shadowType(value.getType()) ? shadowOf(&value) : nullptr;
      if (!shadow || isZero(shadow) || !isa<Instruction>(value))
        continue;
      Value *origin = originOf(value);
      start(*store);
      Value *before = b_.CreateLoad(b_.getInt64Ty(), variable.origin);
      b_.CreateStore(b_.CreateSelect(any(shadow), origin, before), variable.origin);
    }
    return variable.origin;
  }

  Function &function_;
  Module &module_;
  const DataLayout &layout_;
  Builder b_;
  Instruction *prologue_ = nullptr; ///< what is needed everywhere stands before it
  MapVector<AllocaInst *, Variable> variables_;
  SmallPtrSet<const Instruction *, 32> suspects_;
  SmallPtrSet<const Instruction *, 16> made_;
  DenseMap<Type *, Instruction *> unknown_;
  DenseMap<const Value *, Value *> shadows_;
  DenseMap<const Value *, Value *> addresses_;
  DenseMap<const Value *, Value *> origins_;
  SmallVector<std::pair<PHINode *, PHINode *>, 16> phis_, addressPhis_, originPhis_; ///< with their twins, to be filled
  SmallVector<std::pair<CallInst *, Value *>, 32> pending_;                          ///< reports that need an origin
  DenseSet<std::pair<std::pair<Value *, uint32_t>, const BasicBlock *>> reported_;
  DenseMap<const Instruction *, const BasicBlock *> blocks_; ///< as they were at first
  unsigned number_ = 0;
  unsigned depth_ = 0;
};

} // namespace

void checkInitialization(Module &module) {
  inlineProgram(module);
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(kOfBuiltinLibrary) && !function.arg_empty() &&
        function.getArg(0)->getType()->isPointerTy()) {
      forgetEffects(function);
      function.addFnAttr(kForgetsLocal);
      Propagation(function).run();
    }
}

} // namespace hiplz::cpu
