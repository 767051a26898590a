// SPDX-License-Identifier: MIT
// The device side of printf: functions that reserve room in the ring of docs/design/kernel-services.md and write a
// record there. They are built as IR, each at most once a module, when the first printf asks for them.
#pragma once

#include "ir_utils.h"

namespace hiplz::passes {

class PrintfRuntime {
public:
  explicit PrintfRuntime(llvm::Module &M);

  /// Kinds of arguments in a record.
  enum Kind : uint32_t { kInteger = 0, kDouble = 1, kPointer = 2, kString = 3 };
  static constexpr uint64_t kHeaderBytes = 8;
  static constexpr uint64_t kArgumentBytes = 16; // of an argument that is not a string
  static constexpr uint32_t kReady = 1;
  static constexpr uint32_t kPadding = 2;
  static constexpr uint32_t kReadyError = 3;
  static constexpr uint32_t kAsking = 4;
  static constexpr uint32_t kAnswered = 5;

  llvm::Type *characterPointer() const { return CharPtr; } ///< generic i8*, what strings are passed as
  llvm::Type *recordPointer() const { return RecordPtr; }  ///< global i8*, a place in the ring

  /// record* (i64 bytes): room for a record with its size filled in, or null. Waits for room if the host makes some.
  llvm::Function *reserve();
  /// i32 (record*): finishes a record and waits for what the host's printf returned; 0 if the host does not answer.
  llvm::Function *ask();
  /// i64 (i8* format, i64 argument): how the format consumes the argument (formatLimits).
  llvm::Function *limit();
  /// i64 (i8* pointer, i64 limit): bytes of payload before padding; 8 for what is not a string.
  llvm::Function *measure();
  /// record* (record* to, i8* pointer, i64 limit, i64 length): writes a pointer or string argument, returns its end.
  llvm::Function *put();

  /// \p Base plus \p Bytes, a place in a record.
  llvm::Value *advance(llvm::IRBuilderBase &B, llvm::Value *Base, llvm::Value *Bytes) const;
  /// \p Base as a pointer to \p Pointee in the same address space.
  llvm::Value *as(llvm::IRBuilderBase &B, llvm::Value *Base, llvm::Type *Pointee) const;
  /// Writes the two words that precede every argument: kind and size.
  void storeArgumentHeader(llvm::IRBuilderBase &B, llvm::Value *To, Kind K, llvm::Value *Bytes) const;
  /// Stores the state of a record, with release semantics.
  void storeState(llvm::IRBuilderBase &B, llvm::Value *Record, uint32_t State) const;
  /// \p Length rounded up to the size of an argument in a record, with its two words.
  llvm::Value *argumentSize(llvm::IRBuilderBase &B, llvm::Value *Length) const;

private:
  /// The bytes of the longest record that may wait for the host to empty the ring; 0 if it does not while kernels run.
  llvm::Value *longestToWait(llvm::IRBuilderBase &B, llvm::Value *Dropped) const;
  llvm::Function *create(llvm::StringRef Name, llvm::Type *Result, llvm::ArrayRef<llvm::Type *> Parameters);
  llvm::Value *table(llvm::IRBuilderBase &B, llvm::StringRef Name, llvm::ArrayRef<uint8_t> Bytes, llvm::Value *Index);
  llvm::Value *orNullText(llvm::IRBuilderBase &B, llvm::Value *Pointer);

  llvm::Module &M;
  llvm::LLVMContext &C;
  llvm::IntegerType *I8, *I32, *I64;
  llvm::Type *CharPtr, *RecordPtr;
  llvm::GlobalVariable *NullText = nullptr;
  llvm::Function *Reserve = nullptr, *Ask = nullptr, *Limit = nullptr, *Measure = nullptr, *Put = nullptr;
};

} // namespace hiplz::passes
