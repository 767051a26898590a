// SPDX-License-Identifier: MIT
// One walk over the instructions collects types, constants, decorations, entry points and function parameters; the
// kernels are put together at the end, because decorations may come through groups and pointers may be declared before
// what they point to. Sizes of types are computed when the type is declared, from types declared before it, so that no
// input can make this recurse.
#include "fatbin/reflection.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

namespace hiplz::spirv {
namespace {

// Numbers of the SPIR-V specification.
enum Op : uint16_t {
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpTypeBool = 20,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpTypeVector = 23,
  OpTypeImage = 25,
  OpTypeSampler = 26,
  OpTypeArray = 28,
  OpTypeStruct = 30,
  OpTypePointer = 32,
  OpTypeForwardPointer = 39,
  OpConstant = 43,
  OpSpecConstant = 50,
  OpFunction = 54,
  OpFunctionParameter = 55,
  OpFunctionEnd = 56,
  OpVariable = 59,
  OpDecorate = 71,
  OpGroupDecorate = 74,
  OpLine = 8,
  OpNoLine = 317,
};
enum class Storage : uint32_t { uniformConstant = 0, workgroup = 4, crossWorkgroup = 5, function = 7, generic = 8 };
constexpr uint32_t kExecutionModelKernel = 6, kModeMaxWorkgroupSize = 5893;
constexpr uint32_t kDecorationCPacked = 10, kDecorationBuiltIn = 11, kDecorationFuncParamAttr = 38,
                   kDecorationLinkage = 41, kDecorationAlignment = 44, kDecorationMaxByteOffset = 45;
constexpr uint32_t kFuncParamAttrByVal = 2, kLinkageImport = 1;
constexpr size_t kHeaderWords = 5;
constexpr uint64_t kPointerBytes = 8;

/// A module as words, wherever it lies: fat binaries in files need not be aligned.
class Words {
public:
  explicit Words(std::span<const std::byte> bytes) : bytes_(bytes) {}
  size_t count() const { return bytes_.size() / sizeof(uint32_t); }
  uint32_t operator[](size_t index) const {
    uint32_t word;
    std::memcpy(&word, bytes_.data() + index * sizeof word, sizeof word);
    return word;
  }
  std::span<const std::byte> bytesFrom(size_t index, size_t end) const {
    return bytes_.subspan(index * sizeof(uint32_t), (end - index) * sizeof(uint32_t));
  }

private:
  std::span<const std::byte> bytes_;
};

/// One instruction: operands by index, 0 being the first word after the opcode. Reading beyond the last is an error of
/// the module.
class Instruction {
public:
  Instruction(const Words &words, size_t at) : words_(words), at_(at), length_(words[at] >> 16) {}
  uint16_t opcode() const { return words_[at_] & 0xffff; }
  size_t length() const { return length_; }
  size_t operands() const { return length_ - 1; }
  uint32_t operator[](size_t index) const {
    if (index >= operands())
      throw ParseError("the SPIR-V is malformed: instruction " + std::to_string(opcode()) + " at word " +
                       std::to_string(at_) + " has too few operands");
    return words_[at_ + 1 + index];
  }
  /// The literal string that begins at an operand, and the operand after it.
  std::pair<std::string, size_t> string(size_t index) const {
    (*this)[index];
    auto bytes = words_.bytesFrom(at_ + 1 + index, at_ + length_);
    auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
    if (end == bytes.end())
      throw ParseError("the SPIR-V is malformed: the name at word " + std::to_string(at_) + " does not end");
    size_t size = end - bytes.begin();
    return {std::string(reinterpret_cast<const char *>(bytes.data()), size), index + size / sizeof(uint32_t) + 1};
  }

private:
  const Words &words_;
  size_t at_;
  size_t length_;
};

struct Layout {
  uint64_t size = 0;
  uint64_t align = 1;
};

struct Type {
  enum class Kind { value, aggregate, pointer } kind = Kind::value;
  Layout layout;        // of a pointer: its own, not that of what it points to
  uint32_t element = 0; // vector: the component's size
  Storage storage{};    // pointer
  uint32_t pointee = 0; // pointer
};

struct Decorations {
  bool byVal = false;
  bool packed = false;
  bool builtIn = false; // one of the variables that every implementation defines
  uint64_t align = 0;
  uint64_t bytes = 0;                                      // that a pointer may be used for
  std::optional<std::pair<std::string, uint32_t>> linkage; // name and kind
};

/// a*b and a+b, or nothing if that exceeds what an object can measure.
std::optional<uint64_t> multiply(uint64_t a, uint64_t b) {
  uint64_t result;
  return __builtin_mul_overflow(a, b, &result) || result > INT64_MAX ? std::nullopt : std::optional(result);
}
std::optional<uint64_t> add(uint64_t a, uint64_t b) {
  uint64_t result;
  return __builtin_add_overflow(a, b, &result) || result > INT64_MAX ? std::nullopt : std::optional(result);
}
std::optional<uint64_t> alignUp(uint64_t value, uint64_t align) {
  auto padded = add(value, align - 1);
  return padded ? std::optional(*padded / align * align) : std::nullopt;
}

class Reflector {
public:
  explicit Reflector(std::span<const std::byte> bytes) : words_(bytes) {
    for (size_t at = kHeaderWords; at < words_.count();) {
      Instruction instruction(words_, at);
      if (instruction.length() == 0 || instruction.length() > words_.count() - at)
        throw ParseError("the SPIR-V is cut off or malformed at word " + std::to_string(at));
      visit(instruction);
      at += instruction.length();
    }
    if (inFunction_)
      throw ParseError("the SPIR-V is cut off inside a function");
  }

