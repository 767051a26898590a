// SPDX-License-Identifier: MIT
// Code that nvcc accepts and clang does not, by clang's message:
// - "%laneid" in an asm statement with operands, where clang wants "%%laneid";
// - results of asm statements in registers of a kind ("=l", "=f"), which the target does not have: "=r" means the same here;
// - X<T>::f<1>() without "template" in front of f;
// - __shared__ alignas(16) int x, where only C's _Alignas may stand behind an attribute.
// Once clang has said so, the source is compiled again with that put right: clang reads a copy in the place of the file, under the
// file's name.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::cucc {

/// `scope`: the keyword is missing somewhere behind the place, in front of the last name of X<T>::f<1>.
enum class LeniencyKind { escape, constraint, keyword, scope, alignment };

/// A place that clang complains of and that a copy puts right.
struct Leniency {
  int line, column; // from 1
  LeniencyKind kind;
  auto operator<=>(const Leniency &) const = default;
};

/// Where the first such message begins, or npos.
size_t findLeniency(std::string_view messages, size_t from = 0);

/// The places by file, without those that are named twice.
std::map<std::string, std::vector<Leniency>> lenienciesIn(std::string_view messages);

/// A text put right. It is the same if nothing was found at these places.
std::string putRight(const std::string &text, std::vector<Leniency> places);

/// Copies of sources that clang reads in their place, as long as the object lives.
class SourceOverlay {
public:
  SourceOverlay() = default;
  SourceOverlay(const SourceOverlay &) = delete;
  ~SourceOverlay();

  /// Puts right what the messages complain of. Returns false if that changes nothing more.
  bool add(std::string_view messages);
  /// The option that makes clang read the copies.
  std::string option() const;

private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> texts_; // by absolute path
};

} // namespace hiplz::cucc
