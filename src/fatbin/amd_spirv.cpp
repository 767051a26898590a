// SPDX-License-Identifier: MIT
// One walk through the module. Types, constants and variables go to one sequence of words and functions to another, so that a
// type that a function turns out to need can still be declared. Wherever a value without a pointee is used as a pointer to
// something, a cast to a pointer of that type stands before the use.
#include "fatbin/amd_spirv.h"
#include "fatbin/amd_early_casts.h"
#include "fatbin/amd_names.h"
#include "fatbin/amd_pointers.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <unordered_map>

namespace hiplz::spirv {
namespace {

class Translation : private PointerWriter {
public:
  explicit Translation(const Words &words) : words_(words) {}

  std::vector<std::byte> run() {
    takeHeader(words_);
    head_[kVersionWord] = kVersion14;
    if (next_ > kMostIds)
      throw ParseError("the SPIR-V has too many ids");
    forEachInstruction(words_, [&](const Instruction &in) { note(in); });
    earlyCasts_.join([&] { return fresh(); });
    bool inFunctions = false;
    forEachInstruction(words_, [&](const Instruction &in) {
      if (in.op() == spv::OpFunction && !inFunctions) {
        inFunctions = true;
        writeCasts();
        out_ = &body_;
      }
      write(in);
    });
    return finish();
  }

private:
  /// Decorations that have to be known before the instruction that they are about.
  void note(const Instruction &in) {
    if (isOfSource(in))
      return;
    earlyCasts_.note(in);
    noteBfloat(in);
    switch (static_cast<uint32_t>(in.op())) {
    case spv::OpEntryPoint:
      if (const auto name = in.literal(2))
        entryPoints_.insert(std::string(name->text));
      break;
    case spv::OpDecorate:
      if (const auto name = linkageName(in))
        linkageNames_[operand(in, 0)] = *name;
      break;
    case spv::OpExtInstImport:
      if (const auto name = in.literal(1); name && describesSource(name->text))
        dropped_.insert(operand(in, 0));
      else if (name && name->text == kOpenCl)
        openCl_ = operand(in, 0);
      break;
    case spv::OpTypeInt:
      if (operand(in, 1) == 8)
        byte_ = operand(in, 0);
      if (operand(in, 1) >= 32)
        wideIntegers_.insert(in[0]);
      break;
    case spv::OpTypeVector:
      if (wideIntegers_.contains(operand(in, 1)))
        wideIntegers_.insert(in[0]);
      break;
    case kOpUntypedVariable:
    case spv::OpVariable:
      if (operand(in, 2) == spv::StorageClassWorkgroup)
        shared_.insert(operand(in, 1));
      if (in.op() != spv::OpVariable)
        variables_[operand(in, 1)] = fresh();
      break;
    case spv::OpFunction:
      functionTypes_[operand(in, 1)] = operand(in, 3);
      skipping_ = isReplacedFunction(in[1]);
      return;
    case spv::OpFunctionEnd: skipping_ = false; break;
    default: break;
    }
    if (skipping_ && in.op() != spv::OpFunctionParameter)
      gone_.insert(resultOf(in));
    else if ((in.op() == spv::OpConvertFToU || in.op() == spv::OpConvertFToS) && wideIntegers_.contains(operand(in, 0)))
      toIntegers_.push_back(operand(in, 1));
  }

  bool isOfSource(const Instruction &in) const {
    return in.op() == spv::OpLine || in.op() == spv::OpNoLine ||
           (in.op() == spv::OpExtInst && dropped_.contains(operand(in, 2)));
  }

  bool isReplacedFunction(uint32_t id) const {
    const auto name = linkageNames_.find(id);
    return name != linkageNames_.end() && isReplaced(name->second);
  }

  void write(const Instruction &in) {
    if (skipping_) {
      skipping_ = in.op() != spv::OpFunctionEnd;
      if (skipping_ && in.op() != spv::OpFunctionParameter)
        return;
    }
    if (isOfSource(in))
      return;
    if (!inHead() && !precedesCasts(in.op()))
      writeCasts();
    if (earlyCasts_.contains(in))
      return;
    writeHere(in);
    queueEarlyCasts(resultOf(in));
  }

