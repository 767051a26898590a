// SPDX-License-Identifier: MIT
// The dump in HIPLZ_DUMP after each stage that a module passes through: the link-time passes, and the CPU device's
// compiler.
#pragma once
#include "base/env.h"
#include "base/log.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace hiplz {

/// Writes "<folder>/<part>-<process>.<stage>-<name>" for each stage of one module if HIPLZ_DUMP names a folder; from the
/// second module of a process on, "-<module>" follows the process.
class ModuleDump {
public:
  /// `digits` is how many digits the number of a stage has, so that the files stand in their order.
  explicit ModuleDump(const char *part, int digits)
      : folder_(envString(EnvVar::HIPLZ_DUMP)), part_(part), digits_(digits) {}

  /// True if anything is written.
  bool wanted() const { return !folder_.empty(); }

  /// A file with this content. A file that cannot be written is worth a line in the log and no more.
  void bytes(llvm::StringRef name, llvm::StringRef content) {
    if (!wanted())
      return;
    if (prefix_.empty())
      begin();
    char stage[16];
    std::snprintf(stage, sizeof stage, "%0*u-", digits_, stage_++);
    std::error_code failure;
    llvm::raw_fd_ostream stream(prefix_ + stage + name.str(), failure);
    if (failure)
      HIPLZ_LOG_INFO("HIPLZ_DUMP: nothing can be written to %s: %s", folder_.c_str(), failure.message().c_str());
    else
      stream << content;
  }

  /// The same with the text of a module.
  void module(llvm::StringRef name, const llvm::Module &module) {
    if (!wanted())
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, nullptr);
    bytes(name, stream.str());
  }

private:
  void begin() {
    static std::atomic<unsigned> modules{0};
    llvm::sys::fs::create_directories(folder_);
    prefix_ = folder_ + "/" + part_ + "-" + std::to_string(::getpid());
    if (const unsigned number = modules++)
      prefix_ += "-" + std::to_string(number);
    prefix_ += ".";
  }

  const std::string folder_;
  const char *const part_;
  const int digits_;
  std::string prefix_;
  unsigned stage_ = 0;
};

} // namespace hiplz
