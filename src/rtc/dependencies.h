// SPDX-License-Identifier: MIT
// Inputs of a compilation besides its arguments: the files that were looked for, whether they were there or
// not, and the environment. Files are compared by what identifies their content as build tools see it.
#pragma once
#include "base/serial.h"

#include <ctime>
#include <string>
#include <vector>

namespace hiplz::rtc {

/// The variables that clang reads, with their values: where it looks for headers and what it takes the date for.
std::string compilerEnvironment();

/// The time on the clock of the file system, for writeDependencies.
timespec fileTime();

/// Writes the names and the present states of the files; a file need not exist. False if one of them has changed since
/// `begin`, so that it is not known which state was read.
bool writeDependencies(SerialWriter &writer, const std::vector<std::string> &files, const timespec &begin);

/// Reads what writeDependencies wrote. False if one of the files has changed, appeared or gone. The names are appended to
/// `files` if that is not null.
bool readDependencies(SerialReader &reader, std::vector<std::string> *files = nullptr);

} // namespace hiplz::rtc
