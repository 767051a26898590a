// SPDX-License-Identifier: MIT
// hipcc as a function: the words it was given in, the commands it runs out. It adds to the words what the
// stock clang needs to compile HIP for SPIR-V and to link with libhiplz, takes out what only other vendors' compilers
// understand, and leaves everything else unchanged and in place. Nothing here starts a process or reads a file.
#pragma once
#include "tools/hipcc/arguments.h"

#include <functional>
#include <string>
#include <vector>

namespace hiplz::hipcc {

/// A static library whose members hold relocatable device code.
struct LibraryWithDeviceCode {
  std::string path;
  Words objects; // hold nothing but the device code of the members; none if there is none
};

/// A file that a command writes in the place of `target`.
struct Output {
  std::string file, target;
};

/// The inputs of the plan besides the words.
struct Settings {
  std::string clang;  // clang++
  std::string prefix; // the folder that holds bin, lib and include
  Words compileFlags; // HIPCC_COMPILE_FLAGS_APPEND
  Words linkFlags;    // HIPCC_LINK_FLAGS_APPEND
  Words devices;      // HIPLZ_OFFLOAD_ARCH, for command lines that name no device of Intel's
  /// A new path for a file between two commands, with this ending.
  std::function<std::string(const std::string &ending)> temporaryFile;
  /// True if the path names something that exists and is neither a file nor a folder, such as /dev/null.
  std::function<bool(const std::string &path)> isSpecialFile;
  /// Called when a program is linked from relocatable device code (-fgpu-rdc). True if the object file holds device code.
  std::function<bool(const std::string &object)> holdsDeviceCode;
  /// Called for each library of such a link with its name or -l and the folders to search.
  std::function<LibraryWithDeviceCode(const std::string &library, const Words &folders)> deviceCodeOfLibrary;
};

/// The commands to run in order, each with the program first, until one fails.
struct Plan {
  std::string error;          // a sentence for the user; nothing is to be run then
  Words notes;                // sentences for the user, shown under -v
  Words warnings;             // sentences that are always shown
  std::string recursionStack; // bytes, of --recursion-stack=
  Words devices;              // Intel's names of those that the commands make native code for, which needs ocloc
  std::vector<Words> commands;
  bool makesTemporaryFiles = false; // that somebody has to remove when the commands have ended
  Output output;                    // to be copied when all commands have succeeded; empty: nothing is
};

/// Makes the plan. `words` are the arguments behind the program's name with response files expanded.
Plan makePlan(const Words &words, const Settings &settings);

} // namespace hiplz::hipcc
