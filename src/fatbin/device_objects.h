// SPDX-License-Identifier: MIT
// The device code inside objects and static libraries that were compiled with -fgpu-rdc. Clang puts it, as LLVM bitcode,
// into a section of its own in each object, finds it there when it links objects, and does not look into archives.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz {

/// The contents of the section with the device code in the bytes of a 64-bit little-endian ELF object; nothing if there
/// is none or the bytes are no such object. The view points into `object`.
std::optional<std::string_view> deviceCodeOf(std::string_view object);

/// An object without any host code that clang unbundles into this device code.
std::string objectWithDeviceCode(std::string_view deviceCode);

/// The members of an ar archive. Views point into `archive`; the members of a thin archive are file names instead.
struct ArchiveMembers {
  std::vector<std::string_view> contents;
  std::vector<std::string> files;
};
ArchiveMembers membersOf(std::string_view archive);

/// The device code of each member of the static library that has some; nothing for other files. Members of a thin archive are read.
std::vector<std::string> deviceCodesOfLibrary(const std::string &path);

/// The whole file, or nothing if it cannot be read.
std::optional<std::string> readFile(const std::string &path);

/// The static library that `library` ("-lname", "-l:file" or a file) means in these folders; empty if it is none, also
/// if a shared library comes first.
std::string findStaticLibrary(const std::string &library, const std::vector<std::string> &folders);

} // namespace hiplz
