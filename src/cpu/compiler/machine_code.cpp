// SPDX-License-Identifier: MIT
// See machine_code.h.
#include "cpu/compiler/machine_code.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/lane_rows.h"
#include "amdgcn/translator/translate.h"
#include "base/driver_extensions.h"
#include "base/llvm_compat.h"
#include "base/log.h"
#include "cpu/compiler/builtin_library.h"
#include "cpu/compiler/group_loop.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/machine_functions.h"
#include "cpu/compiler/machine_passes.h"
#include "cpu/compiler/warp_loop.h"
#include "cpu/program/link_set.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

using amdgcn::CodeObject;
using amdgcn::GridState;
using amdgcn::MachineKernel;
using amdgcn::Parameter;
using amdgcn::ParameterKind;

constexpr uint32_t kPointerBytes = 8;
constexpr uint32_t kArgumentAlign = 64; // of LaunchState::args

const MachineKernel *findKernel(const CodeObject &object, const std::string &name) {
  const auto found = std::find_if(object.kernels.begin(), object.kernels.end(),
                                  [&](const MachineKernel &kernel) { return kernel.name == name; });
  return found == object.kernels.end() ? nullptr : &*found;
}

/// Parameters that nobody here can fill in: OpenCL's. HIP gives zeros for those of devices that launch kernels.
bool isMissing(const Parameter &parameter) {
  switch (parameter.kind) {
  case ParameterKind::image:
  case ParameterKind::sampler:
  case ParameterKind::localPointer:
  case ParameterKind::unknown: return true;
  default: return false;
  }
}

ArgKind kindOf(const Parameter &parameter) {
  return parameter.kind == ParameterKind::pointer ? ArgKind::globalPointer : ArgKind::byValue;
}

/// How the lanes of a wave lie in a work-group, and the shapes of work-groups for which they do.
struct WaveLayout {
  LaneLayout lanes = LaneLayout::table;
  unsigned rowLanes = kSubgroupSize; ///< lanes in a row of the work-group, which begins there; or 32
  GroupShapes shapes = 0;
};

WaveLayout layoutFor(GroupShape shape) {
  constexpr GroupShapes rows = setOf(GroupShape::rows32), row16 = setOf(GroupShape::row16),
                        row8 = setOf(GroupShape::row8);
  constexpr GroupShapes lines = setOf(GroupShape::single) | setOf(GroupShape::tinyLine) | setOf(GroupShape::line) |
                                setOf(GroupShape::line16) | setOf(GroupShape::line8);
  if (setOf(shape) & rows)
    return {LaneLayout::rows, kSubgroupSize, rows};
  if (setOf(shape) & lines)
    return {LaneLayout::line, kSubgroupSize, lines};
  if (setOf(shape) & row16)
    return {LaneLayout::table, 16, row16};
  if (setOf(shape) & row8)
    return {LaneLayout::table, 8, row8};
  return {LaneLayout::table, kSubgroupSize, kAllGroupShapes & ~(rows | lines | row16 | row8)};
}

