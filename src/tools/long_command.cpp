// SPDX-License-Identifier: MIT
#include "tools/long_command.h"

#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace hiplz {

std::vector<char *> pointersTo(const std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(const_cast<char *>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> shortEnough(const std::vector<std::string> &words) {
  size_t bytes = 0;
  for (const std::string &word : words)
    bytes += word.size() + 1 + sizeof(char *);
  const long limit = sysconf(_SC_ARG_MAX);
  if (bytes < static_cast<size_t>(limit > 0 ? limit : 1 << 17) / 2)
    return words;
  std::string text;
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    text += '"';
    for (const char c : *word)
      text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    text += "\"\n";
  }
  const int file = memfd_create("hipcc-arguments", 0);
  for (size_t at = 0; file >= 0 && at < text.size();) {
    const ssize_t written = write(file, text.data() + at, text.size() - at);
    if (written < 0)
      return words;
    at += written;
  }
  return file < 0 ? words : std::vector<std::string>{words.front(), "@/proc/self/fd/" + std::to_string(file)};
}

void execCommand(const std::vector<std::string> &command) {
  const std::vector<std::string> words = shortEnough(command);
  std::fflush(stdout);
  execv(words[0].c_str(), pointersTo(words).data());
}

} // namespace hiplz
