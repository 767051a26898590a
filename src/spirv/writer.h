// SPDX-License-Identifier: MIT
// Writing a module of SPIR-V in two sequences of words: what is declared for the whole module, and the functions, which come
// behind it. A function that is being written can still add a declaration.
#pragma once
#include "base/parse_error.h"
#include "spirv/words.h"

#include <initializer_list>
#include <span>
#include <vector>

namespace hiplz::spirv {

inline std::vector<std::byte> bytesOf(std::span<const uint32_t> words) {
  const auto bytes = std::as_bytes(words);
  return {bytes.begin(), bytes.end()};
}

class WordWriter {
protected:
  /// Begins with the header of another module, whose ids stay. Throws ParseError if there is none.
  void takeHeader(const Words &words) {
    if (words.count() < kHeaderWords)
      throw ParseError("the SPIR-V has no header");
    for (size_t i = 0; i < kHeaderWords; ++i)
      head_.push_back(words[i]);
    next_ = words[kBoundWord];
  }

  /// The whole module. Nothing may be written later.
  std::vector<std::byte> finish() {
    head_[kBoundWord] = next_;
    head_.insert(head_.end(), body_.begin(), body_.end());
    return bytesOf(head_);
  }

  uint32_t fresh() { return next_++; }

  void emit(spv::Op op, std::initializer_list<uint32_t> operands, std::span<const uint32_t> more = {}) {
    out_->push_back(firstWord(op, operands.size() + more.size() + 1));
    out_->insert(out_->end(), operands);
    out_->insert(out_->end(), more.begin(), more.end());
  }

  /// An instruction as it stands in another module.
  void append(const Instruction &in) {
    out_->push_back(firstWord(in.op(), in.length()));
    for (size_t index = 0; index < in.operands(); ++index)
      out_->push_back(in[index]);
  }

  bool inHead() const { return out_ == &head_; }

  /// Into the declarations, which come before all functions.
  void declare(spv::Op op, std::initializer_list<uint32_t> operands, std::span<const uint32_t> more = {}) {
    std::vector<uint32_t> *const before = out_;
    out_ = &head_;
    emit(op, operands, more);
    out_ = before;
  }

  uint32_t next_ = 0; // id that is not in use
  std::vector<uint32_t> head_, body_;
  std::vector<uint32_t> *out_ = &head_;
};

} // namespace hiplz::spirv