/// The surroundings of a wave on the CPU device: a WarpState and everything that it leads to.
class WarpSurroundings final : public amdgcn::WaveSurroundings {
public:
  WarpSurroundings(Function &wave, const MachineKernel &kernel, const amdgcn::WaveTraits &traits,
                   const WaveLayout &layout, const TargetMachine &machine)
      : b_(wave.getContext()), kernel_(kernel), layout_(layout) {
    Module &module = *wave.getParent();
    state_ = wave.getArg(0);
    b_.SetInsertPoint(&wave.getEntryBlock());
    if (traits.traps)
      endIfTrapped(wave);
    worker_ = field(b_.getPtrTy(), state_, offsetof(WarpState, worker));
    launch_ = field(b_.getPtrTy(), state_, offsetof(WarpState, launch));
    live =
        layout.lanes == LaneLayout::rows ? b_.getInt32(~0u) : field(b_.getInt32Ty(), state_, offsetof(WarpState, live));
    for (unsigned d = 0; d < 3; ++d) {
      localId[d] = localIds(d);
      groupId[d] = field(b_.getInt32Ty(), state_, offsetof(WarpState, groupId) + 4 * d);
      size_[d] = field(b_.getInt32Ty(), launch_, offsetof(LaunchState, groupSize) + 4 * d);
      count_[d] = field(b_.getInt32Ty(), launch_, offsetof(LaunchState, groupCount) + 4 * d);
    }
    local = field(b_.getPtrTy(), worker_, offsetof(WorkerState, local));
    cast<Instruction>(local)->setMetadata(amdgcn::kLocalMemory, MDNode::get(b_.getContext(), {}));
    localBytes = kMaxLocalBytes;
    ranges = machine.getMCSubtargetInfo()->checkFeatures("+avx512dq");
    gathers = machine.getMCSubtargetInfo()->checkFeatures("+avx512f,+avx512vl");
    image = b_.CreatePtrToInt(module.getOrInsertGlobal(kImageSymbol, b_.getInt8Ty()), b_.getInt64Ty());
    constexpr uint32_t kDynamicStackBytes = 16 * 1024; // as the compiler assumes for functions that it does not know
    scratchBytes = (kernel.privateBytes + (kernel.dynamicStack ? kDynamicStackBytes : 0) + 15) & ~15u;
    scratch = scratchBytes ? address(allocate(uint64_t{scratchBytes} * kSubgroupSize)) : b_.getInt64(0);
    auto offset = [&](unsigned d) {
      Value *half = field(b_.getInt32Ty(), launch_, offsetof(LaunchState, globalOffset) + 4 * d);
      return b_.CreateZExt(half, b_.getInt64Ty());
    };
    gridState_ = b_.CreateOr(offset(0), b_.CreateShl(offset(1), 32));
    queue = makeQueue();
    arguments = makeArguments();
    dispatch = kernel.properties & 2 ? makeDispatchPacket() : b_.getInt64(0);
  }

  Value *given = nullptr; ///< ptr: the driver's block of arguments

  void gridBarrier(IRBuilder<> &builder, Value *count) override {
    builder.CreateCall(gridBarrierFunction(*builder.GetInsertBlock()->getModule()), {state_, gridState_, count});
  }
  void trap(IRBuilder<> &builder) override {
    builder.CreateCall(trapFunction(*builder.GetInsertBlock()->getModule()), {});
  }

  void barrier(IRBuilder<> &builder) override {
    stop(builder, declareRuntime(*builder.GetInsertBlock()->getModule(), runtime::warpBarrier));
  }
  void pause(IRBuilder<> &builder) override {
    builder.CreateCall(declareRuntime(*builder.GetInsertBlock()->getModule(), runtime::warpYield), {state_});
  }
  void turn(IRBuilder<> &builder) override {
    stop(builder, declareRuntime(*builder.GetInsertBlock()->getModule(), runtime::warpTurn));
  }
  /// A function of the built-in library (src/amdgcn/library/image.cpp).
  void accessImage(IRBuilder<> &b, Value *texture, uint32_t operation, uint32_t shape, Value *place,
                   Value *colour) override {
    auto *type = FunctionType::get(b.getVoidTy(),
                                   {b.getPtrTy(), b.getInt32Ty(), b.getInt32Ty(), b.getPtrTy(), b.getPtrTy()}, false);
    b.CreateCall(b.GetInsertBlock()->getModule()->getOrInsertFunction("hz_amd_image", type),
                 {b.CreateIntToPtr(texture, b.getPtrTy()), b.getInt32(operation), b.getInt32(shape), place, colour});
  }
  /// MXCSR has the same four directions as AMD's mode register, with up and down exchanged.
  void setRounding(IRBuilder<> &b, Value *direction) override {
    BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
    Value *place = IRBuilder<>(&entry, entry.begin()).CreateAlloca(b.getInt32Ty());
    b.CreateIntrinsic(Intrinsic::x86_sse_stmxcsr, ArrayRef<Type *>(), {place});
    Value *bits =
        b.CreateOr(b.CreateShl(b.CreateAnd(direction, b.getInt32(1)), 14), b.CreateShl(b.CreateLShr(direction, 1), 13));
    Value *others = b.CreateAnd(b.CreateLoad(b.getInt32Ty(), place), b.getInt32(~0x6000u));
    b.CreateStore(b.CreateOr(others, bits), place);
    b.CreateIntrinsic(Intrinsic::x86_sse_ldmxcsr, ArrayRef<Type *>(), {place});
  }
  Value *clock(IRBuilder<> &builder) override {
    return builder.CreateCall(declareRuntime(*builder.GetInsertBlock()->getModule(), runtime::clock), {});
  }

private:
  /// A field of the wave's state, or one of the launch or the worker, which stays as it is and is the same for all waves.
  Value *field(Type *type, Value *base, uint64_t offset) {
    return loadField(b_, type, base, offset, base == launch_ || base == worker_);
  }

