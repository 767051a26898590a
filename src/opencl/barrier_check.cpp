// SPDX-License-Identifier: MIT
// See barrier_check.h. A value varies if it may differ between the work-items of a group. Which ones do is found by going through the
// module until nothing changes: what varies makes its users vary, and a branch that varies makes the values vary that it chooses
// between. A branch decides over the blocks between it and its immediate post-dominator.
#include "opencl/barrier_check.h"
#include "spirv/instructions.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hiplz::opencl {
namespace {

using spirv::Instruction;
using spirv::operand;

bool variesByItem(uint32_t builtIn) {
  switch (builtIn) {
  case spv::BuiltInLocalInvocationId:
  case spv::BuiltInLocalInvocationIndex:
  case spv::BuiltInGlobalInvocationId:
  case spv::BuiltInGlobalLinearId:
  case spv::BuiltInSubgroupId:
  case spv::BuiltInSubgroupLocalInvocationId: return true;
  default: return false;
  }
}

/// Modules of HIPLZ have a variable with the address of the word that failed assertions set. The work-item ends then.
constexpr std::string_view kAbortVariable = "__hiplz_abort";

bool isAtomic(spv::Op op) { return op >= spv::OpAtomicExchange && op <= spv::OpAtomicXor; }

class BarrierCheck {
public:
  BarrierCheck(std::span<const std::byte> module, bool withSubgroups) : words_(module), withSubgroups_(withSubgroups) {
    spirv::forEachInstruction(words_, [this](const Instruction &in) { read(in); });
  }

  std::set<std::string> run() {
    spreadBarriers();
    std::set<std::string> found;
    if (std::ranges::none_of(functions_, [](const auto &entry) { return entry.second.hasBarrier; }))
      return found;
    for (auto &[id, function] : functions_)
      connect(function);
    cutFailing();
    for (auto &[id, function] : functions_)
      findJoins(function.blocks);
    do {
      hasChanged_ = false;
      for (auto &[id, function] : functions_)
        visit(function);
    } while (hasChanged_);
    spreadToCallers(&Function::isUneven);
    for (const auto &[name, function] : kernels_)
      if (const auto entry = functions_.find(function); entry != functions_.end() && entry->second.isUneven)
        found.insert(name);
    return found;
  }

private:
  static constexpr size_t kExit = SIZE_MAX; // behind every block that ends the function

  struct Block {
    uint32_t label = 0;
    size_t begin = 0, end = 0; // words, without the label
    std::vector<size_t> next;  // blocks
    bool leaves = false;       // returns
    bool hasBarrier = false;
    bool fails = false;   // an assertion
    size_t join = kExit;  // immediate post-dominator
    bool decided = false; // a branch that varies ends it, and what it decides over is known
  };
  struct Function {
    std::vector<uint32_t> parameters, called;
    std::vector<Block> blocks;
    bool hasBarrier = false, isUneven = false, returnsVarying = false;
  };

