// SPDX-License-Identifier: MIT
// See checks.h.
#include "cpu/compiler/checks.h"
#include "cpu/abi/check_functions.h"
#include "cpu/compiler/access_groups.h"
#include "cpu/compiler/barrier_checks.h"
#include "cpu/compiler/bounds_tests.h"
#include "cpu/compiler/builtin_library.h"
#include "cpu/compiler/bypasses.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/compiler/checked_objects.h"
#include "cpu/compiler/follow_pointers.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/joined_accesses.h"
#include "cpu/compiler/launch_uses.h"
#include "cpu/compiler/loop_ranges.h"
#include "cpu/compiler/meetings.h"
#include "cpu/compiler/private_variables.h"
#include "cpu/compiler/runtime_parts.h"
#include "cpu/compiler/shared_intervals.h"
#include "cpu/compiler/special_reads.h"
#include "cpu/compiler/use_tags.h"
#include "cpu/vectorizer/called_functions.h"
#include "cpu/vectorizer/polling.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

class Checker {
public:
  Checker(Module &module, const ModuleTable &table, const CheckKinds &kinds)
      : module_(module), kinds_(kinds), b_(module.getContext()), barriers_(module, table) {
    for (const Kernel &kernel : table.kernels)
      kernels_[kernel.function] = &kernel.info;
  }

  void run() {
    if (kinds_.memory || kinds_.races)
      for (Function &function : module_)
        if (!function.isDeclaration() && isProgram(function))
          separateStores(function);
    if (kinds_.memory) {
      for (Function &function : module_)
        if (!function.isDeclaration())
          promotePointers(function);
      inlineUsersOfVariables(module_,
                             [](const Function &function) { return isProgram(function) && !isOfRuntime(function); });
      for (Function &function : module_)
        if (!function.isDeclaration() && isProgram(function))
          watchPrivateVariables(function, kernels_.count(&function));
    }
    if (kinds_.races) {
      masks_ = partialMasks(module_);
      for (Function &function : module_)
        if (!kernels_.count(&function) || !function.use_empty())
          findSharedElsewhere(function, sharedElsewhere_);
    }
    for (Function &function : module_)
      if (!function.isDeclaration() && isProgram(function))
        instrument(function);
  }

private:
  static bool isProgram(const Function &function) {
    return !function.hasFnAttribute(kOfBuiltinLibrary) && !isOfHeap(function);
  }

  void instrument(Function &function) {
    lifetimes_.emplace(function);
    SmallVector<Access, 32> accesses;
    SmallVector<CallInst *, 4> barriers, meetings, heapCalls;
    SmallVector<FenceInst *, 4> fences;
    SmallVector<MemCpyInst *, 4> copies;
    for (Instruction &instruction : instructions(function)) {
      collectAccesses(instruction, accesses);
      if (auto *fence = dyn_cast<FenceInst>(&instruction); fence && !fence->hasMetadata(kOfBlock))
        fences.push_back(fence);
      if (auto *copy = dyn_cast<MemCpyInst>(&instruction))
        copies.push_back(copy);
      if (auto *call = dyn_cast<CallInst>(&instruction)) {
        if (isGroupBarrier(*call))
          barriers.push_back(call);
        else if (isCollective(*call))
          meetings.push_back(call);
        else if (const Function *called = call->getCalledFunction();
                 called && (allocates(*called) || releases(*called)))
          heapCalls.push_back(call);
      }
    }
    if (kinds_.races) {
      findNeeded(function, accesses);
      joinNeighbours(accesses, [&](const Access &access) {
        return !needed_.count(access.instruction) &&
               mayJoin(access, find(access.instruction->getOperand(access.operand), function));
      });
    }
    const bool areCommon = barriers_.areCommon(function, barriers);
    const bool areCounted = kinds_.races && areCommon && barriers_.isAllOrder(function);
    if (areCommon && !kinds_.races)
      barriers.clear();
    if (kinds_.ofAccesses() || !barriers.empty())
      forgetEffects(function);
    std::vector<const Instruction *> past; // of each barrier, before there are checks, which have effects as well
    for (const CallInst *barrier : barriers)
      past.push_back(kinds_.barriers && kernels_.count(&function) ? effectPast(*barrier) : nullptr);
    number_ = 0;
    isAnyWaiting_ = false;
    intervals_.reset();
    if (kinds_.races && areCommon)
      intervals_.emplace(function, *kernels_.lookup(&function), accesses, barriers, sharedElsewhere_);
    mayWait_ = areCounted && none_of(accesses, [&](const Access &access) { return ordersShared(access); });
    findUses(function, accesses);
    if (kinds_.memory || kinds_.races) { // synccheck asks nothing of accesses
      groups_.emplace(function, accesses, [&](const Access &access) { return targetOf(access); });
      for (const auto &access : enumerate(accesses))
        check(access.value(), access.index());
      for (CallInst *heapCall : heapCalls)
        followHeap(*heapCall);
    }
    if (kinds_.memory)
      for (MemCpyInst *copy : copies)
        checkOverlap(*copy);
    if (kinds_.races)
      for (FenceInst *fence : fences)
        behind(*fence, runtime::checkFence);
    if (areCounted)
      barriers_.count(function, barriers, isAnyWaiting_);
    else if (kinds_.barriers || kinds_.races)
      barriers_.watch(barriers, past);
    if (kinds_.races)
      for (CallInst *meeting : meetings) {
        if (Value *mask = masks_.lookup(meeting))
          behind(*meeting, runtime::checkMetSome, mask);
        else
          behind(*meeting, runtime::checkMet);
      }
  }

