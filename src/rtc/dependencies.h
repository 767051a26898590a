// Whether the files that something was made of are still the same: by size and time of change, as build tools do.
#pragma once
#include "base/serial.h"

#include <string>
#include <vector>

namespace hiplz::rtc {

/// Writes the names and the present states of the files.
void writeDependencies(SerialWriter &writer, const std::vector<std::string> &files);

/// Reads what writeDependencies wrote. False if one of the files has changed or is missing.
bool readDependencies(SerialReader &reader);

} // namespace hiplz::rtc
