// SPDX-License-Identifier: MIT
// lib/hiplz/clang/clang++, the program in the folder that `hipconfig --hipclangpath` names. Build systems (above all
// CMake's HIP language) expect a clang++ there that compiles HIP without being told where HIP is. HIP goes to hipcc,
// everything else to the stock clang++ unchanged. Unlike hipcc, it takes .cpp files for C++ and links no library by
// itself. llvm/bin has links to it under the names of AMD's compilers, which existing builds look for below ROCM_PATH; under
// the names of C compilers it runs the stock clang.
#include "tools/prefix.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

bool isHip(const std::vector<std::string> &words) {
  std::string_view before;
  for (const std::string &word : words) {
    if (word == "-xhip" || word == "--language=hip" || word == "--hip-link" || word == "-fgpu-rdc" ||
        (word == "hip" && (before == "-x" || before == "--language")))
      return true;
    if (word[0] != '-' && word.ends_with(".hip") && before != "-o")
      return true;
    before = word;
  }
  return false;
}

/// "/usr/bin/clang-15" for "/usr/bin/clang++-15".
std::string withoutPlusPlus(std::string path) {
  if (const size_t at = path.rfind("clang++"); at != path.npos)
    path.erase(at + 5, 2);
  return path;
}

} // namespace

int main(int count, char **arguments) {
  std::vector<std::string> words;
  for (int i = 1; i < count; ++i)
    words.emplace_back(arguments[i]);
  const std::string prefix = hiplz::installedPrefix();
  std::string program;
  if (isHip(words)) {
    program = prefix + "/bin/hipcc";
  } else {
    const hiplz::FoundClang clang = hiplz::findClang();
    if (clang.path.empty()) {
      std::fprintf(stderr, "clang++ of HIPLZ: %s\n", clang.problem.c_str());
      return 1;
    }
    program = std::string_view(arguments[0]).ends_with("++") ? clang.path : withoutPlusPlus(clang.path);
    // CMake names GPUs when it links as well.
    std::erase_if(words, [](const std::string &word) { return word.starts_with("--offload-arch="); });
    // Clang says which HIP it uses, and CMake learns the prefix from that.
    if (std::find(words.begin(), words.end(), "-print-targets") != words.end())
      words.insert(words.begin(), "--hip-path=" + prefix);
  }
  std::vector<char *> pointers = {program.data()};
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  std::fprintf(stderr, "clang++ of HIPLZ: cannot run %s: %s\n", program.c_str(), std::strerror(errno));
  return 127;
}