  /// A call that LLVM makes no two of, which would be two barriers.
  void stop(IRBuilder<> &builder, FunctionCallee function) {
    cast<Function>(function.getCallee())->addFnAttr(Attribute::Convergent);
    builder.CreateCall(function, {state_});
  }

  Value *address(Value *pointer) { return b_.CreatePtrToInt(pointer, b_.getInt64Ty()); }

  Value *allocate(uint64_t bytes) {
    AllocaInst *memory = b_.CreateAlloca(ArrayType::get(b_.getInt8Ty(), bytes));
    memory->setAlignment(Align(64));
    return memory;
  }

  /// In a form of which the patterns of the lanes are seen (amdgcn/translator/lane_patterns.h).
  Value *localIds(unsigned d) {
    Type *i32 = b_.getInt32Ty();
    const uint64_t table = offsetof(WarpState, localId) + sizeof(uint32_t) * kSubgroupSize * d;
    auto firstId = [&] { return field(i32, state_, offsetof(WarpState, firstId) + sizeof(uint32_t) * d); };
    SmallVector<Constant *, kSubgroupSize> steps;
    for (unsigned lane = 0; lane < kSubgroupSize; ++lane)
      steps.push_back(b_.getInt32(lane % layout_.rowLanes));
    switch (layout_.lanes) {
    case LaneLayout::rows:
    case LaneLayout::line: {
      if (d > 0 && layout_.lanes == LaneLayout::line)
        return ConstantVector::getSplat(ElementCount::getFixed(kSubgroupSize), b_.getInt32(0));
      Value *begin = b_.CreateVectorSplat(kSubgroupSize, firstId());
      return d == 0 ? b_.CreateAdd(begin, ConstantVector::get(steps)) : begin;
    }
    default: break;
    }
    const unsigned rows = kSubgroupSize / layout_.rowLanes;
    if (rows == 1)
      return field(FixedVectorType::get(i32, kSubgroupSize), state_, table);
    if (d == 0)
      return ConstantVector::get(steps);
    SmallVector<Value *, 4> ofRows;
    for (unsigned row = 0; row < rows; ++row)
      ofRows.push_back(field(i32, state_, table + sizeof(uint32_t) * row * layout_.rowLanes));
    return amdgcn::inRows(b_, ofRows);
  }