  Module result() {
    Module module;
    for (auto &[function, name] : entryPoints_)
      addKernel(module, function, name);
    for (const Variable &variable : variables_)
      addVariable(module, variable);
    for (auto &[id, decorations] : decorations_)
      if (decorations.linkage && decorations.linkage->second == kLinkageImport && !decorations.builtIn)
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

  void visit(const Instruction &in) {
    switch (in.opcode()) {
    case OpEntryPoint:
      if (in[0] == kExecutionModelKernel)
        entryPoints_.emplace_back(in[1], in.string(2).first);
      break;
    case OpExecutionMode:
      if (in[1] == kModeMaxWorkgroupSize)
        setMaxThreads(in[0], in[2], in[3], in[4]);
      break;
    case OpTypeBool: declareValue(in[0], 1, 1); break;
    case OpTypeInt:
    case OpTypeFloat: declareScalar(in[0], in[1]); break;
    case OpTypeVector: declareVector(in); break;
    case OpTypeArray: declareArray(in); break;
    case OpTypeStruct: declareStruct(in); break;
    case OpTypeForwardPointer: declarePointer(in[0], in[1], 0); break;
    case OpTypePointer: declarePointer(in[0], in[1], in[2]); break;
    case OpConstant:
    case OpSpecConstant: constants_[in[1]] = in[2] | (in.operands() > 3 ? uint64_t(in[3]) << 32 : 0); break;
    case OpVariable:
      if (!inFunction_)
        variables_.push_back({in[1], in[0]});
      break;
    case OpFunction:
      if (inFunction_)
        throw ParseError("the SPIR-V is malformed: a function begins inside another");
      inFunction_ = true;
      parameters_ = &functions_[in[1]];
      break;
    case OpFunctionParameter:
      if (!inFunction_)
        throw ParseError("the SPIR-V is malformed: a parameter outside of a function");
      parameters_->push_back({in[1], in[0]});
      break;
    case OpFunctionEnd: inFunction_ = false; break;
    case OpDecorate: decorate(in); break;
    case OpGroupDecorate:
      for (size_t i = 1; i < in.operands(); ++i)
        copyDecorations(in[0], in[i]);
      break;
    default: break;
    }
  }

  // The compile path gives launch bounds as the same limit for each dimension (llvm-passes/prepare_module.cpp).
  void setMaxThreads(uint32_t function, uint64_t x, uint64_t y, uint64_t z) {
    const auto rectangle = multiply(x, y);
    const auto limit = x == y && y == z ? x : rectangle ? multiply(*rectangle, z) : std::nullopt;
    if (limit && *limit <= UINT32_MAX)
      maxThreads_[function] = static_cast<uint32_t>(*limit);
  }

  void decorate(const Instruction &in) {
    Decorations &target = decorations_[in[0]];
    switch (in[1]) {
    case kDecorationCPacked: target.packed = true; break;
    case kDecorationBuiltIn: target.builtIn = true; break;
    case kDecorationFuncParamAttr: target.byVal |= in[2] == kFuncParamAttrByVal; break;
    case kDecorationAlignment: target.align = in[2]; break;
    case kDecorationMaxByteOffset: target.bytes = in[2]; break;
    case kDecorationLinkage: {
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

  // Types without a known size (images, arrays of huge length ...) are left out of types_.
  void declareValue(uint32_t id, uint64_t size, uint64_t align) {
    types_[id] = {.kind = Type::Kind::value, .layout = {size, align}};
  }
  void declareScalar(uint32_t id, uint32_t bits) {
    if (bits > 0 && bits <= 1024) {
      uint64_t bytes = std::bit_ceil((bits + 7) / 8);
      declareValue(id, bytes, bytes);
    }
  }
  void declareVector(const Instruction &in) {
    const Type *component = find(in[1]);
    uint32_t lanes = in[2];
    if (component && component->kind == Type::Kind::value && lanes > 0 && lanes <= 1024) {
      uint64_t bytes = component->layout.size * std::bit_ceil(lanes); // three components take the room of four
      declareValue(in[0], bytes, bytes);
    }
  }
  void declareArray(const Instruction &in) {
    const Type *element = find(in[1]);
    auto length = constants_.find(in[2]);
    if (!element || length == constants_.end())
      return;
    if (auto size = multiply(element->layout.size, length->second))
      types_[in[0]] = {.kind = Type::Kind::aggregate, .layout = {*size, element->layout.align}};
  }
  void declareStruct(const Instruction &in) {
    auto decorations = decorations_.find(in[0]);
    bool packed = decorations != decorations_.end() && decorations->second.packed;
    Layout layout;
    for (size_t i = 1; i < in.operands(); ++i) {
      const Type *member = find(in[i]);
      if (!member)
        return;
      uint64_t align = packed ? 1 : member->layout.align;
      auto offset = alignUp(layout.size, align);
      auto end = offset ? add(*offset, member->layout.size) : std::nullopt;
      if (!end)
        return;
      layout = {*end, std::max(layout.align, align)};
    }
    if (auto size = alignUp(layout.size, layout.align))
      types_[in[0]] = {.kind = Type::Kind::aggregate, .layout = {*size, layout.align}};
  }
  void declarePointer(uint32_t id, uint32_t storage, uint32_t pointee) {
    types_[id] = {.kind = Type::Kind::pointer,
                  .layout = {kPointerBytes, kPointerBytes},
                  .storage = static_cast<Storage>(storage),
                  .pointee = pointee};
  }

  const Type *find(uint32_t id) const {
    auto found = types_.find(id);
    return found == types_.end() ? nullptr : &found->second;
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
    for (size_t i = 0; i < parameters->second.size(); ++i) {
      const Parameter &parameter = parameters->second[i];
      const Type *type = find(parameter.type);
      if (type && type->kind == Type::Kind::pointer && type->storage == Storage::workgroup &&
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
      const Type *pointee = find(type.pointee);
      if (!pointee)
        return std::nullopt;
      layout = pointee->layout;
      // The natural alignment of an over-aligned C++ type is lost in SPIR-V; the parameter's decoration still has it.
      if (found->second.align != 0 && std::has_single_bit(found->second.align))
        layout.align = found->second.align;
      kind = ArgKind::byValue;
    } else if (type.kind == Type::Kind::pointer && type.storage == Storage::uniformConstant &&
               found != decorations_.end() && found->second.bytes != 0) {
      layout = {found->second.bytes, std::has_single_bit(found->second.align) ? found->second.align : 1};
      kind = ArgKind::byValue;
      inMemory = true;
    } else if (type.kind == Type::Kind::pointer) {
      if (type.storage != Storage::crossWorkgroup && type.storage != Storage::generic &&
          type.storage != Storage::uniformConstant)
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
        decorations->second.linkage->second == kLinkageImport)
      return;
    const Type *pointer = find(variable.pointerType);
    const Type *type = pointer && pointer->kind == Type::Kind::pointer ? find(pointer->pointee) : nullptr;
    if (type)
      module.globals.push_back({decorations->second.linkage->first, type->layout.size});
  }

  const Words words_;
  std::vector<std::pair<uint32_t, std::string>> entryPoints_; // function and name
  std::unordered_map<uint32_t, uint32_t> maxThreads_;
  std::unordered_map<uint32_t, Type> types_;
  std::unordered_map<uint32_t, uint64_t> constants_;
  std::unordered_map<uint32_t, Decorations> decorations_;
  std::unordered_map<uint32_t, std::vector<Parameter>> functions_;
  std::vector<Variable> variables_;
  std::vector<Parameter> *parameters_ = nullptr; // of the function that is being read
  bool inFunction_ = false;
};

} // namespace

Module reflect(std::span<const std::byte> bytes) {
  Words words(bytes);
  if (words.count() >= 1 && words[0] == __builtin_bswap32(kMagic))
    throw ParseError("the SPIR-V is big-endian, which no device here takes");
  if (words.count() <= kHeaderWords)
    throw ParseError("the SPIR-V is cut off in or after its header");
  if (words[0] != kMagic)
    throw ParseError("the image does not begin like SPIR-V");
  if (bytes.size() % sizeof(uint32_t) != 0)
    throw ParseError("the SPIR-V has " + std::to_string(bytes.size()) + " bytes, which is not a multiple of 4");
  return Reflector(bytes).result();
}

size_t moduleSize(std::span<const std::byte> bytes) {
  Words words(bytes);
  if (words.count() < kHeaderWords || words[0] != kMagic)
    return 0;
  const uint32_t bound = words[3];
  bool afterFunction = false;
  size_t at = kHeaderWords;
  for (; at < words.count(); at += words[at] >> 16) {
    uint32_t length = words[at] >> 16, opcode = words[at] & 0xffff;
    if (length == 0 || length > words.count() - at)
      break;
    bool line = (opcode == OpLine && length == 4) || (opcode == OpNoLine && length == 1);
    bool function = opcode == OpFunction && length == 5 && words[at + 1] < bound && words[at + 2] < bound;
    if (afterFunction && !line && !function)
      break;
    afterFunction = opcode == OpFunctionEnd || (afterFunction && line);
  }
  return at * sizeof(uint32_t);
}

} // namespace hiplz::spirv