  void writeHere(const Instruction &in) {
    if (computesBfloat(in))
      return writeBfloat(in, openCl_);
    switch (static_cast<uint32_t>(in.op())) {
    case spv::OpCapability:
      if (std::ranges::find(kDroppedCapabilities, operand(in, 0)) != kDroppedCapabilities.end())
        return;
      break;
    case spv::OpExtension:
      if (const auto name = in.literal(0);
          name && std::ranges::find(kDroppedExtensions, name->text) != kDroppedExtensions.end())
        return;
      break;
    case spv::OpExtInstImport:
      if (dropped_.contains(operand(in, 0)))
        return;
      break;
    case spv::OpExtInst:
      if (operand(in, 2) == openCl_ && pointsSomewhere(operand(in, 3)))
        return writeWithPointer(in, in.operands() - 1, pointeeOf(in));
      break;
    case spv::OpEntryPoint: {
      const auto name = in.literal(2);
      if (!name)
        throw ParseError("the SPIR-V is malformed: the name of an entry point does not end");
      std::vector<uint32_t> rest = wordsOf(name->text);
      for (size_t i = name->next; i < in.operands(); ++i)
        rest.push_back(renamed(in[i]));
      return emit(in.op(), {operand(in, 0), operand(in, 1)}, rest);
    }
    case spv::OpExecutionMode:
      // AMD's bound is one of all threads, in the first number; ours has it in each dimension.
      if (operand(in, 1) == spv::ExecutionModeMaxWorkgroupSizeINTEL) {
        const uint32_t threads = operand(in, 2) * operand(in, 3) * operand(in, 4);
        return emit(in.op(), {in[0], in[1], threads, threads, threads});
      }
      break;
    case spv::OpName: {
      if (gone_.contains(operand(in, 0)))
        return;
      const auto name = in.literal(1);
      if (!name)
        throw ParseError("the SPIR-V is malformed: a name does not end");
      return emit(in.op(), {renamed(operand(in, 0))}, wordsOf(nameHere(name->text)));
    }
    case spv::OpDecorate: return writeDecoration(in);
    case kOpTypeUntypedPointer: return writeType(in);
    case spv::OpConstant: constants_[operand(in, 1)] = operand(in, 2); break;
    case spv::OpConstantComposite:
    case spv::OpSpecConstantComposite: return writeConstantComposite(in);
    case spv::OpCompositeConstruct: return writeConstruct(in);
    case kOpUntypedVariable: return writeVariable(in);
    case spv::OpVariable:
      if (in.operands() > 3)
        return writeWithType(in, 3, 3, pointeeOfType(operand(in, 0)));
      break;
    case spv::OpSpecConstantOp: return writeConstantExpression(in);
    case spv::OpFunction: return writeFunction(in);
    case kOpUntypedAccessChain:
    case kOpUntypedInBoundsAccessChain:
    case kOpUntypedPtrAccessChain:
    case kOpUntypedInBoundsPtrAccessChain:
      return writeAccess(in.op(), operandsFrom(in, 2), operand(in, 0), operand(in, 1));
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
    case spv::OpPtrAccessChain:
    case spv::OpInBoundsPtrAccessChain:
      return writeTypedAccess(in.op(), operandsFrom(in, 2), operand(in, 0), operand(in, 1));
    case spv::OpCompositeInsert: return writeInsert(in);
    case spv::OpCompositeExtract: return writeExtract(in);
    case spv::OpCopyObject: return writeCopyOfObject(in);
    case spv::OpSelect: return writeWithType(in, 3, 4, operand(in, 0));
    case spv::OpPhi: return writePhi(in);
    case spv::OpReturnValue: return writeWithType(in, 0, 0, resultType_);
    case spv::OpPtrDiff: return writeWithType(in, 3, 3, typeOf(operand(in, 2)));
    case spv::OpPtrCastToGeneric:
    case spv::OpGenericCastToPtr:
    case spv::OpGenericCastToPtrExplicit: return writeWithPointer(in, 2, pointeeOfType(operand(in, 0)));
    case spv::OpCopyMemory: return writeCopy(in, byte_);
    case spv::OpLoad: return writeWithPointer(in, 2, operand(in, 0));
    case spv::OpStore: return writeWithPointer(in, 0, typeOf(operand(in, 1)));
    case spv::OpAtomicStore: return writeWithPointer(in, 0, typeOf(operand(in, 3)));
    case spv::OpAtomicLoad:
    case spv::OpAtomicExchange:
    case spv::OpAtomicCompareExchange:
    case spv::OpAtomicCompareExchangeWeak:
    case spv::OpAtomicIIncrement:
    case spv::OpAtomicIDecrement:
    case spv::OpAtomicIAdd:
    case spv::OpAtomicISub:
    case spv::OpAtomicSMin:
    case spv::OpAtomicUMin:
    case spv::OpAtomicSMax:
    case spv::OpAtomicUMax:
    case spv::OpAtomicAnd:
    case spv::OpAtomicOr:
    case spv::OpAtomicXor:
    case spv::OpAtomicFAddEXT:
    case spv::OpAtomicFMinEXT:
    case spv::OpAtomicFMaxEXT: return writeWithPointer(in, 2, operand(in, 0));
    case spv::OpFunctionCall: return writeCall(in);
    case spv::OpIAddCarry:
    case spv::OpISubBorrow: return writeCarry(in);
    case spv::OpPtrEqual: return writeComparison(in, spv::OpIEqual);
    case spv::OpPtrNotEqual: return writeComparison(in, spv::OpINotEqual);
    case kOpUntypedPrefetch: return;
    case kOpConstantFunctionPointer: return writeFunctionPointer(in);
    case kOpFunctionPointerCall: return writeIndirectCall(in);
    case kOpFma:
      typeOf_[operand(in, 1)] = operand(in, 0);
      return emit(spv::OpExtInst, {in[0], in[1], openCl_, kOpenClFma}, operandsFrom(in, 2));
    case spv::OpMemoryModel:
      if (openCl_ == 0)
        emit(spv::OpExtInstImport, {openCl_ = fresh()}, wordsOf(kOpenCl));
      break;
    default:
      if (isType(in.op()))
        return writeType(in);
      break;
    }
    noteResult(in);
    append(in);
  }

