// SPDX-License-Identifier: MIT
// See translate.h. A kernel and all functions that it can reach become one function of LLVM: registers are all that they have in common,
// and a call is a branch that leaves its return address in a register. Jumps to addresses in registers (returns, calls of functions
// that are chosen when the program runs) go through one switch over all addresses that such a register can hold: places behind
// calls, and functions whose addresses go elsewhere than into calls if there is such a call. So recursion and function pointers need nothing of their own.
#include "amdgcn/translator/translate.h"
#include "amdgcn/translator/code_addresses.h"
#include "amdgcn/translator/control_flow.h"
#include "amdgcn/translator/decoder.h"
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/operations.h"
#include "amdgcn/translator/store_fences.h"
#include "amdgcn/translator/waiting_waves.h"
#include "amdgcn/translator/wave_turns.h"
#include "base/llvm_compat.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

constexpr size_t kMaxInstructions = 1 << 20;

std::string hex(uint64_t value) { return "0x" + utohexstr(value, true); }

/// A trap for the end of the code, and for the filling behind a call: compilers end a function there if the other one never returns.
Instruction trapAt(uint64_t address) {
  Instruction trap;
  parseInstruction("s_trap 2", trap);
  trap.address = address;
  trap.size = 4;
  trap.words[0] = 0xbf920002;
  return trap;
}

class DecodedKernel final : public KernelCode {
public:
  DecodedKernel(const CodeObject &object, const MachineKernel &kernel) : object_(object), kernel_(kernel) {}

  const WaveTraits &traits() const override { return traits_; }

  bool decode(std::string &error) {
    const unsigned generation = generationOf(object_.target);
    if (generation == 0) {
      error = "machine code for " + object_.target + " is not translated";
      return false;
    }
    if (const char *reason = refusal()) {
      error = "the machine code of " + kernel_.name + " cannot be translated: " + reason;
      return false;
    }
    auto decoder = Decoder::create(generation, error);
    if (!decoder)
      return false;
    want(kernel_.entry);
    for (std::optional<std::set<uint64_t>> escaped;;) {
      if (!decodeWanted(*decoder, error))
        return false;
      dropUncertainCalls();
      if (!callsAny_)
        break;
      if (!escaped)
        escaped = escapedFunctions(object_, *decoder);
      for (const std::set<uint64_t> *some : {&std::as_const(*escaped), &addresses_.computed()})
        for (const uint64_t address : *some)
          if (isCode(address) && targets_.insert(address).second)
            want(address);
      if (work_.empty())
        break;
    }
    rounds_ |= (kernel_.rsrc1 >> 12 & kModeRounding) != 0;
    waits_ = findWaitingLoops(code_);
    std::set<uint64_t> entries = targets_;
    for (const auto &[address, known] : calls_)
      entries.insert(known.value);
    if (traits_.hasBarrier)
      turns_ = findTurns(code_, starts_, entries);
    fences_ = findStoreFences(code_, starts_, entries, [this](const Instruction &i) { return isPartOfBarrier(i); });
    return true;
  }

  bool emit(Function &function, WaveSurroundings &surroundings, std::string &error) const override {
    surroundings.generation = generationOf(object_.target);
    surroundings.vectorRegisters = ((kernel_.rsrc1 & 63) + 1) * 8;
    BasicBlock *entry = &function.back();
    Wave wave(function, surroundings);
    wave.rounds = rounds_;
    LLVMContext &context = function.getContext();
    std::map<uint64_t, BasicBlock *> blocks;
    for (const uint64_t start : starts_)
      blocks[start] = BasicBlock::Create(context, "at." + Twine::utohexstr(start), &function);
    wave.b.SetInsertPoint(entry);
    enter(wave);
    wave.b.CreateBr(blocks.at(kernel_.entry));
    ConstantInt *mode = modeStays() ? wave.b.getInt32(firstMode()) : nullptr;
    BasicBlock *dispatcher = nullptr;
    PHINode *destination = nullptr;
    for (const auto &[start, block] : blocks) {
      wave.b.SetInsertPoint(block);
      wave.assumeMode(mode);
      for (uint64_t at = start;;) {
        const Instruction &i = code_.at(at);
        try {
          if (!emitFlow(wave, i, blocks, dispatcher, destination))
            break;
          if (turns_.contains(at))
            wave.around.turn(wave.b);
          if (isWaitForStores(i) && !fences_.contains(at))
            wave.b.CreateFence(AtomicOrdering::AcquireRelease, SyncScope::SingleThread);
          else
            emitOperation(wave, i);
        } catch (const Untranslatable &why) {
          error = "the instruction '" + i.text + "' at " + hex(at) + " cannot be translated: " + why.reason;
          return false;
        }
        at = i.next();
        if (auto next = blocks.find(at); next != blocks.end()) {
          wave.b.CreateBr(next->second);
          break;
        }
      }
    }
    if (dispatcher)
      fillDispatcher(wave, blocks, dispatcher, destination);
    return true;
  }

private:
  bool isCode(uint64_t address) const {
    return address >= object_.codeBegin && address < object_.codeEnd && address % 4 == 0;
  }

