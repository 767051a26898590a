// SPDX-License-Identifier: MIT
// One run of clang on texts in memory: the file system that it sees, its messages, and its arguments.
#pragma once
#include "rtc/compiler_interface.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>
#include <vector>

namespace hiplz::rtc {

/// The folder, which exists in memory only, of the source and the headers of a program. Messages do not show it.
inline constexpr const char *kRoot = "/.hiplz-rtc/";

/// The files of the disk below those of the program. Remembers what was looked for on the disk.
class Files {
public:
  Files();
  ~Files();
  /// A file of the program by its name. The text must live as long as this object.
  void add(const std::string &name, std::string_view text);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> all() const { return all_; }

  /// Every file of the disk that a compilation depends on: those that were looked for, whether they were there or not.
  std::vector<std::string> lookedFor() const;

private:
  class Recorder;
  llvm::IntrusiveRefCntPtr<Recorder> disk_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all_;
};

/// Where Files::add keeps a file.
std::string pathOf(const std::string &name);

/// The arguments of the compiler proper for `file`, as clang's driver makes them of a user's options, or null, with messages
/// in the log, if the options are wrong. No file is written, the program's memory is freed, nothing but the device is
/// compiled.
std::shared_ptr<clang::CompilerInvocation> makeInvocation(const std::string &prefix,
                                                          const std::vector<std::string> &options,
                                                          const std::string &file, const Files &files,
                                                          std::string &log);

/// Runs an action; messages go to the log. False after errors.
bool execute(std::shared_ptr<clang::CompilerInvocation> invocation, clang::FrontendAction &action, const Files &files,
             std::string &log);

} // namespace hiplz::rtc
