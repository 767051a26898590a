// SPDX-License-Identifier: MIT
// Results as JSON and CSV (the schema is in docs/roofline.md), and where a device's own result is kept.
#pragma once
#include "roofline/result.h"

#include <optional>
#include <stdexcept>
#include <string>

namespace hiplz::roofline {

/// A file cannot be read or written, or is not a result.
class FileError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

std::string toJson(const Result &result);
/// Throws FileError, with `name` in its text.
Result fromJson(const std::string &text, const std::string &name);

/// A line for each sample.
std::string toCsv(const Result &result);

/// Throws FileError.
std::string readFile(const std::string &path);
/// Replaces the file as a whole or not at all. Throws FileError.
void writeFile(const std::string &path, const std::string &text);

/// Where --save keeps the result of the device with this UUID: $XDG_DATA_HOME/hiplz/roofline or ~/.local/share/hiplz/roofline. Empty
/// if there is no home.
std::string savedPath(const std::string &uuid);
/// The saved result for it, if it can be read and the name of the device is the same.
std::optional<Result> loadSaved(const std::string &uuid, const std::string &name);
/// The same where only the name of the device is known: of several results the latest.
std::optional<Result> loadSavedOf(const std::string &name);

} // namespace hiplz::roofline