  Object find(Value *pointer, Function &function) {
    const DataLayout &layout = module_.getDataLayout();
    pointer = rootOf(pointer);
    if (auto *instruction = dyn_cast<Instruction>(pointer))
      if (const MDNode *local = instruction->getMetadata(kLocalObject))
        return {pointer, mdconst::extract<ConstantInt>(local->getOperand(1))->getZExtValue(), checkShared,
                cast<MDString>(local->getOperand(0))->getString()};
    if (auto *variable = dyn_cast<AllocaInst>(pointer)) {
      const auto bytes = variable->getAllocationSizeInBits(layout);
      return {pointer, bytes ? bytes->getFixedValue() / 8 : 0, checkPrivate, variable->getName()};
    }
    if (auto *variable = dyn_cast<GlobalVariable>(pointer))
      return {pointer, layout.getTypeAllocSize(variable->getValueType()).getFixedValue(), checkVariable,
              variable->getName()};
    Object object;
    if (auto *argument = dyn_cast<Argument>(pointer)) {
      object.ours = argument->getArgNo() == 0; // the WorkItem
      if (const KernelInfo *kernel = kernels_.lookup(&function); kernel && !object.ours) {
        const auto &[kind, offset, size, align] = kernel->args[argument->getArgNo() - 1];
        object.ours = kind == ArgKind::image;
        if (kind == ArgKind::byValue) {
          object = {pointer, size, checkPrivate, "a parameter"};
        } else if (kind == ArgKind::localPointer) {
          object.base = pointer;
          object.flags = checkDynamic;
          object.name = "the dynamic shared memory";
        } else if (kind == ArgKind::globalPointer) {
          object.base = pointer;
          object.parameter = argument->getArgNo();
        }
      } else if (Type *copied = argument->getParamByValType()) {
        object = {pointer, layout.getTypeAllocSize(copied).getFixedValue(), checkPrivate, "a parameter"};
      }
    } else if (auto *load = dyn_cast<LoadInst>(pointer)) {
      // Also what the runtime has for kernels: the flag that ends them, the buffer of printf.
      auto *variable = dyn_cast<GlobalVariable>(load->getPointerOperand()->stripPointerCasts());
      object.ours =
          (variable && variable->getName().contains("__hiplz_")) ||
          (load->hasMetadata(LLVMContext::MD_invariant_load) && find(load->getPointerOperand(), function).ours);
    }
    return object;
  }

