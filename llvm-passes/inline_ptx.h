// SPDX-License-Identifier: MIT
// The values of one asm statement with PTX while it is translated: its registers, operands and addresses.
#pragma once

#include "ptx_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

namespace hiplz::passes {

/// How the names of the functions begin that CUDA's headers offer for instructions and special registers.
inline constexpr const char *kPtxPrefix = "__hiplz_ptx_";

/// Carry flag of a function, which goes from one asm statement to the next.
struct PtxCarry {
  llvm::AllocaInst *Flag = nullptr;
  bool Written = false;
};

class PtxValues {
public:
  PtxValues(llvm::CallInst &Call, PtxCarry &Carry)
      : Call(Call), M(*Call.getModule()), B(&Call), Carry(Carry), I1(B.getInt1Ty()), I32(B.getInt32Ty()) {}

  llvm::CallInst &Call;
  llvm::Module &M;
  llvm::IRBuilder<> B;
  std::string Error; ///< why the statement cannot be translated

  /// A register holds integers, whatever type instructions read it with.
  struct Register {
    llvm::Value *Bits = nullptr;
    llvm::Value *Pointer = nullptr; ///< the same value as a pointer, if it came as one
    unsigned Width = 0;
  };
  llvm::StringMap<Register> Registers;

  void declare(const PtxText &Text);
  void readArguments();
  void returnResults();

  /// An operand as an integer of \p Width bits; on failure there is an Error, and some value.
  llvm::Value *read(llvm::StringRef Operand, unsigned Width, bool IsSigned = false);
  /// An operand as a value of the PTX type \p Type: an integer, half, float or double, or a vector of two halves.
  llvm::Value *readAs(llvm::StringRef Operand, llvm::StringRef Type);
  llvm::Value *predicate(llvm::StringRef Operand) { return read(Operand, 1); }
  void write(llvm::StringRef Operand, llvm::Value *Result, bool IsSigned = false);
  /// The pointer (generic, to bytes) that "[register+offset]" means.
  llvm::Value *address(llvm::StringRef Operand);

  llvm::Value *carry();
  void setCarry(llvm::Value *Flag);

  /// The headers' function for \p Name, or null.
  llvm::Function *helper(const llvm::Twine &Name) { return M.getFunction((kPtxPrefix + Name).str()); }
  /// Calls it with operands or values that are converted to the types of its parameters.
  llvm::Value *callHelper(const llvm::Twine &Name, llvm::ArrayRef<llvm::Value *> Arguments);

  void fail(const llvm::Twine &Message) {
    if (Error.empty())
      Error = Message.str();
  }

private:
  llvm::Value *number(llvm::StringRef Operand, unsigned Width);
  llvm::Value *asInteger(llvm::Value *V);

  PtxCarry &Carry;
  llvm::Type *I1, *I32;
};

/// The LLVM type that PTX computes with for \p Type.
llvm::Type *ptxType(llvm::IRBuilderBase &B, llvm::StringRef Type);

/// The translation of one instruction: what it is called, and what stands in its place.
class PtxLowering {
public:
  PtxLowering(PtxValues &Values, const PtxInstruction &I) : V(Values), B(Values.B), I(I), Parts(I.parts()) {
    Base = Parts.front();
    for (llvm::StringRef Part : llvm::drop_begin(Parts))
      if (ptxTypeBits(Part))
        Type = Part;
  }

protected:
  bool has(llvm::StringRef Suffix) const { return llvm::is_contained(Parts, Suffix); }
  llvm::StringRef operand(unsigned N) {
    if (N < I.Operands.size())
      return I.Operands[N];
    V.fail("an operand is missing");
    return "0";
  }

  PtxValues &V;
  llvm::IRBuilder<> &B;
  const PtxInstruction &I;
  llvm::SmallVector<llvm::StringRef, 6> Parts;
  llvm::StringRef Base, Type; ///< of "ld.global.u32" ld and u32; the last type
};

/// Translates \p I, which is not guarded; sets Values.Error if it cannot.
void lowerPtx(PtxValues &Values, const PtxInstruction &I);

/// Parts of lowerPtx: true if the instruction was theirs.
bool lowerPtxMemory(PtxValues &Values, const PtxInstruction &I);
bool lowerPtxConversion(PtxValues &Values, const PtxInstruction &I);
bool lowerPtxInteger(PtxValues &Values, const PtxInstruction &I);

} // namespace hiplz::passes