  void want(uint64_t address) {
    if (starts_.insert(address).second)
      work_.push_back(address);
  }

  /// Decodes what is wanted, and what that leads to.
  bool decodeWanted(Decoder &decoder, std::string &error) {
    while (!work_.empty()) {
      const uint64_t start = work_.back();
      work_.pop_back();
      for (uint64_t at = start; !code_.contains(at);) {
        Instruction &i = code_[at];
        const bool decoded = isCode(at) && decoder.decode(object_.image, at, i);
        if (behindCalls_.contains(at) && (!decoded || i.name == "s_code_end")) {
          i = trapAt(at);
        } else if (code_.size() > kMaxInstructions || !decoded) {
          error = "the instruction at " + hex(at) + " cannot be decoded" + (i.text.empty() ? "" : " (" + i.text + ")");
          return false;
        }
        noteTraits(i);
        const Flow flow = flowOf(i);
        at = i.next();
        if (flow == Flow::end)
          break;
        if (flow == Flow::branch || flow == Flow::jump || flow == Flow::call)
          want(targetOf(i));
        if (flow == Flow::branch || flow == Flow::call || flow == Flow::indirectCall)
          want(at);
        if (flow == Flow::call || flow == Flow::indirectCall) {
          targets_.insert(at);
          behindCalls_.insert(at);
        }
        if (flow == Flow::indirect || flow == Flow::indirectCall)
          noteCall(i, flow == Flow::indirect);
        if (flow != Flow::next)
          break;
        addresses_.note(i);
      }
      addresses_.end();
    }
    return true;
  }

  /// Notes which function a jump to an address in registers reaches. One to s[30:31], where compilers keep return addresses, is a return.
  void noteCall(const Instruction &i, bool isJump) {
    constexpr unsigned kReturnAddress = 30;
    const Operand &target = i.operands.back();
    if (const auto known = addresses_.of(target); known && isCode(known->value)) {
      calls_[i.address] = *known;
      want(known->value);
    } else if (!isJump || target.kind != Operand::Kind::scalar || target.index != kReturnAddress) {
      callsAny_ = true;
    }
  }

  /// Where other code may jump in between the address and the call, the call may reach other functions.
  void dropUncertainCalls() {
    for (auto call = calls_.begin(); call != calls_.end();) {
      const auto label = starts_.upper_bound(call->second.from);
      if (label == starts_.end() || *label > call->first) {
        ++call;
        continue;
      }
      targets_.insert(call->second.value);
      callsAny_ = true;
      call = calls_.erase(call);
    }
  }

  /// Why the kernel's descriptor asks for what there is not; null if it does not.
  const char *refusal() const {
    if (!(kernel_.properties >> 10 & 1))
      return "its waves have 64 lanes";
    if (kernel_.rsrc2 >> 10 & 1)
      return "it needs the number of the wave";
    return nullptr;
  }

  /// True if the instruction may set another direction of rounding than to the nearest.
  static bool setsRounding(const Instruction &i) {
    if (i.name == "s_round_mode")
      return (i.words[0] & kModeRounding) != 0;
    constexpr uint32_t kHwMode = 1;
    const uint32_t offset = i.words[0] >> 6 & 31;
    if (!startsWith(i.name, "s_setreg") || (i.words[0] & 63) != kHwMode || (kModeRounding >> offset) == 0)
      return false;
    const uint32_t value = i.name == "s_setreg_imm32_b32" ? i.words[1] : ~0u;
    const uint32_t size = (i.words[0] >> 11 & 31) + 1, mask = size == 32 ? ~0u : (1u << size) - 1;
    return (value & mask) << offset & kModeRounding;
  }

