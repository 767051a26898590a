// SPDX-License-Identifier: MIT
// The device side of printf: functions that reserve room in the ring of docs/design/kernel-services.md and write a
// record there. They are built as IR, each at most once a module, when the first printf asks for them.
#pragma once

#include "ir_utils.h"

#include <hip/spirv/printf_record.h>

namespace hiplz::passes {

class PrintfRuntime {
public:
  explicit PrintfRuntime(llvm::Module &M);

  using Ring = __hiplz::PrintfRing;
  using Record = __hiplz::PrintfRecord;
  using Item = __hiplz::PrintfItem;
  static constexpr uint64_t kArgumentBytes = sizeof(Item) + 8; // of an argument that is not a string

  llvm::Type *characterPointer() const { return CharPtr; } ///< generic i8*, what strings are passed as
  llvm::Type *recordPointer() const { return RecordPtr; }  ///< to a place in the ring

  // Nobody waits in these functions: where the lanes of a warp go together, each would wait for those that have room and have not written,
  // and the host for what they write. The caller asks again, in a loop in which each lane also writes its record.
  static constexpr uint64_t kDropped = 0, kLater = 1; ///< of reserve()
  static constexpr uint64_t kDone = 1;                ///< of ask()
  static constexpr uint32_t kNoAnswer = ~0u;          ///< of take()

  /// i64 (i64 bytes): the address of a record with its size filled in, kDropped, or kLater if the host makes room.
  llvm::Function *reserve();
  /// i64 (record*): finishes a record and asks what the host's printf returns; returns the record, or kDone if nobody answers.
  llvm::Function *ask();
  /// i32 (record*): what the host's printf returned, or kNoAnswer as long as it has not; gives the record back.
  llvm::Function *take();
  /// i64 (i8* format, i64 argument): how the format consumes the argument (formatLimits).
  llvm::Function *limit();
  /// i64 (i8* pointer, i64 limit): bytes of payload before padding; 8 for what is not a string.
  llvm::Function *measure();
  /// record* (record* to, i8* pointer, i64 limit, i64 length): writes a pointer or string argument, returns its end.
  llvm::Function *put();

  /// i32 (parameters): for a call of printf, empty. Drivers that execute several work-items at once had better call it for one after
  /// the other, which keeps their lines in order.
  llvm::Function *createAlone(llvm::ArrayRef<llvm::Type *> Parameters);

  /// \p Base plus \p Bytes, a place in a record.
  llvm::Value *advance(llvm::IRBuilderBase &B, llvm::Value *Base, llvm::Value *Bytes) const;
  /// \p Base as a pointer to \p Pointee in the same address space.
  llvm::Value *as(llvm::IRBuilderBase &B, llvm::Value *Base, llvm::Type *Pointee) const;
  /// Writes the two words that precede every argument: kind and size.
  void storeArgumentHeader(llvm::IRBuilderBase &B, llvm::Value *To, Item::Kind K, llvm::Value *Bytes) const;
  /// Stores the state of a record, with release semantics.
  void storeState(llvm::IRBuilderBase &B, llvm::Value *To, Record::State State) const;
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
  llvm::Type *CharPtr, *RecordPtr; // generic; global, a place in the ring
  llvm::GlobalVariable *NullText = nullptr;
  llvm::Function *Reserve = nullptr, *Ask = nullptr, *Take = nullptr, *Limit = nullptr, *Measure = nullptr,
                 *Put = nullptr;
};

} // namespace hiplz::passes
