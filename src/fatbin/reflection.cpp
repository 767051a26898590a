// SPDX-License-Identifier: MIT
// One walk over the instructions collects types, constants, decorations, entry points and function parameters; the
// kernels are put together at the end, because decorations may come through groups and pointers may be declared before
// what they point to.
#include "fatbin/reflection.h"
#include "base/spirv_marks.h"
#include "spirv/instructions.h"
#include "spirv/type_table.h"
#include "spirv/words.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>
#include <utility>

namespace hiplz::spirv {
namespace {

/// Reading beyond the last operand is an error of the module.
class Operands : public Instruction {
public:
  explicit Operands(const Instruction &in) : Instruction(in) {}
  uint32_t operator[](size_t index) const { return operand(*this, index); }
  /// The literal string that begins at an operand, and the operand after it.
  std::pair<std::string, size_t> string(size_t index) const {
    (*this)[index];
    const std::optional<Literal> found = literal(index);
    if (!found)
      throw ParseError("the SPIR-V is malformed: the name at word " + std::to_string(at()) + " does not end");
    return {std::string(found->text), found->next};
  }
};

struct Decorations {
  bool byVal = false;
  bool packed = false;
  bool builtIn = false; // one of the variables that every implementation defines
  uint64_t align = 0;
  uint64_t bytes = 0;                                      // that a pointer may be used for
  std::optional<std::pair<std::string, uint32_t>> linkage; // name and kind
};

class Reflector {
public:
  explicit Reflector(std::span<const std::byte> bytes) : words_(bytes) {
    forEachInstruction(words_, [this](const Instruction &in) { visit(Operands(in)); });
    if (inFunction_)
      throw ParseError("the SPIR-V is cut off inside a function");
  }

  Module result() {
    Module module;
    module.needs = needs_;
    std::erase_if(entryPoints_, [&](const auto &entry) {
      const bool second = entry.second.ends_with(kFramesSuffix);
      module.recursion |= second;
      return second;
    });
    for (auto &[function, name] : entryPoints_)
      addKernel(module, function, name);
    for (const Variable &variable : variables_)
      addVariable(module, variable);
    for (auto &[id, decorations] : decorations_)
      if (decorations.linkage && decorations.linkage->second == spv::LinkageTypeImport && !decorations.builtIn)
        module.imports.push_back(decorations.linkage->first);
    std::sort(module.imports.begin(), module.imports.end());
    return module;
  }

private:
  struct Variable {
    uint32_t id;
    uint32_t pointerType;
  };
  struct Parameter {
    uint32_t id;
    uint32_t type;
  };

  void visit(const Operands &in) {
    switch (in.op()) {
    case spv::OpCapability: addCapability(in[0]); break;
    case spv::OpEntryPoint:
      if (in[0] == spv::ExecutionModelKernel)
        entryPoints_.emplace_back(in[1], in.string(2).first);
      break;
    case spv::OpExecutionMode:
      if (in[1] == spv::ExecutionModeMaxWorkgroupSizeINTEL)
        setMaxThreads(in[0], in[2], in[3], in[4]);
      else if (in[1] == spv::ExecutionModeSubgroupSize)
        needs_.add({.subgroupSizes = {in[2]}});
      break;
    case spv::OpSourceExtension: addMark(in.string(0).first); break;
    case spv::OpVariable:
      if (!inFunction_)
        variables_.push_back({in[1], in[0]});
      break;
    case spv::OpFunction:
      if (inFunction_)
        throw ParseError("the SPIR-V is malformed: a function begins inside another");
      inFunction_ = true;
      parameters_ = &functions_[in[1]];
      break;
    case spv::OpFunctionParameter:
      if (!inFunction_)
        throw ParseError("the SPIR-V is malformed: a parameter outside of a function");
      parameters_->push_back({in[1], in[0]});
      break;
    case spv::OpFunctionEnd: inFunction_ = false; break;
    case spv::OpDecorate: decorate(in); break;
    case spv::OpGroupDecorate:
      for (size_t i = 1; i < in.operands(); ++i)
        copyDecorations(in[0], in[i]);
      break;
    default:
      if (!inFunction_)
        types_.read(in, in.op() == spv::OpTypeStruct && isPacked(in[0]));
    }
  }