  // The driver's block of arguments if the kernel has no others, else a copy with those that the caller does not give.
  Value *makeArguments() {
    given = field(b_.getPtrTy(), launch_, offsetof(LaunchState, args));
    cast<LoadInst>(given)->setMetadata(
        LLVMContext::MD_align, MDNode::get(b_.getContext(), ConstantAsMetadata::get(b_.getInt64(kArgumentAlign))));
    const auto &parameters = kernel_.parameters;
    if (std::none_of(parameters.begin(), parameters.end(), [](const Parameter &p) { return p.isHidden(); }))
      return address(given);
    Value *copy = allocate(alignTo(kernel_.argumentBytes, 64));
    b_.CreateMemSet(copy, b_.getInt8(0), kernel_.argumentBytes, Align(64));
    for (const Parameter &parameter : parameters) {
      auto at = [&](Value *block) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block, parameter.offset); };
      if (!parameter.isHidden())
        copyArgument(parameter, copy);
      else if (Value *value = hidden(parameter))
        b_.CreateAlignedStore(b_.CreateZExtOrTrunc(value, b_.getIntNTy(8 * parameter.size)), at(copy), Align(1));
    }
    return address(copy);
  }

  /// Word by word, in which form LLVM sees that they are the same for all waves.
  void copyArgument(const Parameter &parameter, Value *copy) {
    constexpr uint32_t kMostWords = 32;
    auto at = [&](Value *block, uint64_t offset) {
      return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block, offset);
    };
    uint32_t done = 0;
    for (const uint32_t bytes : {8u, 4u, 2u, 1u})
      for (; parameter.size <= kMostWords * 8 && done + bytes <= parameter.size; done += bytes) {
        const uint64_t offset = uint64_t{parameter.offset} + done;
        auto *word = cast<LoadInst>(loadField(b_, b_.getIntNTy(8 * bytes), given, offset, true));
        word->setAlignment(Align(1));
        b_.CreateAlignedStore(word, at(copy, offset), Align(1));
      }
    if (done < parameter.size)
      b_.CreateMemCpy(at(copy, parameter.offset), Align(1), at(given, parameter.offset), Align(1), parameter.size);
  }

  /// Null for those that are 0 for HIP: offsets (which carry the state of the grid's barrier here), what kernels launch others with, and
  /// remainders of work-groups.
  Value *hidden(const Parameter &parameter) {
    const unsigned d = parameter.dimension;
    switch (parameter.kind) {
    case ParameterKind::blockCount: return count_[d];
    case ParameterKind::groupSize: return size_[d];
    case ParameterKind::gridDimensions: return field(b_.getInt32Ty(), launch_, offsetof(LaunchState, workDim));
    case ParameterKind::privateBase: return b_.getInt32(amdgcn::kPrivateAperture);
    case ParameterKind::sharedBase: return b_.getInt32(amdgcn::kSharedAperture);
    case ParameterKind::queue: return queue;
    case ParameterKind::dynamicLocalBytes: return dynamicLocalBytes();
    case ParameterKind::multigridSync: return multigridArgument();
    case ParameterKind::printfBuffer:
    case ParameterKind::hostcallBuffer:
    case ParameterKind::heap: return ownersVariable(b_, parameter.kindName);
    default: return nullptr;
    }
  }

  /// The bytes that the launch asks for, not rounded. Where it asks for none, the runtime has asked for one.
  Value *dynamicLocalBytes() {
    constexpr uint32_t kAlignment = 64; // of dynamic local memory
    Value *all = field(b_.getInt32Ty(), launch_, offsetof(LaunchState, localBytes));
    Value *bytes = b_.CreateSub(all, b_.getInt32(alignTo(kernel_.localBytes, kAlignment)));
    return b_.CreateSelect(b_.CreateICmpSLE(bytes, b_.getInt32(1)), b_.getInt32(0), bytes);
  }

  /// Says to AMD's device library that the grid may wait: 1 for a grid of its own, for one of several the address of a structure of
  /// the library's.
  Value *multigridArgument() {
    Type *i64 = b_.getInt64Ty(), *i32 = b_.getInt32Ty();
    constexpr uint64_t kBytes = 48, kGroupsAt = 40;
    Value *none = allocate(sizeof(GridState)), *info = allocate(kBytes);
    b_.CreateMemSet(none, b_.getInt8(0), sizeof(GridState), Align(64));
    b_.CreateMemSet(info, b_.getInt8(0), kBytes, Align(64));
    Value *isLone = b_.CreateICmpEQ(gridState_, b_.getInt64(0));
    Value *state = b_.CreateSelect(isLone, none, b_.CreateIntToPtr(gridState_, b_.getPtrTy()));
    auto put = [&](uint64_t offset, Value *value) {
      b_.CreateAlignedStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), info, offset), Align(4));
    };
    Value *all = field(i64, state, offsetof(GridState, all));
    put(0, all);
    put(8, field(i32, state, offsetof(GridState, rank)));
    put(12, field(i32, state, offsetof(GridState, count)));
    put(16, field(i64, state, offsetof(GridState, threadsBefore)));
    put(24, field(i64, state, offsetof(GridState, threads)));
    put(kGroupsAt, b_.CreateMul(b_.CreateMul(count_[0], count_[1]), count_[2]));
    Value *several = b_.CreateSelect(b_.CreateICmpEQ(all, b_.getInt64(0)), b_.getInt64(1), address(info));
    return b_.CreateSelect(isLone, b_.getInt64(0), several);
  }

  /// A queue of the hardware, of which code reads the apertures. Zero if the kernel does not have it.
  Value *makeQueue() {
    const auto &parameters = kernel_.parameters;
    if (!(kernel_.properties & 4) && std::none_of(parameters.begin(), parameters.end(),
                                                  [](const Parameter &p) { return p.kind == ParameterKind::queue; }))
      return b_.getInt64(0);
    constexpr uint64_t kBytes = 256, kSharedAt = 64, kPrivateAt = 68;
    Value *memory = allocate(kBytes);
    b_.CreateMemSet(memory, b_.getInt8(0), kBytes, Align(64));
    b_.CreateStore(b_.getInt32(amdgcn::kSharedAperture),
                   b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), memory, kSharedAt));
    b_.CreateStore(b_.getInt32(amdgcn::kPrivateAperture),
                   b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), memory, kPrivateAt));
    return address(memory);
  }

  // Goes on in a new block, unless a wave of the module has trapped.
  void endIfTrapped(Function &wave) {
    LLVMContext &context = wave.getContext();
    Value *ended = b_.CreateICmpNE(b_.CreateLoad(b_.getInt32Ty(), trapState(b_)), b_.getInt32(0));
    BasicBlock *leave = BasicBlock::Create(context, "ended", &wave);
    BasicBlock *go = BasicBlock::Create(context, "begin", &wave);
    b_.CreateCondBr(ended, leave, go);
    b_.SetInsertPoint(leave);
    b_.CreateRetVoid();
    b_.SetInsertPoint(go);
  }

  // A packet of the queue that the hardware would have read the launch from; code reads its sizes there.
  Value *makeDispatchPacket() {
    constexpr uint64_t kBytes = 64;
    Value *packet = allocate(kBytes);
    b_.CreateMemSet(packet, b_.getInt8(0), kBytes, Align(64));
    auto put = [&](uint64_t offset, Value *value) {
      b_.CreateAlignedStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), packet, offset), Align(1));
    };
    put(2, b_.CreateTrunc(field(b_.getInt32Ty(), launch_, offsetof(LaunchState, workDim)), b_.getInt16Ty()));
    for (unsigned d = 0; d < 3; ++d) {
      put(4 + 2 * d, b_.CreateTrunc(size_[d], b_.getInt16Ty()));
      put(12 + 4 * d, b_.CreateMul(size_[d], count_[d]));
    }
    put(24, b_.getInt32(scratchBytes));
    put(28, b_.getInt32(kernel_.localBytes));
    put(40, arguments);
    return address(packet);
  }

  IRBuilder<> b_;
  const MachineKernel &kernel_;
  const WaveLayout layout_;
  Value *state_, *worker_ = nullptr, *launch_ = nullptr, *gridState_;
  Value *size_[3], *count_[3];
};

