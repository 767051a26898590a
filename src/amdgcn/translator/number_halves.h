// SPDX-License-Identifier: MIT
// Numbers of 64 bits in the registers of a wave: what puts two words together, and what takes a number apart.
#pragma once
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace hiplz::amdgcn {

/// True for a number of 64 bits that is put together from two words.
inline bool isJoined(llvm::Value &value, llvm::Value *&low, llvm::Value *&high) {
  using namespace llvm::PatternMatch;
  const auto isWord = [](const llvm::Value *half) { return half->getType()->getScalarSizeInBits() == 32; };
  return match(&value, m_c_Or(m_ZExt(m_Value(low)), m_Shl(m_ZExt(m_Value(high)), m_SpecificInt(32)))) && isWord(low) &&
         isWord(high);
}

/// The number of 64 bits whose words these are; null if there is none.
inline llvm::Value *wholeOf(llvm::Value *low, llvm::Value *high) {
  using namespace llvm::PatternMatch;
  llvm::Value *whole;
  return match(low, m_Trunc(m_Value(whole))) && match(high, m_Trunc(m_LShr(m_Specific(whole), m_SpecificInt(32)))) &&
                 whole->getType()->getScalarSizeInBits() == 64
             ? whole
             : nullptr;
}

/// True if nobody uses the number of 64 bits, but only its words.
inline bool isUsedAsHalves(const llvm::Value &number) {
  using namespace llvm::PatternMatch;
  const auto isHalf = [](const llvm::User *user) {
    return llvm::isa<llvm::TruncInst>(user) && user->getType()->getScalarSizeInBits() == 32;
  };
  return llvm::all_of(number.users(), [&](const llvm::User *user) {
    return isHalf(user) ||
           (match(user, m_LShr(m_Specific(&number), m_SpecificInt(32))) && llvm::all_of(user->users(), isHalf));
  });
}

} // namespace hiplz::amdgcn