  void read(const Instruction &in) {
    switch (in.op()) {
    case spv::OpEntryPoint:
      if (const auto name = in.literal(2))
        kernels_.emplace_back(std::string(name->text), operand(in, 1));
      return;
    case spv::OpDecorate:
      if (operand(in, 1) == spv::DecorationBuiltIn && variesByItem(operand(in, 2)))
        varying_.insert(in[0]);
      if (const auto name = operand(in, 1) == spv::DecorationLinkageAttributes ? in.literal(2) : std::nullopt)
        if (name->text == kAbortVariable)
          abort_ = in[0];
      return;
    case spv::OpConstant:
      if (operand(in, 2) == spv::ScopeWorkgroup)
        groupScopes_.insert(in[1]);
      return;
    case spv::OpFunction: current_ = &functions_[operand(in, 1)]; return;
    case spv::OpFunctionEnd: current_ = nullptr; return;
    case spv::OpFunctionParameter:
      if (current_)
        current_->parameters.push_back(operand(in, 1));
      return;
    default: break;
    }
    if (!current_)
      return;
    if (in.op() == spv::OpLabel) {
      Block &block = current_->blocks.emplace_back();
      block.label = operand(in, 0);
      block.begin = block.end = in.end();
      return;
    }
    if (current_->blocks.empty())
      return;
    Block &block = current_->blocks.back();
    block.end = in.end();
    switch (in.op()) {
    case spv::OpVariable: privates_.insert(operand(in, 1)); break;
    case spv::OpReturn:
    case spv::OpReturnValue: block.leaves = true; break;
    case spv::OpFunctionCall: current_->called.push_back(operand(in, 2)); break;
    case spv::OpControlBarrier: block.hasBarrier |= withSubgroups_ || groupScopes_.contains(operand(in, 0)); break;
    case spv::OpInBoundsPtrAccessChain:
    case spv::OpPtrAccessChain:
    case spv::OpInBoundsAccessChain:
    case spv::OpAccessChain:
    case spv::OpBitcast:
    case spv::OpConvertUToPtr:
    case spv::OpConvertPtrToU:
    case spv::OpPtrCastToGeneric: base_[operand(in, 1)] = operand(in, 2); break;
    case spv::OpLoad: loadedFrom_[operand(in, 1)] = operand(in, 2); break;
    case spv::OpAtomicStore:
    case spv::OpStore: block.fails |= isAbort(operand(in, 0)); break;
    default:
      if (isAtomic(in.op()))
        block.fails |= isAbort(operand(in, 2));
      block.hasBarrier |= withSubgroups_ && spirv::isOfSubgroups(in.op());
      break;
    }
  }

  /// A call of a function with barriers is one.
  void spreadBarriers() {
    for (auto &[id, function] : functions_)
      function.hasBarrier = std::ranges::any_of(function.blocks, &Block::hasBarrier);
    spreadToCallers(&Function::hasBarrier);
    for (auto &[id, function] : functions_)
      for (Block &block : function.blocks)
        forEach(block, [&](const Instruction &in) {
          if (in.op() != spv::OpFunctionCall)
            return;
          const auto callee = functions_.find(in[2]);
          block.hasBarrier |= callee != functions_.end() && callee->second.hasBarrier;
        });
  }

  /// If a pointer is the address in the variable of failed assertions, or was loaded through it.
  bool isAbort(uint32_t pointer) const {
    for (int loads = 0; loads < 4; ++loads) {
      pointer = rootOf(pointer);
      if (pointer == abort_ && abort_)
        return loads != 0;
      const auto from = loadedFrom_.find(pointer);
      if (from == loadedFrom_.end())
        return false;
      pointer = from->second;
    }
    return false;
  }

