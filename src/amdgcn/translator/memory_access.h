// SPDX-License-Identifier: MIT
// How the lanes of a wave reach memory: loads and stores of all at once, and atomic operations of one after the other.
#pragma once
#include "amdgcn/translator/wave.h"

#include <optional>

namespace hiplz::amdgcn {

/// Loads an element of so many bits for each lane of the mask; the other lanes get 0. `addresses` is <32 x i64>.
llvm::Value *loadLanes(Wave &wave, unsigned bits, llvm::Value *addresses, llvm::Value *mask);

/// Stores the elements of the lanes of the mask. Where two lanes have the same address, the higher one's stays.
void storeLanes(Wave &wave, llvm::Value *values, llvm::Value *addresses, llvm::Value *mask);

/// The data that a load or store moves, by the end of its name: "dwordx2", "ushort", "byte_d16_hi", "b96".
struct Transfer {
  unsigned bits = 32; ///< of an element in memory
  unsigned count = 1; ///< elements of 32 bits
  bool isSigned = false;
  bool isHalf = false; ///< the register's other half stays
  bool isHigh = false; ///< the upper half of the register
};
std::optional<Transfer> transferOf(llvm::StringRef name);

/// Where the lanes of the mask have an element.
struct Place {
  llvm::Value *addresses, *mask;
};

/// Loads into registers, which those lanes write that the instruction writes, and stores registers: elements that follow each other, or each at a
/// place of its own.
void loadTransfer(Wave &wave, const Transfer &transfer, unsigned firstRegister, llvm::Value *addresses,
                  llvm::Value *mask);
void storeTransfer(Wave &wave, const Transfer &transfer, unsigned firstRegister, llvm::Value *addresses,
                   llvm::Value *mask);
void loadTransfer(Wave &wave, const Transfer &transfer, unsigned firstRegister, llvm::ArrayRef<Place> places);
void storeTransfer(Wave &wave, const Transfer &transfer, unsigned firstRegister, llvm::ArrayRef<Place> places);

/// An atomic operation.
struct Atomic {
  enum class Kind {
    swap,
    compareSwap,
    add,
    sub,
    reverseSub,
    smin,
    umin,
    smax,
    umax,
    bitAnd,
    bitOr,
    bitXor,
    inc,
    dec,
    fadd,
    fmin,
    fmax,
    subClamp,     ///< not below 0
    fcompareSwap, ///< compares numbers
    maskOr,       ///< clears the bits of `compare` first
    wrap          ///< what is at least `compare` less `compare`, the rest more by the value
  };
  Kind kind;
  unsigned bits = 32;
  bool isLocal = false; ///< in the work-group's memory

  /// True if it has a second operand, which is called `compare`.
  bool hasTwoOperands() const {
    return kind == Kind::compareSwap || kind == Kind::fcompareSwap || kind == Kind::maskOr || kind == Kind::wrap;
  }
};

/// The size of a buffer as the four scalar registers that describe it have it: 64 bits each, without the bits for swizzling and formats.
struct BufferBounds {
  llvm::Value *base;    ///< the address
  llvm::Value *stride;  ///< bytes of a record
  llvm::Value *records; ///< how many there are, or bytes if the stride is 0
};
/// Refuses the kernel if the operand is no buffer.
BufferBounds bufferBounds(Wave &wave, const Operand &descriptor);

/// The operation of a global, flat or buffer instruction, by the end of its name.
std::optional<Atomic> globalAtomicOf(llvm::StringRef name);

/// Performs it for each lane of the mask, in the order of their numbers, and returns what was there before. `compare` is null
/// for those with one operand.
llvm::Value *atomicLanes(Wave &wave, const Atomic &atomic, llvm::Value *addresses, llvm::Value *values,
                         llvm::Value *compare, llvm::Value *mask);

} // namespace hiplz::amdgcn
