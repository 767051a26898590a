// SPDX-License-Identifier: MIT
// Runs commands with any number of words: those that came out of a response file may be too many for exec.
#pragma once

#include <string>
#include <vector>

namespace hiplz {

/// The words as exec takes them: pointers into them, and a null pointer behind the last.
std::vector<char *> pointersTo(const std::vector<std::string> &words);

/// The command itself if exec takes it, else one that has its arguments in a response file, which lives in memory and
/// so needs nobody to remove it.
std::vector<std::string> shortEnough(const std::vector<std::string> &words);

/// Replaces this process by the command, whose first word is the path of the program. Returns if that fails; errno
/// tells why.
void execCommand(const std::vector<std::string> &command);

} // namespace hiplz
