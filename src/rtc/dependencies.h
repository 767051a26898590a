// Whether the files that something was made of are still the same: by size and time of change, as build tools do.
#pragma once
#include "rtc/serial.h"

#include <string>
#include <vector>

namespace hiplz::rtc {

/// Writes the names and the present states of the files.
void writeDependencies(Writer &writer, const std::vector<std::string> &files);

/// Reads what writeDependencies wrote. False if one of the files has changed or is missing.
bool readDependencies(Reader &reader);

} // namespace hiplz::rtc