/// A body of the kernel for the loops around the waves: the wave itself is gone when it has been taken apart at its barriers.
Function *makeBody(Function &wave) {
  Module &module = *wave.getParent();
  Function *body = Function::Create(wave.getFunctionType(), GlobalValue::InternalLinkage, "body", module);
  IRBuilder<> b(BasicBlock::Create(wave.getContext(), "entry", body));
  b.CreateCall(declareRuntime(module, runtime::warpBarrier), {body->getArg(0)});
  b.CreateRetVoid();
  return body;
}

bool isValid(Module &module, std::string &error) {
  std::string reason;
  raw_string_ostream stream(reason);
  if (!verifyModule(module, &stream))
    return true;
  error = "compiler: internal error, the translated kernel is not valid: " + stream.str();
  return false;
}

} // namespace

std::optional<std::span<const std::byte>> machineCodeOf(std::span<const std::byte> linkSet) {
  const auto set = parseLinkSet(linkSet);
  if (!set || set->parts.size() != 1 || !amdgcn::isCodeObject(set->parts[0].spirv))
    return std::nullopt;
  return set->parts[0].spirv;
}

bool describeMachineCode(const CodeObject &object, ModuleTable &table, std::string &error) {
  if (!amdgcn::isTranslated(object.target)) {
    error = "machine code for " + object.target + " is not translated";
    return false;
  }
  for (const MachineKernel &machine : object.kernels) {
    Kernel kernel;
    KernelInfo &info = kernel.info;
    info.name = machine.name;
    info.staticLocalBytes = machine.localBytes;
    if (machine.localBytes > kMaxLocalBytes) {
      error = "kernel " + info.name + ": its local memory exceeds " + std::to_string(kMaxLocalBytes) + " bytes";
      return false;
    }
    std::copy_n(machine.requiredGroupSize, 3, info.requiredGroupSize);
    for (const Parameter &parameter : machine.parameters)
      if (!parameter.isHidden())
        info.args.push_back({kindOf(parameter), parameter.offset, parameter.size, 1});
    // Behind them the size of dynamic local memory, which no code reads from there.
    const auto end = static_cast<uint32_t>(alignTo(machine.argumentBytes, kPointerBytes));
    info.args.push_back({ArgKind::localPointer, end, kPointerBytes, kPointerBytes});
    info.argBlockBytes = end + kPointerBytes;
    table.kernels.push_back(std::move(kernel));
  }
  for (const amdgcn::Symbol &symbol : object.symbols)
    if (!symbol.isFunction && symbol.isExported && symbol.size > 0 && !symbol.name.ends_with(".kd"))
      table.globals.push_back({symbol.name, symbol.size, nullptr});
  for (std::string &name : amdgcn::ownersVariables(object))
    table.globals.push_back({std::move(name), kPointerBytes, nullptr});
  return true;
}