  /// Functions of -O0 are optimised as all others: without debug information nobody can step through them.
  void writeFunction(const Instruction &in) {
    skipping_ = isReplacedFunction(operand(in, 1));
    resultType_ = operand(in, 0);
    noteResult(in);
    uint32_t control = operand(in, 2);
    if (control & kOptNone)
      control &= ~(kOptNone | spv::FunctionControlDontInlineMask);
    emit(spv::OpFunction, {in[0], in[1], control, operand(in, 3)});
  }

  void writePhi(const Instruction &in) {
    std::vector<uint32_t> operands = operandsFrom(in, 0);
    for (size_t i = 2; i < operands.size(); i += 2)
      operands[i] = earlyCasts_.joined(operands[i], in[0]);
    noteResult(in);
    emit(in.op(), {}, operands);
  }

  uint32_t renamed(uint32_t id) const {
    const auto found = variables_.find(id);
    return found == variables_.end() ? id : found->second;
  }

  void writeDecoration(const Instruction &in) {
    if (gone_.contains(operand(in, 0)) || isFastMathOfBfloat(in))
      return;
    // Advice to the optimizer which translators up to LLVM 15's do not take.
    if (in.operands() > 2 && in[1] == spv::DecorationFuncParamAttr && in[2] > spv::FunctionParameterAttributeNoWrite)
      return;
    const uint32_t target = renamed(operand(in, 0));
    if (const auto name = linkageName(in)) {
      const bool isImport = operand(in, in.literal(2)->next) == spv::LinkageTypeImport;
      const std::string here = nameHere(*name);
      // The entry point stands for the kernel, and lists that the linker reads mean nothing here. Of shared variables those that are
      // declared only are dynamic ones; others concern nobody else.
      if (entryPoints_.contains(*name) || here.starts_with("amd.") || (shared_.contains(in[0]) && !isImport))
        return;
      std::vector<uint32_t> rest = wordsOf(here);
      // Definitions of templates (LinkOnceODR) are exported: no other module comes to this one.
      rest.push_back(isImport || isReplaced(*name) ? spv::LinkageTypeImport : spv::LinkageTypeExport);
      return emit(in.op(), {target, spv::DecorationLinkageAttributes}, rest);
    }
    emit(in.op(), {target}, operandsFrom(in, 1));
  }

  void writeType(const Instruction &in) {
    const uint32_t id = operand(in, 0);
    if (byteDeclared_ && id == byte_)
      return;
    if (!byteDeclared_) {
      byteDeclared_ = true;
      // AMD's processors saturate where a number is too large for 32 bits, and make 0 of a NaN. Smaller integers are parts of those.
      for (const uint32_t conversion : toIntegers_)
        emit(spv::OpDecorate, {conversion, spv::DecorationSaturatedConversion});
      if (byte_ == 0)
        byte_ = fresh();
      emit(spv::OpTypeInt, {byte_, 8, 0});
      types_[byte_] = {spv::OpTypeInt, {8, 0}};
      if (id == byte_)
        return;
    }
    if (in.op() == kOpTypeUntypedPointer) {
      const uint32_t storage = operand(in, 1);
      types_[id] = {spv::OpTypePointer, {storage, byte_}};
      pointers_.try_emplace({storage, byte_}, id);
      return emit(spv::OpTypePointer, {id, storage, byte_});
    }
    if (isTypeOfBfloat(in)) {
      types_[id] = {spv::OpTypeInt, {16, 0}};
      return emit(spv::OpTypeInt, {id, 16, 0});
    }
    types_[id] = {in.op(), operandsFrom(in, 1)};
    if (in.op() == spv::OpTypeVector || in.op() == spv::OpTypeArray)
      operand(in, 2); // must be there
    if (in.op() == spv::OpTypePointer)
      pointers_.try_emplace({operand(in, 1), operand(in, 2)}, id);
    append(in);
  }