  void findUses(Function &function, ArrayRef<Access> accesses) {
    tags_.reset();
    ranges_.clear();
    const KernelInfo *kernel = kernels_.lookup(&function);
    if (!kinds_.races || !kernel || !function.use_empty())
      return;
    uses_.emplace(function, *kernel, accesses, [&](const Access &access) {
      const Object object = find(access.instruction->getOperand(access.operand), *access.instruction->getFunction());
      return AccessedMemory{object.ours || object.flags != 0, object.parameter};
    });
    if (!uses_->isAnySimple())
      return;
    if (!kinds_.memory) // which tells each access
      ranges_ = findLoopRanges(function, accesses, [&](const Access &access) {
        return uses_->isSimple(find(access.instruction->getOperand(access.operand), function).parameter);
      });
    tags_.emplace(function, *uses_, accesses.size());
  }

  // Reads of shared variables that memcheck has nothing to say about, where less than all who read need the value.
  void findNeeded(Function &function, ArrayRef<Access> accesses) {
    needed_.clear();
    const DominatorTree tree(function);
    const DataLayout &layout = module_.getDataLayout();
    for (const Access &access : accesses)
      if (auto *load = dyn_cast<LoadInst>(access.instruction); load && load->isSimple()) {
        const Value *pointer = load->getPointerOperand();
        const Object object = find(load->getPointerOperand(), function);
        if (object.flags & checkShared && staysInside(*pointer, object, *access.bytes, layout) &&
            staysAligned(*pointer, object, access.align, layout))
          if (Instruction *place = whereNeeded(*load, tree))
            needed_[load] = place;
      }
  }

  // Variables of the work-item are looked at one by one: they may exist no more.
  static bool mayJoin(const Access &access, const Object &object) {
    return !object.ours && !(object.flags & checkPrivate) &&
           !isWordAround(access.instruction->getOperand(access.operand), access.bytes);
  }

  // True for an access that may order other work-items of the block, beside barriers.
  bool ordersShared(const Access &access) {
    return access.flags & (checkAtomic | checkVolatile) &&
           (learns(access) ||
            (intervals_->verdict(access) != SharedIntervals::Verdict::ordered &&
             !find(access.instruction->getOperand(access.operand), *access.instruction->getFunction()).parameter));
  }