  /// Blocks in which an assertion fails are no way to anywhere, nor are calls of functions that come to nothing else. The function
  /// that notes the failure returns, too, if there is nowhere to note it.
  void cutFailing() {
    std::unordered_set<uint32_t> endless;
    for (const auto &[id, function] : functions_)
      if (!function.hasBarrier && std::ranges::any_of(function.blocks, &Block::fails))
        endless.insert(id);
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[id, function] : functions_)
        if (!function.blocks.empty() && !endless.contains(id) && !returns(function, endless))
          changed = endless.insert(id).second;
    }
  }

  /// If a function may return. Cuts the blocks that fail.
  bool returns(Function &function, const std::unordered_set<uint32_t> &endless) {
    for (Block &block : function.blocks) {
      forEach(block,
              [&](const Instruction &in) { block.fails |= in.op() == spv::OpFunctionCall && endless.contains(in[2]); });
      if (block.fails) {
        block.next.clear();
        block.leaves = false;
      }
    }
    std::vector<bool> seen(function.blocks.size());
    std::vector<size_t> work{0};
    while (!work.empty()) {
      const size_t index = work.back();
      work.pop_back();
      if (seen[index])
        continue;
      seen[index] = true;
      if (function.blocks[index].leaves)
        return true;
      work.insert(work.end(), function.blocks[index].next.begin(), function.blocks[index].next.end());
    }
    return false;
  }

  /// A function's answer is that of all that call it.
  void spreadToCallers(bool Function::*flag) {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[id, function] : functions_)
        if (!(function.*flag) && std::ranges::any_of(function.called, [&](uint32_t callee) {
              const auto entry = functions_.find(callee);
              return entry != functions_.end() && entry->second.*flag;
            }))
          changed = function.*flag = true;
    }
  }

  template <class Visit> void forEach(const Block &block, Visit visit) {
    spirv::forEachInstruction(words_, block.begin, block.end, visit);
  }

  void connect(Function &function) {
    std::unordered_map<uint32_t, size_t> byLabel;
    for (size_t index = 0; index < function.blocks.size(); ++index)
      byLabel[function.blocks[index].label] = index;
    for (Block &block : function.blocks)
      forEach(block, [&](const Instruction &in) {
        for (uint32_t label : targetsOf(in, byLabel))
          if (const auto target = byLabel.find(label); target != byLabel.end())
            block.next.push_back(target->second);
      });
  }

  static std::vector<uint32_t> targetsOf(const Instruction &in, const std::unordered_map<uint32_t, size_t> &labels) {
    switch (in.op()) {
    case spv::OpBranch: return {operand(in, 0)};
    case spv::OpBranchConditional: return {operand(in, 1), operand(in, 2)};
    case spv::OpSwitch: break;
    default: return {};
    }
    // Cases have one word or two, as the selector's type has.
    for (size_t step : {2, 3}) {
      std::vector<uint32_t> targets;
      for (size_t at = 1; at < in.operands(); at += step)
        targets.push_back(in[at]);
      const bool fits = (in.operands() - 2) % step == 0;
      if (fits && std::ranges::all_of(targets, [&](uint32_t label) { return labels.contains(label); }))
        return targets;
    }
    return {};
  }

  /// Immediate post-dominators, by the algorithm of Cooper, Harvey and Kennedy. Blocks that end without returning, as after a trap,
  /// are no way out.
  static void findJoins(std::vector<Block> &blocks) {
    const size_t exit = blocks.size();
    std::vector<std::vector<size_t>> before(exit + 1);
    for (size_t index = 0; index < exit; ++index) {
      if (blocks[index].leaves)
        before[exit].push_back(index);
      for (size_t next : blocks[index].next)
        before[next].push_back(index);
    }
    // Every block behind all that it can come to, but for loops.
    std::vector<size_t> order, place(exit + 1, kExit);
    std::vector<std::pair<size_t, size_t>> path{{exit, 0}};
    std::vector<bool> seen(exit + 1);
    seen[exit] = true;
    while (!path.empty()) {
      auto &[index, at] = path.back();
      if (at == before[index].size()) {
        place[index] = order.size();
        order.push_back(index);
        path.pop_back();
      } else if (const size_t next = before[index][at++]; !seen[next]) {
        seen[next] = true;
        path.emplace_back(next, 0);
      }
    }
    std::vector<size_t> join(exit + 1, kExit);
    join[exit] = exit;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t at = order.size() - 1; at-- > 0;) {
        const size_t index = order[at];
        size_t found = blocks[index].leaves ? exit : kExit;
        for (size_t next : blocks[index].next) {
          if (join[next] == kExit)
            continue;
          if (found == kExit) {
            found = next;
            continue;
          }
          for (size_t other = next; found != other;)
            place[found] < place[other] ? found = join[found] : other = join[other];
        }
        changed |= join[index] != found;
        join[index] = found;
      }
    }
    for (size_t index = 0; index < exit; ++index)
      blocks[index].join = join[index] == exit ? kExit : join[index];
  }

  void vary(uint32_t id) { hasChanged_ |= varying_.insert(id).second; }

  uint32_t rootOf(uint32_t pointer) const {
    for (auto next = base_.find(pointer); next != base_.end(); next = base_.find(pointer))
      pointer = next->second;
    return pointer;
  }

  void visit(Function &function) {
    for (size_t index = 0; index < function.blocks.size(); ++index)
      forEach(function.blocks[index], [&](const Instruction &in) { visit(function, index, in); });
  }

  void visit(Function &function, size_t index, const Instruction &in) {
    const int result = spirv::resultOperand(in.op());
    bool anyVaries = isAtomic(in.op());
    spirv::forEachReference(in, [&](uint32_t id) { anyVaries |= varying_.contains(id); });
    switch (in.op()) {
    case spv::OpStore: // what others can see is as it is
      if (varying_.contains(operand(in, 1)) && privates_.contains(rootOf(operand(in, 0))))
        vary(rootOf(in[0]));
      return;
    case spv::OpFunctionCall:
      if (const auto callee = functions_.find(operand(in, 2)); callee != functions_.end()) {
        for (size_t at = 3; at < in.operands() && at - 3 < callee->second.parameters.size(); ++at)
          if (varying_.contains(in[at]))
            vary(callee->second.parameters[at - 3]);
        anyVaries |= callee->second.returnsVarying;
      }
      break;
    case spv::OpReturnValue:
      if (anyVaries && !function.returnsVarying)
        hasChanged_ = function.returnsVarying = true;
      return;
    case spv::OpBranchConditional:
    case spv::OpSwitch:
      if (varying_.contains(operand(in, 0)) && !function.blocks[index].decided)
        decide(function, index);
      return;
    default: break;
    }
    if (anyVaries && result >= 0)
      vary(operand(in, static_cast<size_t>(result)));
  }

  /// A branch that varies: barriers between it and its join are uneven, and the values that meet there vary.
  void decide(Function &function, size_t branch) {
    Block &from = function.blocks[branch];
    from.decided = true;
    std::unordered_set<size_t> between;
    std::vector<size_t> work = from.next;
    while (!work.empty()) {
      const size_t index = work.back();
      work.pop_back();
      if (index == from.join || !between.insert(index).second)
        continue;
      function.isUneven |= function.blocks[index].hasBarrier;
      work.insert(work.end(), function.blocks[index].next.begin(), function.blocks[index].next.end());
    }
    std::unordered_set<uint32_t> labels{from.label};
    for (size_t index : between)
      labels.insert(function.blocks[index].label);
    if (from.join != kExit)
      between.insert(from.join);
    for (size_t index : between)
      forEach(function.blocks[index], [&](const Instruction &in) {
        if (in.op() != spv::OpPhi)
          return;
        std::optional<uint32_t> only;
        for (size_t at = 2; at + 1 < in.operands(); at += 2) {
          if (!labels.contains(in[at + 1]))
            continue;
          if (only.value_or(in[at]) != in[at])
            vary(operand(in, 1));
          only = in[at];
        }
      });
  }

  const spirv::Words words_;
  const bool withSubgroups_;
  std::vector<std::pair<std::string, uint32_t>> kernels_;
  std::unordered_map<uint32_t, Function> functions_;
  Function *current_ = nullptr;
  std::unordered_set<uint32_t> groupScopes_;                 // constants
  std::unordered_set<uint32_t> privates_;                    // variables of functions
  std::unordered_map<uint32_t, uint32_t> base_, loadedFrom_; // of pointers
  uint32_t abort_ = 0;                                       // the variable of failed assertions
  std::unordered_set<uint32_t> varying_;
  bool hasChanged_ = false;
};

} // namespace

std::set<std::string> kernelsWithUnevenBarriers(std::span<const std::byte> module, bool withSubgroups) {
  return BarrierCheck(module, withSubgroups).run();
}

} // namespace hiplz::opencl
