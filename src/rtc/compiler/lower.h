// SPDX-License-Identifier: MIT
// From LLVM's form of device code to SPIR-V: what opt, with HIPLZ's passes, and llvm-spirv do for hipcc.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hiplz::rtc {

/// Where messages of the passes go on this thread while the object lives.
class PassLog {
public:
  explicit PassLog(std::string &log);
  ~PassLog();
  PassLog(const PassLog &) = delete;
  PassLog &operator=(const PassLog &) = delete;
};

/// Errors and warnings of LLVM are appended to the log, instead of ending the process.
void sendMessagesTo(llvm::LLVMContext &context, std::string &log);

/// Runs the link-time passes on a whole module and translates it. False with a message in the log if that cannot be done;
/// errors of the passes and of the translator end the guarded work (guard.h). Needs a PassLog.
bool lower(llvm::Module &module, std::string &log, std::vector<std::byte> &spirv);

} // namespace hiplz::rtc
