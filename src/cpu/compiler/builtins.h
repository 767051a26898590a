// SPDX-License-Identifier: MIT
// The built-in functions of SPIR-V, as the translator calls them ("__spirv_<name>", "__spirv_ocl_<name>"), turned into
// LLVM IR. What signedness, width and vector size an operation has follows from its name and its LLVM types, so one entry
// of the table serves all overloads. Longer ones are functions of the built-in library (src/cpu/builtins).
#pragma once
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <string>

namespace hiplz::cpu {

/// One call of a built-in function that is being replaced.
class BuiltinCall {
public:
  BuiltinCall(llvm::CallInst &call, llvm::StringRef suffix, llvm::Value *item)
      : builder(&call), call(call), suffix(suffix), item(item) {}

  llvm::IRBuilder<> builder; ///< inserts before the call
  llvm::CallInst &call;
  llvm::StringRef suffix; ///< what follows "_R" in names of conversions, for example "int4_sat_rte"
  llvm::Value *item;      ///< the WorkItem of the function

  llvm::Value *arg(unsigned index) const { return call.getArgOperand(index); }
  llvm::Type *type() const { return call.getType(); }
  llvm::Module &module() const { return *call.getModule(); }

  /// The value of a constant integer argument, or `otherwise` if it is not constant.
  uint64_t constantArg(unsigned index, uint64_t otherwise) const;

  /// A call of an intrinsic that is overloaded by `type`.
  llvm::Value *intrinsic(llvm::Intrinsic::ID id, llvm::Type *type, llvm::ArrayRef<llvm::Value *> arguments);

  /// A call of an external function. Pure functions read and write no memory.
  llvm::Value *external(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments, bool pure);

  /// A call of a function of the driver.
  template <class Signature>
  llvm::Value *runtime(RuntimeFunction<Signature> function, llvm::ArrayRef<llvm::Value *> arguments) {
    return runtime(declareRuntime(module(), function), arguments);
  }

  /// Makes the result from its elements: calls `element` once if nothing is a vector, else once for each element with
  /// element i of every vector argument (pointers advance by i elements of type `pointee`).
  llvm::Value *perElement(llvm::ArrayRef<llvm::Value *> arguments, llvm::Type *pointee,
                          llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> element);

private:
  llvm::Value *runtime(llvm::FunctionCallee function, llvm::ArrayRef<llvm::Value *> arguments);
};

/// Returns the value that takes the place of the call (anything for void); null if it cannot be lowered.
using BuiltinLowering = std::function<llvm::Value *(BuiltinCall &)>;

class BuiltinTable {
public:
  /// All built-in functions; made once.
  static const BuiltinTable &instance();

  void add(llvm::StringRef name, BuiltinLowering lowering) { entries_[name] = std::move(lowering); }
  const BuiltinLowering *find(llvm::StringRef name) const;

private:
  llvm::StringMap<BuiltinLowering> entries_;
};

// Each chapter adds its functions; one file a chapter.
void addWorkItemBuiltins(BuiltinTable &table);
void addIntegerBuiltins(BuiltinTable &table);
void addMathBuiltins(BuiltinTable &table);
void addRelationalBuiltins(BuiltinTable &table);
void addConversionBuiltins(BuiltinTable &table);
void addAtomicBuiltins(BuiltinTable &table);
void addCollectiveBuiltins(BuiltinTable &table);
void addMemoryBuiltins(BuiltinTable &table);
void addPrintBuiltins(BuiltinTable &table);
void addImageBuiltins(BuiltinTable &table);

/// The part behind "__spirv_" in the symbol of a built-in function that is not an instruction, without what a mangled name adds:
/// "ocl_acos" for "_Z16__spirv_ocl_acosDv4_f". Empty for other symbols.
llvm::StringRef builtinName(llvm::StringRef symbol);

/// Replaces all calls and links what is needed of the built-in library. False with one sentence in `error` that names
/// every function that is not known.
bool lowerBuiltins(llvm::Module &module, std::string &error);

/// True if the function, or one that it can reach, waits for other work-items.
bool usesCollectives(llvm::Function &function);

/// True if the function, or one that it can reach, says where it waits for a change of memory.
bool yields(llvm::Function &function);

} // namespace hiplz::cpu