  void check(Access &access, size_t index) {
    Instruction &instruction = *access.instruction;
    Value *pointer = instruction.getOperand(access.operand);
    Object object = find(pointer, *instruction.getFunction());
    if (object.ours)
      return;
    if (auto *variable = dyn_cast_or_null<AllocaInst>(object.base);
        variable && kinds_.memory && lifetimes_->mayBeGone(*variable, instruction))
      object = {}; // the driver knows
    if (isWordAround(pointer, access.bytes))
      access.bytes = b_.getInt64(1);
    if (comparesWithMemory(instruction))
      access.flags |= checkAtomic;
    if (kinds_.races && access.flags & checkVolatile && isa<LoadInst>(instruction) && decidesBranch(instruction))
      access.flags |= checkFlag;
    if (instruction.hasMetadata(kOfBlock))
      access.flags |= checkBlockScope;
    if (isReleaseOrStronger(orderingOf(instruction)))
      access.flags |= checkReleases;
    if (isOfRuntime(*instruction.getFunction()))
      access.flags |= checkOfRuntime;
    using Verdict = SharedIntervals::Verdict;
    const Verdict verdict = intervals_ ? intervals_->verdict(access) : Verdict::mayRace;
    if (verdict == Verdict::ordered)
      access.flags |= checkOrdered;
    else if (mayWait_)
      access.flags |= checkMayWait;
    const bool isPrivate = object.flags & checkPrivate, isKnown = object.bytes != 0;
    const bool mayRace = kinds_.races && !isPrivate && verdict != Verdict::ordered;
    const uint64_t number = ++number_;
    const bool isInside = isKnown && staysInside(*pointer, object, *access.bytes, module_.getDataLayout());
    const bool isAligned = staysAligned(*pointer, object, access.align, module_.getDataLayout());
    const bool mayBeConstant = kinds_.memory && object.flags & checkVariable && access.flags & checkWrite;
    if (isInside && isAligned && !mayRace && !mayBeConstant)
      return;
    if (!mayRace && (!kinds_.memory || (isPrivate && !isKnown)))
      return;
    b_.SetInsertPoint(&instruction);
    b_.SetCurrentDebugLocation(instruction.getDebugLoc());
    GlobalVariable *site = checkSite(
        instruction, access.flags | object.flags | object.parameter << kCheckParameterShift, access.align, object.bytes,
        object.name, "access " + Twine(number), constantBytes(access), tags_ ? static_cast<uint32_t>(number) : 0);
    if (kinds_.memory)
      relaxAlignment(instruction);
    Instruction *place = mayRace ? needed_.lookup(&instruction) : nullptr;
    if (place) {
      b_.SetInsertPoint(place);
      b_.SetCurrentDebugLocation(instruction.getDebugLoc());
    }
    Value *base = object.base ? object.base : ConstantPointerNull::get(b_.getPtrTy());
    if (mayRace && learns(access))
      hasSeen(instruction, pointer, site);
    Value *overlap = nullptr;
    if (mayRace && !place && verdict == Verdict::ownElements && (!kinds_.memory || isKnown))
      overlap = mayOverlap(b_, item(instruction), intervals_->ownElements(access));
    if (overlap && (!kinds_.memory || (isInside && isAligned))) {
      b_.SetInsertPoint(tests_.splitIf(overlap, instruction));
      call(runtime::checkAccess, {item(instruction), pointer, access.bytes, base, site});
      return;
    }
    if (const auto range = ranges_.find(&instruction); range != ranges_.end()) {
      b_.SetInsertPoint(range->second.before);
      call(runtime::checkAccess, {item(instruction), range->second.begin, range->second.bytes, base, site});
      return;
    }
    if (tags_ && tags_->mayTag(object.parameter, constantBytes(access))) {
      Value *isWrong = kinds_.memory && !isAligned && access.align.value() > 1
                           ? tests_.isMisaligned(b_.CreatePtrToInt(pointer, b_.getInt64Ty()), access.align)
                           : nullptr;
      const UseTags::Tagged tagged{pointer,
                                   constantBytes(access),
                                   object.parameter,
                                   static_cast<uint32_t>(number),
                                   (access.flags & checkWrite) != 0,
                                   isWrong};
      for (Instruction *where : tags_->whereCalled(tagged, instruction)) {
        b_.SetInsertPoint(where);
        call(runtime::checkAccess, {item(instruction), pointer, access.bytes, base, site});
      }
      return;
    }
    if (const bool isDynamic = object.flags & checkDynamic; mayRace && !overlap && access.flags & checkMayWait &&
                                                            (isAligned || !kinds_.memory) &&
                                                            (isDynamic || (isKnown && object.flags & checkShared))) {
      Value *size = isDynamic ? dynamicBytes(b_, item(instruction), base) : b_.getInt64(object.bytes);
      isAnyWaiting_ = true;
      call(runtime::checkShared, {item(instruction), pointer, access.bytes, base, site, size});
      return;
    }
    if (constantBytes(access) && constantBytes(access) <= AccessGroups::kMostBytes && !isPrivate && !mayBeConstant &&
        canTest(object)) {
      AccessGroup alone;
      alone.members.push_back({0, constantBytes(access), alignToTest(access, object, isAligned)});
      alone.pointer = pointer;
      const auto [common, member] = groups_->find(index);
      AccessGroup &group = common ? *common : alone;
      b_.SetInsertPoint(whereSuspect(group, object, instruction));
      if (member)
        pointer = b_.CreateGEP(b_.getInt8Ty(), group.pointer,
                               b_.getInt64(static_cast<uint64_t>(group.members[member].offset)));
      call(runtime::checkAccess, {item(instruction), pointer, access.bytes, base, site})->addFnAttr(Attribute::Cold);
      return;
    }
    if (!isKnown || mayBeConstant || (mayRace && !overlap)) {
      call(runtime::checkAccess, {item(instruction), pointer, access.bytes, base, site});
      return;
    }
    Value *offset = b_.CreateSub(b_.CreatePtrToInt(pointer, b_.getInt64Ty()), b_.CreatePtrToInt(base, b_.getInt64Ty()));
    Value *bytes = b_.CreateZExtOrTrunc(access.bytes, b_.getInt64Ty());
    Value *size = b_.getInt64(object.bytes);
    Value *outside = b_.CreateOr(b_.CreateICmpUGT(offset, size), b_.CreateICmpUGT(bytes, b_.CreateSub(size, offset)));
    Value *wrong = isAligned ? outside : b_.CreateOr(outside, tests_.isMisaligned(offset, access.align));
    if (overlap)
      wrong = b_.CreateOr(wrong, overlap);
    b_.SetInsertPoint(tests_.splitIf(wrong, instruction));
    call(runtime::checkAccess, {item(instruction), pointer, access.bytes, base, site});
    if (!isPrivate)
      return;
    // The stack of a work-item is that of the driver's thread as well: an access outside goes to the array's beginning.
    b_.SetInsertPoint(&instruction);
    instruction.setOperand(access.operand, b_.CreateSelect(outside, base, pointer));
    if (auto *memory = dyn_cast<MemIntrinsic>(&instruction))
      memory->setLength(
          b_.CreateSelect(outside, ConstantInt::get(memory->getLength()->getType(), 0), memory->getLength()));
  }