std::unique_ptr<Module> lowerMachineKernel(const CodeObject &object, Kernel &kernel, GroupShape shape,
                                           const CompileOptions &options, TargetMachine &machine, LLVMContext &context,
                                           std::string &error) {
  const MachineKernel *found = findKernel(object, kernel.info.name);
  if (!found) {
    error = "machine code: there is no kernel " + kernel.info.name;
    return nullptr;
  }
  for (const Parameter &parameter : found->parameters)
    if (isMissing(parameter)) {
      error = "machine code: the parameter " + parameter.kindName + " is not implemented";
      return nullptr;
    }
  const auto code = amdgcn::decodeKernel(object, *found, error);
  if (!code)
    return nullptr;
  auto module = std::make_unique<Module>(kernel.info.name, context);
  setTarget(*module, machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  auto *type = FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0)}, false);
  Function *wave = Function::Create(type, GlobalValue::ExternalLinkage, "wave." + kernel.info.name, *module);
  wave->addFnAttr(Attribute::NoUnwind);
  BasicBlock::Create(context, "entry", wave);
  const WaveLayout layout = layoutFor(shape);
  WarpSurroundings surroundings(*wave, *found, code->traits(), layout, machine);
  if (!code->emit(*wave, surroundings, error) || !linkBuiltinLibrary(*module, error) || !isValid(*module, error))
    return nullptr;
  if (options.optimize) {
    simplifyWave(*wave, *surroundings.live, *surroundings.given, layout.rowLanes, machine);
    if (!isValid(*module, error)) // rather than wrong code
      return nullptr;
  }
  const bool hasBarrier = code->traits().hasBarrier;
  kernel.function = hasBarrier ? makeBody(*wave) : wave;
  kernel.info.args.clear(); // the wave finds them by itself
  kernel.code.privateBytes = surroundings.scratchBytes * kSubgroupSize;
  kernel.code.yields = code->traits().pauses || any_of(instructions(*wave), isWarpYield);
  kernel.code.shapes = layout.shapes;
  WarpOptions lanes;
  lanes.width = kSubgroupSize;
  lanes.layout = layout.lanes;
  // Large waves keep their stacks, because a copy for each piece between barriers would take long to compile.
  const bool isSmall = options.optimize && !isLargeWave(*module);
  const bool needsStacks = kernel.code.yields || (hasBarrier && !isSmall);
  if (hasBarrier && needsStacks)
    HIPLZ_LOG_INFO("kernel %s needs a stack for each warp: %s", kernel.info.name.c_str(),
                   kernel.code.yields ? "it may wait for others in a loop" : "it is large");
  const bool sideBySide = layout.lanes != LaneLayout::line && wave->hasFnAttribute(kSideBySide);
  Function *loop = WarpLoopBuilder(kernel, lanes, sideBySide).build(*wave, hasBarrier, needsStacks);
  loop->setName(kernelSymbol(kernel.info.name));
  loop->setLinkage(GlobalValue::ExternalLinkage);
  return module;
}

} // namespace hiplz::cpu
