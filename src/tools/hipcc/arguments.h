// SPDX-License-Identifier: MIT
// The words of a compiler command line: splitting them out of strings and response files as clang does, and telling
// inputs from options and from the values of options. No process is started and nothing is decided here.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::hipcc {

using Words = std::vector<std::string>;

/// Splits text into words as a shell does: white space separates, quotes of both kinds group, a backslash takes the
/// next character literally (inside double quotes only before `"` and `\`). An unclosed quote ends with the text.
Words splitWords(std::string_view text);

/// The parts of "pvc,skl" between the commas, but for empty ones.
Words splitNames(std::string_view text);

/// Replaces each `@file` by the words in that file, also inside such files. A file that cannot be read stays as the
/// word it is, so that clang reports it; a file that includes itself is left alone at the second level of itself.
/// `readFile` returns the contents, or nothing.
Words expandResponseFiles(const Words &words,
                          const std::function<std::optional<std::string>(const std::string &)> &readFile);

/// The language of a source file, by its extension or by -x.
enum class Language {
  none,  // no source: an object, an archive, a shared library, or anything else for the linker
  hip,   // C++ with kernels
  c,     // C
  other, // something else that -x names, host only
};

/// The language that hipcc gives a file by its name: every C++ extension is HIP, .c is C. "-" is HIP.
Language languageOfFile(std::string_view name);

/// One argument with its value, where the value is a word of its own.
struct Argument {
  enum class Kind { input, option };
  Kind kind;
  std::string name;  // the input, or the option as written
  std::string value; // of an option that takes the following word
  bool hasValue = false;
  std::string language; // of an input: what -x says, empty if nothing does

  bool is(std::string_view option) const { return kind == Kind::option && name == option; }
  bool startsWith(std::string_view prefix) const { return kind == Kind::option && name.starts_with(prefix); }
  Language inputLanguage() const;
  void appendTo(Words &words) const;
};

/// Sorts words into arguments. -x is taken out and shows in the inputs behind it; "-oname" becomes "-o" with a value; an
/// option that lacks its value at the end stays without, so that clang reports it.
std::vector<Argument> parseArguments(const Words &words);

} // namespace hiplz::hipcc