  // An assignment to itself is allowed.
  void checkOverlap(MemCpyInst &copy) {
    const Object to = find(copy.getDest(), *copy.getFunction()), from = find(copy.getSource(), *copy.getFunction());
    if (to.ours || from.ours || (to.bytes && from.bytes && to.base != from.base))
      return;
    b_.SetInsertPoint(&copy);
    b_.SetCurrentDebugLocation(copy.getDebugLoc());
    Type *number = b_.getInt64Ty();
    Value *length = b_.CreateZExtOrTrunc(copy.getLength(), number);
    Value *distance =
        b_.CreateSub(b_.CreatePtrToInt(copy.getDest(), number), b_.CreatePtrToInt(copy.getSource(), number));
    Value *isNear = b_.CreateOr(b_.CreateICmpULT(distance, length), b_.CreateICmpULT(b_.CreateNeg(distance), length));
    Value *isOverlap = b_.CreateAnd(isNear, b_.CreateICmpNE(distance, b_.getInt64(0)));
    GlobalVariable *site = checkSite(copy, checkWrite, Align(1), 0, "", "a copy");
    b_.SetInsertPoint(tests_.splitIf(isOverlap, copy));
    call(runtime::checkOverlap, {item(copy), copy.getDest(), length, site});
  }

  AccessGroups::Target targetOf(const Access &access) {
    Instruction &instruction = *access.instruction;
    const Value *pointer = instruction.getOperand(access.operand);
    const Object object = find(const_cast<Value *>(pointer), *instruction.getFunction());
    const DataLayout &layout = module_.getDataLayout();
    const bool isAligned = staysAligned(*pointer, object, access.align, layout);
    const bool isTested = mayJoin(access, object) && !(object.flags & checkVariable && access.flags & checkWrite) &&
                          !(object.bytes && isAligned && staysInside(*pointer, object, *access.bytes, layout)) &&
                          canTest(object);
    return {object.base, alignToTest(access, object, isAligned), isTested};
  }

  // Of what is known to be a variable, the program has chosen the alignment.
  static Align alignToTest(const Access &access, const Object &object, bool isAligned) {
    return isAligned && object.flags ? Align(1) : access.align;
  }

  bool canTest(const Object &object) const {
    return !kinds_.races &&
           (object.bytes || object.flags & checkDynamic || (kinds_.shadow && (!object.base || object.parameter)));
  }