  void writeVariable(const Instruction &in) {
    const uint32_t result = operand(in, 1), storage = operand(in, 2), variable = variables_.at(result);
    const uint32_t pointer = pointerTo(storage, operand(in, 3));
    std::vector<uint32_t> initializer = operandsFrom(in, 4);
    for (uint32_t &value : initializer)
      value = cast(value, in[3]);
    emit(spv::OpVariable, {pointer, variable, storage}, initializer);
    typeOf_[variable] = pointer;
    typeOf_[result] = operand(in, 0);
    if (inHead())
      emit(spv::OpSpecConstantOp, {operand(in, 0), result, spv::OpBitcast, variable});
    else
      casts_.push_back({operand(in, 0), result, variable});
  }

  /// Variables of a function stand before everything else in it, and the casts of their addresses behind them.
  void writeCasts() {
    for (size_t i = 0; i < casts_.size(); ++i) {
      const auto [type, result, value] = casts_[i];
      writeCast(type, result, value);
      queueEarlyCasts(result);
    }
    casts_.clear();
  }

  void queueEarlyCasts(uint32_t value) {
    for (const Cast &early : earlyCasts_.of(value)) {
      typeOf_[early.result] = early.type;
      casts_.push_back(early);
    }
  }

  void writeConstantExpression(const Instruction &in) {
    const uint32_t op = operand(in, 2);
    if (op == kOpUntypedAccessChain || op == kOpUntypedInBoundsAccessChain || op == kOpUntypedPtrAccessChain ||
        op == kOpUntypedInBoundsPtrAccessChain)
      return writeAccess(op, operandsFrom(in, 3), operand(in, 0), operand(in, 1));
    if (op == spv::OpAccessChain || op == spv::OpInBoundsAccessChain || op == spv::OpPtrAccessChain ||
        op == spv::OpInBoundsPtrAccessChain)
      return writeTypedAccess(op, operandsFrom(in, 3), operand(in, 0), operand(in, 1));
    if (op == spv::OpSelect)
      return writeWithType(in, 4, 5, operand(in, 0));
    if (op == spv::OpPtrCastToGeneric || op == spv::OpGenericCastToPtr)
      return writeWithPointer(in, 3, pointeeOfType(operand(in, 0)));
    noteResult(in);
    append(in);
  }

  uint32_t pointeeOf(const Instruction &in) {
    if (returnsInteger(operand(in, 3)) && type(operand(in, 0)).op != spv::OpTypeFloat)
      throw ParseError("the SPIR-V has a vector of mathematical functions with two results, which is not supported");
    return returnsNumber(in[3]) ? in[0] : integer(32);
  }

  const Words &words_;
  std::set<std::string> entryPoints_;
  std::unordered_map<uint32_t, std::string> linkageNames_;
  std::set<uint32_t> shared_;                        // variables in shared memory
  std::set<uint32_t> gone_;                          // results in functions that become declarations
  std::set<uint32_t> dropped_;                       // sets of instructions that describe the source
  std::unordered_map<uint32_t, uint32_t> variables_; // without a type: the variable that stands for it
  std::vector<Cast> casts_;                          // to be written
  EarlyCasts earlyCasts_;
  std::set<uint32_t> wideIntegers_;  // types of 32 bits and more, and vectors of them
  std::vector<uint32_t> toIntegers_; // conversions of numbers to those
  uint32_t byte_ = 0, openCl_ = 0, resultType_ = 0;
  bool byteDeclared_ = false, skipping_ = false;
};

} // namespace

std::vector<std::byte> withoutAmdDialect(std::span<const std::byte> module) {
  const Words words(module);
  if (!words.beginLikeSpirv())
    throw ParseError("what should be SPIR-V does not begin like it");
  return Translation(words).run();
}

} // namespace hiplz::spirv
