// SPDX-License-Identifier: MIT
#include "tools/hipcc/arguments.h"

#include <algorithm>
#include <array>

namespace hiplz::hipcc {

namespace {

// Options of clang whose value is the next word. Written joined ("-Idir") they are one word and need no entry.
constexpr std::string_view kOptionsWithValue[] = {
    "--config",
    "--dyld-prefix",
    "--param",
    "--serialize-diagnostics",
    "--sysroot",
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-U",
    "-Xanalyzer",
    "-Xarch_device",
    "-Xarch_host",
    "-Xassembler",
    "-Xclang",
    "-Xcuda-fatbinary",
    "-Xcuda-ptxas",
    "-Xlinker",
    "-Xoffload-linker",
    "-Xopenmp-target",
    "-Xpreprocessor",
    "-add-plugin",
    "-arch",
    "-cxx-isystem",
    "-dependency-file",
    "-e",
    "-fmodules-user-build-path",
    "-framework",
    "-idirafter",
    "-iframework",
    "-iframeworkwithsysroot",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-init",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-mllvm",
    "-module-dependency-dir",
    "-mthread-model",
    "-o",
    "-rpath",
    "-serialize-diagnostics",
    "-stdlib++-isystem",
    "-target",
    "-u",
    "-weak_framework",
    "-weak_library",
    "-working-directory",
    "-z",
};

bool takesValue(std::string_view word) {
  if (std::ranges::binary_search(kOptionsWithValue, word))
    return true;
  // -Xarch_<name> and -Xopenmp-target=<triple> and -Xoffload-linker-<triple> carry the target in the option itself.
  return word.starts_with("-Xarch_") || word.starts_with("-Xopenmp-target=") || word.starts_with("-Xoffload-linker-");
}

static_assert(std::ranges::is_sorted(kOptionsWithValue), "takesValue searches the table by halves");

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

Words expand(const Words &words, const std::function<std::optional<std::string>(const std::string &)> &readFile,
             Words &open) {
  Words result;
  for (const std::string &word : words) {
    std::optional<std::string> text;
    const std::string file = word.starts_with('@') ? word.substr(1) : std::string();
    if (!file.empty() && std::ranges::find(open, file) == open.end())
      text = readFile(file);
    if (!text) {
      result.push_back(word);
      continue;
    }
    open.push_back(file);
    for (std::string &inner : expand(splitWords(*text), readFile, open))
      result.push_back(std::move(inner));
    open.pop_back();
  }
  return result;
}

} // namespace

Words splitWords(std::string_view text) {
  Words words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool more = i + 1 < text.size();
    if (quote) {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && quote == '"' && more && (text[i + 1] == '"' || text[i + 1] == '\\'))
        word += text[++i];
      else
        word += c;
    } else if (isSpace(c)) {
      if (inWord)
        words.push_back(std::move(word));
      word.clear();
      inWord = false;
    } else {
      inWord = true;
      if (c == '"' || c == '\'')
        quote = c;
      else if (c == '\\' && more)
        word += text[++i];
      else
        word += c;
    }
  }
  if (inWord)
    words.push_back(std::move(word));
  return words;
}

// CMake files quote what rocm_agent_enumerator prints, with the blanks at its ends; AMD's hipcc passes it through a shell.
Words splitNames(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  Words names;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    std::string_view name = text.substr(at, comma - at);
    name.remove_prefix(std::min(name.find_first_not_of(kBlanks), name.size()));
    name = name.substr(0, name.find_last_not_of(kBlanks) + 1);
    if (!name.empty())
      names.emplace_back(name);
    at = comma + 1;
  }
  return names;
}

Words expandResponseFiles(const Words &words,
                          const std::function<std::optional<std::string>(const std::string &)> &readFile) {
  Words open;
  return expand(words, readFile, open);
}

Language languageOfFile(std::string_view name) {
  if (name == "-")
    return Language::hip;
  const size_t slash = name.rfind('/');
  const std::string_view file = slash == name.npos ? name : name.substr(slash + 1);
  const size_t dot = file.rfind('.');
  if (dot == file.npos)
    return Language::none;
  constexpr std::string_view kHip[] = {"C", "CC", "CPP", "CXX", "c++", "cc", "cp", "cpp", "cu", "cxx", "hip"};
  const std::string_view extension = file.substr(dot + 1);
  if (extension == "c")
    return Language::c;
  return std::ranges::find(kHip, extension) != std::end(kHip) ? Language::hip : Language::none;
}

Language Argument::inputLanguage() const {
  if (language.empty() || language == "none")
    return languageOfFile(name);
  if (language == "hip" || language == "cuda" || language == "cu")
    return Language::hip;
  return language == "c" ? Language::c : Language::other;
}

void Argument::appendTo(Words &words) const {
  words.push_back(name);
  if (hasValue)
    words.push_back(value);
}

std::vector<Argument> parseArguments(const Words &words) {
  std::vector<Argument> arguments;
  std::string language;
  bool onlyInputs = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    const bool more = i + 1 < words.size();
    if (onlyInputs || word.size() < 2 || word[0] != '-') {
      arguments.push_back({Argument::Kind::input, word, {}, false, language});
    } else if (word == "--") {
      onlyInputs = true;
    } else if ((word == "-x" || word == "--language") && more) {
      language = words[++i];
    } else if (word.starts_with("-x") && word.size() > 2) {
      language = word.substr(2);
    } else if (word.starts_with("--language=")) {
      language = word.substr(11);
    } else if (word.starts_with("-o") && word.size() > 2 && !word.starts_with("-obj")) {
      arguments.push_back({Argument::Kind::option, "-o", word.substr(2), true, {}}); // "-oname"
    } else if (takesValue(word) && more) {
      arguments.push_back({Argument::Kind::option, word, words[++i], true, {}});
    } else {
      arguments.push_back({Argument::Kind::option, word, {}, false, {}});
    }
  }
  return arguments;
}

} // namespace hiplz::hipcc