  // Where to make the call for an access of a group: where the code itself finds that one of them may be wrong.
  Instruction *whereSuspect(AccessGroup &group, const Object &object, Instruction &instruction) {
    if (group.where)
      return group.where;
    if (object.flags & checkDynamic)
      group.where =
          tests_.outsideObject(group, object.base, dynamicBytes(b_, item(instruction), object.base), instruction);
    else if (object.bytes)
      group.where = tests_.outsideObject(group, object.base, b_.getInt64(object.bytes), instruction);
    else if (object.parameter)
      group.where = tests_.outsideParameter(group, object.parameter, instruction);
    else
      group.where = tests_.inForbidden(group, instruction);
    return group.where;
  }

  // Memory of the device's heap: what is allocated gets room around it, and what is freed is not used again for a while.
  void followHeap(CallInst &heapCall) {
    const unsigned last = heapCall.arg_size() - 1;
    Value *argument = heapCall.getArgOperand(last), *site = checkSite(heapCall, 0, Align(1), 0, "", "a call");
    b_.SetInsertPoint(&heapCall);
    b_.SetCurrentDebugLocation(heapCall.getDebugLoc());
    if (releases(*heapCall.getCalledFunction())) {
      heapCall.setArgOperand(last, call(runtime::checkRelease, {item(heapCall), argument, site}));
      return;
    }
    heapCall.setArgOperand(last, call(runtime::checkHeapBytes, {item(heapCall), argument}));
    b_.SetInsertPoint(heapCall.getNextNode());
    call(runtime::checkAllocated, {item(heapCall), &heapCall, argument, site});
  }

  void hasSeen(Instruction &instruction, Value *pointer, GlobalVariable *site) {
    const IRBuilderBase::InsertPointGuard comeBack(b_);
    b_.SetInsertPoint(instruction.getNextNode());
    b_.SetCurrentDebugLocation(instruction.getDebugLoc());
    call(runtime::checkSeen, {item(instruction), pointer, site});
  }

  template <class Signature, class... More>
  void behind(Instruction &instruction, RuntimeFunction<Signature> function, More *...more) {
    const IRBuilderBase::InsertPointGuard comeBack(b_);
    b_.SetInsertPoint(instruction.getNextNode());
    b_.SetCurrentDebugLocation(instruction.getDebugLoc());
    call(function, {item(instruction), more...});
  }

  static Value *item(const Instruction &instruction) { return instruction.getFunction()->getArg(0); }

  template <class Signature> CallInst *call(RuntimeFunction<Signature> function, ArrayRef<Value *> arguments) {
    FunctionCallee callee = declareRuntime(module_, function);
    cast<Function>(callee.getCallee())->addFnAttr(Attribute::NoUnwind);
    SmallVector<Value *, 5> values(arguments.begin(), arguments.end());
    for (unsigned index = 0; index < values.size(); ++index)
      if (Type *wanted = callee.getFunctionType()->getParamType(index); wanted->isIntegerTy())
        values[index] = b_.CreateZExtOrTrunc(values[index], wanted);
    return b_.CreateCall(callee, values);
  }

  Module &module_;
  const CheckKinds kinds_;
  IRBuilder<> b_;
  BoundsTests tests_{b_};
  DenseMap<const Function *, const KernelInfo *> kernels_;
  BarrierChecks barriers_;
  DenseMap<const CallInst *, Value *> masks_; // of operations of the warp
  std::optional<Lifetimes> lifetimes_;        // of the function's variables
  std::optional<SharedIntervals> intervals_;  // of the kernel
  std::optional<LaunchUses> uses_;
  std::optional<UseTags> tags_;
  std::optional<AccessGroups> groups_; // of the function's accesses
  DenseMap<const Instruction *, LoopRange> ranges_;
  DenseMap<const Instruction *, Instruction *> needed_; // of reads, where the value is
  SmallPtrSet<const MDNode *, 8> sharedElsewhere_;
  bool mayWait_ = false; // accesses of the function to shared memory
  bool isAnyWaiting_ = false;
  uint64_t number_ = 0;
};

} // namespace

void addChecks(Module &module, const ModuleTable &table, const CheckKinds &kinds) {
  if (kinds.memory || kinds.races || kinds.barriers)
    Checker(module, table, kinds).run();
}

} // namespace hiplz::cpu