  void addCapability(uint32_t capability) {
    needs_.float64 |= capability == spv::CapabilityFloat64;
    needs_.float16 |= capability == spv::CapabilityFloat16 || capability == spv::CapabilityFloat16Buffer;
    needs_.int64Atomics |= capability == spv::CapabilityInt64Atomics;
  }

  // The compile path gives launch bounds as the same limit for each dimension (llvm-passes/prepare_module.cpp).
  void setMaxThreads(uint32_t function, uint64_t x, uint64_t y, uint64_t z) {
    const auto rectangle = multiply(x, y);
    const auto limit = x == y && y == z ? x : rectangle ? multiply(*rectangle, z) : std::nullopt;
    if (limit && *limit <= UINT32_MAX)
      maxThreads_[function] = static_cast<uint32_t>(*limit);
  }

  void addMark(std::string_view mark) {
    const size_t space = mark.find(' ', sizeof kMissing - 1);
    if (mark.starts_with(kMissing) && space != mark.npos)
      missing_.emplace(mark.substr(sizeof kMissing - 1, space - (sizeof kMissing - 1)), mark.substr(space + 1));
  }

  void decorate(const Operands &in) {
    Decorations &target = decorations_[in[0]];
    switch (in[1]) {
    case spv::DecorationCPacked: target.packed = true; break;
    case spv::DecorationBuiltIn: target.builtIn = true; break;
    case spv::DecorationFuncParamAttr: target.byVal |= in[2] == spv::FunctionParameterAttributeByVal; break;
    case spv::DecorationAlignment: target.align = in[2]; break;
    case spv::DecorationMaxByteOffset: target.bytes = in[2]; break;
    case spv::DecorationLinkageAttributes: {
      auto [name, next] = in.string(2);
      target.linkage.emplace(std::move(name), in[next]);
      break;
    }
    default: break;
    }
  }

  void copyDecorations(uint32_t group, uint32_t target) {
    auto from = decorations_.find(group);
    if (from == decorations_.end() || group == target)
      return;
    Decorations source = from->second;
    Decorations &to = decorations_[target];
    to.byVal |= source.byVal;
    to.packed |= source.packed;
    to.builtIn |= source.builtIn;
    to.align = std::max(to.align, source.align);
    to.bytes = std::max(to.bytes, source.bytes);
  }

  bool isPacked(uint32_t type) const {
    const auto found = decorations_.find(type);
    return found != decorations_.end() && found->second.packed;
  }

  void addKernel(Module &module, uint32_t function, const std::string &name) {
    auto known = [&](const auto &kernel) { return kernel.name == name; };
    if (std::any_of(module.kernels.begin(), module.kernels.end(), known) ||
        std::any_of(module.refused.begin(), module.refused.end(), known))
      return;
    auto parameters = functions_.find(function);
    if (parameters == functions_.end())
      throw ParseError("the SPIR-V is malformed: the kernel " + name + " has no body");
    Kernel kernel{.name = name, .args = {}};
    if (auto bound = maxThreads_.find(function); bound != maxThreads_.end())
      kernel.maxThreads = bound->second;
    if (auto missing = missing_.find(name); missing != missing_.end())
      kernel.missing = missing->second;
    for (size_t i = 0; i < parameters->second.size(); ++i) {
      const Parameter &parameter = parameters->second[i];
      const Type *type = types_.find(parameter.type);
      if (type && type->kind == Type::Kind::pointer && type->storage == spv::StorageClassWorkgroup &&
          i + 1 == parameters->second.size()) {
        kernel.dynamicLocalIndex = static_cast<int>(i);
        continue;
      }
      auto arg = type ? argument(*type, parameter.id) : std::nullopt;
      if (!arg) {
        module.refused.push_back({name, "its parameter " + std::to_string(i) + " is of a kind that HIP does not have"});
        return;
      }
      kernel.args.push_back(*arg);
    }
    module.kernels.push_back(std::move(kernel));
  }