  void noteTraits(const Instruction &i) {
    rounds_ |= setsRounding(i);
    traits_.hasBarrier |= i.name == "s_barrier";
    traits_.pauses |= i.name == "s_sleep" || i.name == "ds_gws_barrier";
    traits_.traps |= isTrap(i);
  }

  /// The mode register at the start, which the kernel's descriptor says.
  uint32_t firstMode() const {
    const uint32_t clampsNan = kernel_.rsrc1 >> 21 & 1, isIeee = kernel_.rsrc1 >> 23 & 1;
    return (kernel_.rsrc1 >> 12 & 0xff) | clampsNan * kModeClampsNan | isIeee * kModeIeee;
  }

  /// True if each block leaves the mode as it was at the start of the kernel, so that each also begins with that one.
  bool modeStays() const {
    return std::all_of(starts_.begin(), starts_.end(), [&](uint64_t start) {
      std::optional<uint32_t> mode = firstMode();
      for (auto i = code_.find(start); mode && i != code_.end(); i = code_.find(i->second.next())) {
        mode = modeBehind(i->second, *mode);
        if (flowOf(i->second) != Flow::next || starts_.contains(i->second.next()))
          break;
      }
      return mode == firstMode();
    });
  }

  // Registers as the hardware sets them, which the kernel's descriptor says.
  void enter(Wave &w) const {
    WaveSurroundings &around = w.around;
    unsigned next = 0;
    auto put = [&](Value *value) { w.setScalarRegister(next++, value); };
    auto putWide = [&](Value *value) {
      put(w.lowHalf(value));
      put(w.highHalf(value));
    };
    const unsigned properties = kernel_.properties;
    if (properties & 1) { // a buffer that is a lane's private memory, see buffer_memory.cpp
      putWide(around.scratch);
      put(w.b.getInt32(around.scratchBytes));
      put(w.b.getInt32(kPrivateBuffer));
    }
    if (properties & 2)
      putWide(around.dispatch);
    if (properties & 4)
      putWide(around.queue);
    if (properties & 8)
      putWide(around.arguments);
    if (properties & 16)
      putWide(w.b.getInt64(0)); // the dispatch's number: that of a queue's first one
    if (properties & 32)
      putWide(w.b.getInt64(0)); // flat scratch
    if (properties & 64)
      put(w.b.getInt32(around.scratchBytes));
    // Registers may be asked for that nothing is put into.
    next = std::max(next, kernel_.rsrc2 >> 1 & 31);
    for (unsigned d = 0; d < 3; ++d)
      if (kernel_.rsrc2 >> (7 + d) & 1)
        put(around.groupId[d]);
    if (kernel_.rsrc2 >> 10 & 1)
      put(w.b.getInt32(0));                        // numbers of the wave in its work-group
    const bool isPacked = around.generation == 11; // which also knows by itself where private memory is
    if (kernel_.rsrc2 & 1 && !isPacked)
      put(w.b.getInt32(0)); // where the wave's private memory begins, from that of all
    w.setScalarRegister(kExec, around.live);
    w.setMode(w.b.getInt32(firstMode()));
    Value *ids = around.localId[0]; // of 10 bits each if they are packed
    for (unsigned d = 0; d <= std::min(2u, kernel_.rsrc2 >> 11 & 3); ++d)
      if (!isPacked)
        w.overwriteVectorRegister(d, around.localId[d]);
      else if (d > 0)
        ids = w.b.CreateOr(ids, w.b.CreateShl(around.localId[d], w.vector(10 * d)));
    if (isPacked)
      w.overwriteVectorRegister(0, ids);
  }

