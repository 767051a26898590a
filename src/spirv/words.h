// SPDX-License-Identifier: MIT
// SPIR-V as a sequence of instructions: the one reader of modules, damaged ones included. Numbers have the names that the
// specification's own header gives them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <spirv/unified1/spirv.hpp>
#include <string_view>

namespace hiplz::spirv {

constexpr size_t kHeaderWords = 5;
constexpr size_t kVersionWord = 1;
constexpr size_t kBoundWord = 3;     // all ids are less
constexpr size_t kMostIds = 4194303; // that SPIR-V promises to modules

/// The first word of an instruction of so many words, the first included.
constexpr uint32_t firstWord(spv::Op op, size_t words) {
  return static_cast<uint32_t>(words << spv::WordCountShift) | static_cast<uint32_t>(op);
}

/// The bytes of a module as words, wherever they lie: fat binaries in files need not be aligned. Does not own them.
class Words {
public:
  explicit Words(std::span<const std::byte> bytes) : bytes_(bytes) {}
  /// Whole words.
  size_t count() const { return bytes_.size() / sizeof(uint32_t); }
  /// `index` must be less than count().
  uint32_t operator[](size_t index) const {
    uint32_t word;
    std::memcpy(&word, bytes_.data() + index * sizeof word, sizeof word);
    return word;
  }
  std::span<const std::byte> bytesBetween(size_t begin, size_t end) const {
    return bytes_.subspan(begin * sizeof(uint32_t), (end - begin) * sizeof(uint32_t));
  }
  bool beginLikeSpirv() const { return count() > 0 && (*this)[0] == spv::MagicNumber; }
  bool beginLikeBigEndianSpirv() const { return count() > 0 && (*this)[0] == __builtin_bswap32(spv::MagicNumber); }

private:
  std::span<const std::byte> bytes_;
};

inline bool isSpirv(std::span<const std::byte> bytes) { return Words(bytes).beginLikeSpirv(); }

/// The instruction that begins at a word. If it is truncated, only at(), op() and length() may be called.
class Instruction {
public:
  Instruction(const Words &words, size_t at) : words_(words), at_(at) {}
  size_t at() const { return at_; }
  spv::Op op() const { return static_cast<spv::Op>(words_[at_] & spv::OpCodeMask); }
  /// In words, the first one included.
  size_t length() const { return words_[at_] >> spv::WordCountShift; }
  /// True if its length is possible and the words are there. The next instruction begins at end().
  bool whole() const { return length() != 0 && length() <= words_.count() - at_; }
  size_t end() const { return at_ + length(); }
  size_t operands() const { return length() - 1; }
  /// An operand, 0 being the first word after the opcode; `index` must be less than operands().
  uint32_t operator[](size_t index) const { return words_[at_ + 1 + index]; }

  struct Literal {
    std::string_view text; ///< in the module's bytes
    size_t next;           ///< the operand after it, which need not be there
  };
  /// The string that begins at an operand; nothing if it does not end within the instruction.
  std::optional<Literal> literal(size_t index) const {
    if (index >= operands())
      return std::nullopt;
    const auto bytes = words_.bytesBetween(at_ + 1 + index, end());
    const auto terminator = std::find(bytes.begin(), bytes.end(), std::byte{0});
    if (terminator == bytes.end())
      return std::nullopt;
    const size_t size = static_cast<size_t>(terminator - bytes.begin());
    return Literal{{reinterpret_cast<const char *>(bytes.data()), size}, index + size / sizeof(uint32_t) + 1};
  }

private:
  const Words &words_;
  size_t at_;
};

/// Visits the instructions between two words in their order, until one is not whole or `visit` returns false. Returns the word that the
/// first instruction without a visit, or with that answer, begins at; at least `end` if there is none.
template <class Visit> size_t walk(const Words &words, size_t begin, size_t end, Visit visit) {
  size_t at = begin;
  while (at < end) {
    const Instruction in(words, at);
    if (!in.whole() || !visit(in))
      break;
    at = in.end();
  }
  return at;
}

/// The same for all instructions of a module.
template <class Visit> size_t walk(const Words &words, Visit visit) {
  return walk(words, kHeaderWords, words.count(), visit);
}

} // namespace hiplz::spirv