  std::optional<Arg> argument(const Type &type, uint32_t id) const {
    constexpr uint64_t kMaxArgumentBytes = 1 << 20, kMaxAlign = 4096;
    auto found = decorations_.find(id);
    bool byVal = found != decorations_.end() && found->second.byVal;
    Layout layout = type.layout;
    ArgKind kind = ArgKind::value;
    bool inMemory = false;
    if (type.kind == Type::Kind::pointer && byVal) {
      const Type *pointee = types_.find(type.pointee);
      if (!pointee)
        return std::nullopt;
      layout = pointee->layout;
      // The natural alignment of an over-aligned C++ type is lost in SPIR-V; the parameter's decoration still has it.
      if (found->second.align != 0 && std::has_single_bit(found->second.align))
        layout.align = found->second.align;
      kind = ArgKind::byValue;
    } else if (type.kind == Type::Kind::pointer && type.storage == spv::StorageClassUniformConstant &&
               found != decorations_.end() && found->second.bytes != 0) {
      layout = {found->second.bytes, std::has_single_bit(found->second.align) ? found->second.align : 1};
      kind = ArgKind::byValue;
      inMemory = true;
    } else if (type.kind == Type::Kind::pointer) {
      if (type.storage != spv::StorageClassCrossWorkgroup && type.storage != spv::StorageClassGeneric &&
          type.storage != spv::StorageClassUniformConstant)
        return std::nullopt;
      kind = ArgKind::pointer;
    }
    if (layout.size > kMaxArgumentBytes || layout.align > kMaxAlign)
      return std::nullopt;
    return Arg{kind, static_cast<uint32_t>(layout.size), static_cast<uint32_t>(layout.align), inMemory};
  }

  void addVariable(Module &module, const Variable &variable) {
    auto decorations = decorations_.find(variable.id);
    if (decorations == decorations_.end() || !decorations->second.linkage ||
        decorations->second.linkage->second == spv::LinkageTypeImport)
      return;
    const Type *pointer = types_.find(variable.pointerType);
    const Type *type = pointer && pointer->kind == Type::Kind::pointer ? types_.find(pointer->pointee) : nullptr;
    if (type)
      module.globals.push_back({decorations->second.linkage->first, type->layout.size});
  }

  const Words words_;
  Needs needs_;
  std::vector<std::pair<uint32_t, std::string>> entryPoints_; // function and name
  std::unordered_map<uint32_t, uint32_t> maxThreads_;
  std::unordered_map<std::string, std::string> missing_; // by the names of kernels
  TypeTable types_;
  std::unordered_map<uint32_t, Decorations> decorations_;
  std::unordered_map<uint32_t, std::vector<Parameter>> functions_;
  std::vector<Variable> variables_;
  std::vector<Parameter> *parameters_ = nullptr; // of the function that is being read
  bool inFunction_ = false;
};

} // namespace

void Needs::add(const Needs &other) {
  float64 |= other.float64;
  float16 |= other.float16;
  int64Atomics |= other.int64Atomics;
  for (const uint32_t size : other.subgroupSizes)
    if (std::find(subgroupSizes.begin(), subgroupSizes.end(), size) == subgroupSizes.end())
      subgroupSizes.push_back(size);
}

Module reflect(std::span<const std::byte> bytes) {
  Words words(bytes);
  if (words.beginLikeBigEndianSpirv())
    throw ParseError("the SPIR-V is big-endian, which no device here takes");
  if (words.count() <= kHeaderWords)
    throw ParseError("the SPIR-V is cut off in or after its header");
  if (!words.beginLikeSpirv())
    throw ParseError("the image does not begin like SPIR-V");
  if (bytes.size() % sizeof(uint32_t) != 0)
    throw ParseError("the SPIR-V has " + std::to_string(bytes.size()) + " bytes, which is not a multiple of 4");
  return Reflector(bytes).result();
}

size_t moduleSize(std::span<const std::byte> bytes) {
  Words words(bytes);
  if (words.count() < kHeaderWords || !words.beginLikeSpirv())
    return 0;
  const uint32_t bound = words[kBoundWord];
  bool afterFunction = false;
  const size_t end = walk(words, [&](const Instruction &in) {
    const bool line = (in.op() == spv::OpLine && in.length() == 4) || (in.op() == spv::OpNoLine && in.length() == 1);
    const bool function = in.op() == spv::OpFunction && in.length() == 5 && in[0] < bound && in[1] < bound;
    if (afterFunction && !line && !function)
      return false;
    afterFunction = in.op() == spv::OpFunctionEnd || (afterFunction && line);
    return true;
  });
  return end * sizeof(uint32_t);
}

} // namespace hiplz::spirv
