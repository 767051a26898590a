// SPDX-License-Identifier: MIT
// See shared_memory.h.
#include "opencl/shared_memory.h"
#include "spirv/instructions.h"
#include "spirv/type_table.h"

#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hiplz::opencl {
namespace {

using spirv::operand;

class SharedMemory {
public:
  explicit SharedMemory(std::span<const std::byte> module) {
    const spirv::Words words(module);
    spirv::forEachInstruction(words, [this](const spirv::Instruction &in) { look(in); });
  }

  std::map<std::string, uint64_t> sizes() const {
    std::map<std::string, uint64_t> result;
    for (const auto &[name, kernel] : kernels_)
      result[name] = sizeOf(kernel);
    return result;
  }

private:
  struct Function {
    std::set<uint32_t> variables, called;
  };

  void look(const spirv::Instruction &in) {
    switch (in.op()) {
    case spv::OpEntryPoint:
      if (const auto name = in.literal(2))
        kernels_.emplace(name->text, operand(in, 1));
      return;
    case spv::OpDecorate:
      if (operand(in, 1) == spv::DecorationCPacked)
        packed_.insert(in[0]);
      return;
    case spv::OpVariable:
      if (operand(in, 2) == spv::StorageClassWorkgroup)
        if (const spirv::Type *pointer = types_.find(in[0]))
          if (const spirv::Type *type = types_.find(pointer->pointee)) {
            variables_[in[1]] = type->layout;
            named_[in[1]].insert(in[1]);
          }
      return;
    case spv::OpFunction: function_ = &functions_[operand(in, 1)]; return;
    default: break;
    }
    if (!function_) {
      types_.read(in, in.operands() && packed_.contains(in[0]));
      if (in.op() == spv::OpSpecConstantOp || in.op() == spv::OpConstantComposite) { // addresses in variables
        std::set<uint32_t> variables;
        addNamed(in, variables);
        if (!variables.empty())
          named_[operand(in, 1)] = std::move(variables);
      }
      return;
    }
    if (in.op() == spv::OpFunctionCall)
      function_->called.insert(operand(in, 2));
    addNamed(in, function_->variables);
  }

  void addNamed(const spirv::Instruction &in, std::set<uint32_t> &variables) const {
    spirv::forEachReference(in, [&](uint32_t id) {
      if (const auto named = named_.find(id); named != named_.end())
        variables.insert(named->second.begin(), named->second.end());
    });
  }

  uint64_t sizeOf(uint32_t kernel) const {
    std::set<uint32_t> reached{kernel}, variables;
    for (std::vector<uint32_t> left{kernel}; !left.empty();) {
      const auto function = functions_.find(left.back());
      left.pop_back();
      if (function == functions_.end())
        continue;
      variables.insert(function->second.variables.begin(), function->second.variables.end());
      for (uint32_t called : function->second.called)
        if (reached.insert(called).second)
          left.push_back(called);
    }
    uint64_t size = 0;
    for (uint32_t variable : variables) {
      const spirv::Layout &layout = variables_.at(variable);
      size = (size + layout.align - 1) / layout.align * layout.align + layout.size;
    }
    return size;
  }

  spirv::TypeTable types_;
  std::unordered_set<uint32_t> packed_;
  std::unordered_map<uint32_t, spirv::Layout> variables_;
  std::unordered_map<uint32_t, std::set<uint32_t>> named_; // variables, by themselves and by constants
  std::multimap<std::string, uint32_t> kernels_;
  std::unordered_map<uint32_t, Function> functions_;
  Function *function_ = nullptr; // that is being read
};

} // namespace

std::map<std::string, uint64_t> sharedMemoryOf(std::span<const std::byte> module) {
  return SharedMemory(module).sizes();
}

} // namespace hiplz::opencl