  /// Emits the end of a block; false if the instruction was one.
  bool emitFlow(Wave &w, const Instruction &i, const std::map<uint64_t, BasicBlock *> &blocks, BasicBlock *&dispatcher,
                PHINode *&destination) const {
    auto returnTo = [&] { w.writeScalar(i.operands[0], w.b.CreateAdd(w.around.image, w.b.getInt64(i.next()))); };
    switch (flowOf(i)) {
    case Flow::next: return true;
    case Flow::end:
      if (isTrap(i))
        w.around.trap(w.b);
      w.b.CreateRetVoid();
      return false;
    case Flow::jump:
      if (waits_.contains(i.address))
        w.around.pause(w.b);
      w.b.CreateBr(blocks.at(targetOf(i)));
      return false;
    case Flow::branch: {
      BasicBlock *target = blocks.at(targetOf(i)), *back = target;
      if (waits_.contains(i.address))
        back = BasicBlock::Create(w.b.getContext(), "again", target->getParent());
      w.b.CreateCondBr(conditionOf(w, i), back, blocks.at(i.next()));
      if (back != target) {
        w.b.SetInsertPoint(back);
        w.around.pause(w.b);
        w.b.CreateBr(target);
      }
      return false;
    }
    case Flow::call:
      returnTo();
      w.b.CreateBr(blocks.at(targetOf(i)));
      return false;
    case Flow::indirect:
    case Flow::indirectCall: break;
    }
    Value *target = w.readScalar(i.operands.back(), 64);
    if (flowOf(i) == Flow::indirectCall)
      returnTo();
    if (const auto call = calls_.find(i.address); call != calls_.end()) {
      w.b.CreateBr(blocks.at(call->second.value));
      return false;
    }
    if (!dispatcher) {
      Function *function = w.b.GetInsertBlock()->getParent();
      dispatcher = BasicBlock::Create(function->getContext(), "dispatcher", function);
      destination = PHINode::Create(w.i64, 8, "destination", dispatcher);
    }
    destination->addIncoming(w.b.CreateSub(target, w.around.image), w.b.GetInsertBlock());
    w.b.CreateBr(dispatcher);
    return false;
  }

  /// True if the wait for stores stands right before a barrier, which orders them for the work-group. A fence for others would
  /// invalidate caches in between.
  bool isPartOfBarrier(const Instruction &i) const {
    auto next = code_.find(i.next());
    while (next != code_.end() && startsWith(next->second.name, "s_waitcnt"))
      next = code_.find(next->second.next());
    return next != code_.end() && next->second.name == "s_barrier";
  }

  static Value *conditionOf(Wave &w, const Instruction &i) {
    const StringRef name = StringRef(i.name).drop_front(StringRef("s_cbranch_").size());
    auto isZero = [&](Value *value) { return w.b.CreateICmpEQ(value, w.b.getInt32(0)); };
    if (name == "scc0")
      return w.b.CreateNot(w.scc());
    if (name == "scc1")
      return w.scc();
    if (name == "vccz")
      return isZero(w.scalarRegister(kVcc));
    if (name == "vccnz")
      return w.b.CreateNot(isZero(w.scalarRegister(kVcc)));
    if (name == "execz")
      return isZero(w.exec());
    if (name == "execnz")
      return w.b.CreateNot(isZero(w.exec()));
    w.refuse("it is not implemented");
  }

  void fillDispatcher(Wave &w, const std::map<uint64_t, BasicBlock *> &blocks, BasicBlock *dispatcher,
                      PHINode *destination) const {
    Function *function = dispatcher->getParent();
    auto *nowhere = BasicBlock::Create(function->getContext(), "nowhere", function);
    w.b.SetInsertPoint(dispatcher);
    SwitchInst *branch = w.b.CreateSwitch(destination, nowhere);
    for (const uint64_t target : targets_)
      branch->addCase(w.b.getInt64(target), blocks.at(target));
    w.b.SetInsertPoint(nowhere); // a fault of the kernel
    w.b.CreateIntrinsic(Intrinsic::trap, ArrayRef<Type *>(), {});
    w.b.CreateUnreachable();
  }

  const CodeObject &object_;
  const MachineKernel &kernel_;
  WaveTraits traits_;
  bool rounds_ = false; // in other directions than to the nearest
  std::map<uint64_t, Instruction> code_;
  std::set<uint64_t> starts_;                      // of blocks
  std::set<uint64_t> waits_;                       // branches back that are taken until others have written something
  std::set<uint64_t> turns_;                       // instructions before which the other waves go first
  std::set<uint64_t> fences_;                      // waits for stores that others see
  std::set<uint64_t> targets_;                     // of jumps to addresses in registers
  std::map<uint64_t, CodeAddresses::Known> calls_; // jumps to addresses in registers that reach one place
  CodeAddresses addresses_;
  bool callsAny_ = false;      // there are other ones
  std::vector<uint64_t> work_; // starts that are not decoded yet
  std::set<uint64_t> behindCalls_;
};

} // namespace

std::unique_ptr<KernelCode> decodeKernel(const CodeObject &object, const MachineKernel &kernel, std::string &error) {
  auto code = std::make_unique<DecodedKernel>(object, kernel);
  if (!code->decode(error))
    return nullptr;
  return code;
}

} // namespace hiplz::amdgcn
